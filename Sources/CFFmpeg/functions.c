// FFmpeg's functions, each under its own name, in libraries that are loaded when the first of them is called.
//
// So the words of a command are parsed while they load, which takes longer than all else that a short run does; and when one
// is missing, a sentence can say so. With CFFMPEG_LINKED the libraries are linked, and nothing of this is there.
#include "CFFmpeg.h"

#ifdef CFFMPEG_LINKED

const char *cff_load(void) { return NULL; }

#else

#include <CSystem.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Parameters that became const: AVFrame in libavutil 58, what is written in libavformat 61.
#if LIBAVUTIL_VERSION_MAJOR >= 58
#define cff_const_since_58 const
#else
#define cff_const_since_58
#endif
#if LIBAVFORMAT_VERSION_MAJOR >= 61
#define cff_const_since_61 const
#else
#define cff_const_since_61
#endif

// What snap and its tests call; whoever calls another one is told so by the linker: it is to be added here, as its header
// has it. A function is f(type, name, (parameters), (arguments)).

#define UTILITIES(f)                                                                                                  \
    f(struct AVAES *, av_aes_alloc, (void), ())                                                                       \
    f(void, av_aes_crypt,                                                                                             \
      (struct AVAES *a, uint8_t *dst, const uint8_t *src, int count, uint8_t *iv, int decrypt),                       \
      (a, dst, src, count, iv, decrypt))                                                                              \
    f(int, av_aes_init,                                                                                               \
      (struct AVAES *a, const uint8_t *key, int key_bits, int decrypt),                                               \
      (a, key, key_bits, decrypt))                                                                                    \
    f(AVBufferRef *, av_buffer_create,                                                                                \
      (uint8_t *data, size_t size, void (*free)(void *, uint8_t *), void *opaque, int flags),                         \
      (data, size, free, opaque, flags))                                                                              \
    f(AVBufferRef *, av_buffer_ref, (const AVBufferRef *buf), (buf))                                                  \
    f(int, av_color_primaries_from_name, (const char *name), (name))                                                  \
    f(const char *, av_color_primaries_name, (enum AVColorPrimaries primaries), (primaries))                          \
    f(int, av_color_space_from_name, (const char *name), (name))                                                      \
    f(const char *, av_color_space_name, (enum AVColorSpace space), (space))                                          \
    f(int, av_color_transfer_from_name, (const char *name), (name))                                                   \
    f(const char *, av_color_transfer_name, (enum AVColorTransferCharacteristic transfer), (transfer))                \
    f(AVContentLightMetadata *, av_content_light_metadata_create_side_data, (AVFrame *frame), (frame))                \
    f(void, av_dict_free, (AVDictionary **m), (m))                                                                    \
    f(AVDictionaryEntry *, av_dict_get,                                                                               \
      (const AVDictionary *m, const char *key, const AVDictionaryEntry *prev, int flags),                             \
      (m, key, prev, flags))                                                                                          \
    f(int, av_dict_set, (AVDictionary **pm, const char *key, const char *value, int flags), (pm, key, value, flags))   \
    f(void, av_display_rotation_set, (int32_t *matrix, double angle), (matrix, angle))                                \
    f(AVDOVIMetadata *, av_dovi_metadata_alloc, (size_t *size), (size))                                               \
    f(AVDynamicHDRPlus *, av_dynamic_hdr_plus_create_side_data, (AVFrame *frame), (frame))                            \
    f(char *, av_fourcc_make_string, (char *buf, uint32_t fourcc), (buf, fourcc))                                     \
    f(AVFrame *, av_frame_alloc, (void), ())                                                                          \
    f(AVFrame *, av_frame_clone, (const AVFrame *src), (src))                                                         \
    f(void, av_frame_free, (AVFrame **frame), (frame))                                                                \
    f(int, av_frame_get_buffer, (AVFrame *frame, int align), (frame, align))                                          \
    f(AVBufferRef *, av_frame_get_plane_buffer, (cff_const_since_58 AVFrame *frame, int plane), (frame, plane))       \
    f(AVFrameSideData *, av_frame_get_side_data,                                                                      \
      (const AVFrame *frame, enum AVFrameSideDataType type),                                                          \
      (frame, type))                                                                                                  \
    f(void, av_frame_move_ref, (AVFrame *dst, AVFrame *src), (dst, src))                                              \
    f(AVFrameSideData *, av_frame_new_side_data_from_buf,                                                             \
      (AVFrame *frame, enum AVFrameSideDataType type, AVBufferRef *buf),                                              \
      (frame, type, buf))                                                                                             \
    f(void, av_free, (void *ptr), (ptr))                                                                              \
    f(void, av_freep, (void *ptr), (ptr))                                                                             \
    f(enum AVPixelFormat, av_get_pix_fmt, (const char *name), (name))                                                 \
    f(const char *, av_get_pix_fmt_name, (enum AVPixelFormat pix_fmt), (pix_fmt))                                     \
    f(int, av_image_copy_to_buffer,                                                                                   \
      (uint8_t *dst, int dst_size, const uint8_t *const *src_data, const int *src_linesize,                           \
       enum AVPixelFormat pix_fmt, int width, int height, int align),                                                 \
      (dst, dst_size, src_data, src_linesize, pix_fmt, width, height, align))                                         \
    f(int, av_image_get_buffer_size,                                                                                  \
      (enum AVPixelFormat pix_fmt, int width, int height, int align),                                                 \
      (pix_fmt, width, height, align))                                                                                \
    f(int, av_log_format_line2,                                                                                       \
      (void *ptr, int level, const char *fmt, va_list vl, char *line, int line_size, int *print_prefix),              \
      (ptr, level, fmt, vl, line, line_size, print_prefix))                                                           \
    f(void, av_log_set_callback, (void (*callback)(void *, int, const char *, va_list)), (callback))                  \
    f(void *, av_malloc, (size_t size), (size))                                                                       \
    f(AVMasteringDisplayMetadata *, av_mastering_display_metadata_create_side_data, (AVFrame *frame), (frame))        \
    f(int, av_opt_set,                                                                                                \
      (void *obj, const char *name, const char *val, int search_flags),                                               \
      (obj, name, val, search_flags))                                                                                 \
    f(int, av_opt_set_int,                                                                                            \
      (void *obj, const char *name, int64_t val, int search_flags),                                                   \
      (obj, name, val, search_flags))                                                                                 \
    f(const AVPixFmtDescriptor *, av_pix_fmt_desc_get, (enum AVPixelFormat pix_fmt), (pix_fmt))                       \
    f(void, av_read_image_line2,                                                                                      \
      (void *dst, const uint8_t **data, const int *linesize, const AVPixFmtDescriptor *desc, int x, int y, int c,     \
       int w, int read_pal_component, int dst_element_size),                                                          \
      (dst, data, linesize, desc, x, y, c, w, read_pal_component, dst_element_size))                                  \
    f(int64_t, av_rescale_q, (int64_t a, AVRational bq, AVRational cq), (a, bq, cq))                                  \
    f(struct AVSHA *, av_sha_alloc, (void), ())                                                                       \
    f(void, av_sha_final, (struct AVSHA *context, uint8_t *digest), (context, digest))                                \
    f(int, av_sha_init, (struct AVSHA *context, int bits), (context, bits))                                           \
    f(void, av_sha_update, (struct AVSHA *ctx, const uint8_t *data, size_t len), (ctx, data, len))                    \
    f(const char *, av_spherical_projection_name, (enum AVSphericalProjection projection), (projection))              \
    f(const char *, av_stereo3d_type_name, (unsigned int type), (type))                                               \
    f(int, av_strerror, (int errnum, char *errbuf, size_t errbuf_size), (errnum, errbuf, errbuf_size))                \
    f(const char *, av_version_info, (void), ())                                                                      \
    f(void, av_write_image_line2,                                                                                     \
      (const void *src, uint8_t **data, const int *linesize, const AVPixFmtDescriptor *desc, int x, int y, int c,     \
       int w, int src_element_size),                                                                                  \
      (src, data, linesize, desc, x, y, c, w, src_element_size))

#define CODECS(f)                                                                                                     \
    f(int, av_bsf_alloc, (const AVBitStreamFilter *filter, AVBSFContext **ctx), (filter, ctx))                        \
    f(void, av_bsf_flush, (AVBSFContext *ctx), (ctx))                                                                 \
    f(void, av_bsf_free, (AVBSFContext **ctx), (ctx))                                                                 \
    f(const AVBitStreamFilter *, av_bsf_get_by_name, (const char *name), (name))                                      \
    f(int, av_bsf_init, (AVBSFContext *ctx), (ctx))                                                                   \
    f(int, av_bsf_receive_packet, (AVBSFContext *ctx, AVPacket *pkt), (ctx, pkt))                                     \
    f(int, av_bsf_send_packet, (AVBSFContext *ctx, AVPacket *pkt), (ctx, pkt))                                        \
    f(int, av_new_packet, (AVPacket *pkt, int size), (pkt, size))                                                     \
    f(AVPacket *, av_packet_alloc, (void), ())                                                                        \
    f(int, av_packet_copy_props, (AVPacket *dst, const AVPacket *src), (dst, src))                                    \
    f(void, av_packet_free, (AVPacket **pkt), (pkt))                                                                  \
    f(uint8_t *, av_packet_get_side_data,                                                                             \
      (const AVPacket *pkt, enum AVPacketSideDataType type, size_t *size),                                            \
      (pkt, type, size))                                                                                              \
    f(uint8_t *, av_packet_new_side_data,                                                                             \
      (AVPacket *pkt, enum AVPacketSideDataType type, size_t size),                                                   \
      (pkt, type, size))                                                                                              \
    f(void, av_packet_unref, (AVPacket *pkt), (pkt))                                                                  \
    f(AVCodecContext *, avcodec_alloc_context3, (const AVCodec *codec), (codec))                                      \
    f(const AVCodecDescriptor *, avcodec_descriptor_get, (enum AVCodecID id), (id))                                   \
    f(const AVCodecDescriptor *, avcodec_descriptor_get_by_name, (const char *name), (name))                          \
    f(const AVCodec *, avcodec_find_decoder, (enum AVCodecID id), (id))                                               \
    f(const AVCodec *, avcodec_find_encoder, (enum AVCodecID id), (id))                                               \
    f(void, avcodec_flush_buffers, (AVCodecContext *avctx), (avctx))                                                  \
    f(void, avcodec_free_context, (AVCodecContext **avctx), (avctx))                                                  \
    f(const AVClass *, avcodec_get_class, (void), ())                                                                 \
    f(const char *, avcodec_get_name, (enum AVCodecID id), (id))                                                      \
    f(int, avcodec_open2,                                                                                             \
      (AVCodecContext *avctx, const AVCodec *codec, AVDictionary **options),                                          \
      (avctx, codec, options))                                                                                        \
    f(int, avcodec_parameters_copy, (AVCodecParameters *dst, const AVCodecParameters *src), (dst, src))               \
    f(int, avcodec_parameters_to_context, (AVCodecContext *codec, const AVCodecParameters *par), (codec, par))        \
    f(const char *, avcodec_profile_name, (enum AVCodecID codec_id, int profile), (codec_id, profile))                \
    f(int, avcodec_receive_frame, (AVCodecContext *avctx, AVFrame *frame), (avctx, frame))                            \
    f(int, avcodec_receive_packet, (AVCodecContext *avctx, AVPacket *avpkt), (avctx, avpkt))                          \
    f(int, avcodec_send_frame, (AVCodecContext *avctx, const AVFrame *frame), (avctx, frame))                         \
    f(int, avcodec_send_packet, (AVCodecContext *avctx, const AVPacket *avpkt), (avctx, avpkt))                       \
    f(unsigned int, avcodec_version, (void), ())

#define FORMATS(f)                                                                                                    \
    f(int, av_add_index_entry,                                                                                        \
      (AVStream *st, int64_t pos, int64_t timestamp, int size, int distance, int flags),                              \
      (st, pos, timestamp, size, distance, flags))                                                                    \
    f(const AVInputFormat *, av_find_input_format, (const char *short_name), (short_name))                            \
    f(int, av_index_search_timestamp, (AVStream *st, int64_t timestamp, int flags), (st, timestamp, flags))           \
    f(int, av_probe_input_buffer2,                                                                                    \
      (AVIOContext *pb, const AVInputFormat **fmt, const char *url, void *logctx, unsigned int offset,                \
       unsigned int max_probe_size),                                                                                  \
      (pb, fmt, url, logctx, offset, max_probe_size))                                                                 \
    f(int, av_read_frame, (AVFormatContext *s, AVPacket *pkt), (s, pkt))                                              \
    f(int, av_seek_frame,                                                                                             \
      (AVFormatContext *s, int stream_index, int64_t timestamp, int flags),                                           \
      (s, stream_index, timestamp, flags))                                                                            \
    f(AVFormatContext *, avformat_alloc_context, (void), ())                                                          \
    f(void, avformat_close_input, (AVFormatContext **s), (s))                                                         \
    f(int, avformat_find_stream_info, (AVFormatContext *ic, AVDictionary **options), (ic, options))                   \
    f(int, avformat_index_get_entries_count, (const AVStream *st), (st))                                              \
    f(const AVIndexEntry *, avformat_index_get_entry, (AVStream *st, int idx), (st, idx))                             \
    f(int, avformat_open_input,                                                                                       \
      (AVFormatContext **ps, const char *url, const AVInputFormat *fmt, AVDictionary **options),                      \
      (ps, url, fmt, options))                                                                                        \
    f(unsigned int, avformat_version, (void), ())                                                                     \
    f(AVIOContext *, avio_alloc_context,                                                                              \
      (unsigned char *buffer, int buffer_size, int write_flag, void *opaque, int (*read_packet)(void *, uint8_t *,    \
       int), int (*write_packet)(void *, cff_const_since_61 uint8_t *, int), int64_t (*seek)(void *, int64_t, int)),  \
      (buffer, buffer_size, write_flag, opaque, read_packet, write_packet, seek))                                     \
    f(void, avio_context_free, (AVIOContext **s), (s))

// As in cff_stream_side_data.
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
#define SIDE_DATA_FORMATS(f)
#define SIDE_DATA_CODECS(f)                                                                                           \
    f(const AVPacketSideData *, av_packet_side_data_get,                                                              \
      (const AVPacketSideData *sd, int nb_sd, enum AVPacketSideDataType type),                                        \
      (sd, nb_sd, type))
#else
#define SIDE_DATA_CODECS(f)
#define SIDE_DATA_FORMATS(f)                                                                                          \
    f(uint8_t *, av_stream_get_side_data, (const AVStream *stream, enum AVPacketSideDataType type, size_t *size),     \
      (stream, type, size))
#endif

#define SCALING(f)                                                                                                    \
    f(struct SwsContext *, sws_alloc_context, (void), ())                                                             \
    f(void, sws_freeContext, (struct SwsContext *swsContext), (swsContext))                                           \
    f(int, sws_init_context,                                                                                          \
      (struct SwsContext *sws_context, SwsFilter *srcFilter, SwsFilter *dstFilter),                                   \
      (sws_context, srcFilter, dstFilter))                                                                            \
    f(int, sws_isSupportedInput, (enum AVPixelFormat pix_fmt), (pix_fmt))                                             \
    f(int, sws_scale,                                                                                                 \
      (struct SwsContext *c, const uint8_t *const *srcSlice, const int *srcStride, int srcSliceY, int srcSliceH,      \
       uint8_t *const *dst, const int *dstStride),                                                                    \
      (c, srcSlice, srcStride, srcSliceY, srcSliceH, dst, dstStride))

static struct {
#define POINTER(type, name, parameters, arguments) type(*name) parameters;
    UTILITIES(POINTER) CODECS(POINTER) SIDE_DATA_CODECS(POINTER)
    FORMATS(POINTER) SIDE_DATA_FORMATS(POINTER) SCALING(POINTER)
    void (*av_vlog)(void *object, int level, const char *format, va_list arguments);
#undef POINTER
} library;

static char load_error[256];

static void *open_library(const char *name) {
    void *handle = dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
    if (handle || load_error[0]) return handle;
    const char *reason = dlerror();
    snprintf(load_error, sizeof load_error, "%s", reason ? reason : name);
    return NULL;
}

static void *find(void *handle, const char *name) {
    void *function = handle ? dlsym(handle, name) : NULL;
    if (!function && !load_error[0]) snprintf(load_error, sizeof load_error, "FFmpeg has no function %s", name);
    return function;
}

static void load(void) {
    // The headers' major versions, which the names of the files have in them. What is needed by others comes first.
#define NAME(library, version) "lib" library ".so." AV_STRINGIFY(version)
    enum { util, scale, codec, format, count };
    static const char *const names[count] = {
        [util] = NAME("avutil", LIBAVUTIL_VERSION_MAJOR),
        [scale] = NAME("swscale", LIBSWSCALE_VERSION_MAJOR),
        [codec] = NAME("avcodec", LIBAVCODEC_VERSION_MAJOR),
        [format] = NAME("avformat", LIBAVFORMAT_VERSION_MAJOR),
    };
    csystem_prepare_libraries(names, count);
    void *handles[count];
    for (int i = 0; i < count; i++) handles[i] = open_library(names[i]);
#define FIND(handle, name) library.name = (__typeof__(library.name))find(handles[handle], #name);
#define FIND_UTILITY(type, name, parameters, arguments) FIND(util, name)
#define FIND_CODEC(type, name, parameters, arguments) FIND(codec, name)
#define FIND_FORMAT(type, name, parameters, arguments) FIND(format, name)
#define FIND_SCALING(type, name, parameters, arguments) FIND(scale, name)
    UTILITIES(FIND_UTILITY) FIND(util, av_vlog)
    CODECS(FIND_CODEC) SIDE_DATA_CODECS(FIND_CODEC)
    FORMATS(FIND_FORMAT) SIDE_DATA_FORMATS(FIND_FORMAT)
    SCALING(FIND_SCALING)
}

const char *cff_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return load_error[0] ? load_error : NULL;
}

static void require(void) {
    const char *error = cff_load();
    if (!error) return;
    fprintf(stderr, "FFmpeg was called, and could not be loaded: %s\n", error);
    abort();
}

// Hidden, so that FFmpeg's libraries, which call each other, don't come by here.
#define DEFINE(type, name, parameters, arguments)                                                                     \
    __attribute__((visibility("hidden"))) type name parameters {                                                      \
        require();                                                                                                    \
        return library.name arguments;                                                                                \
    }
UTILITIES(DEFINE)
CODECS(DEFINE)
SIDE_DATA_CODECS(DEFINE)
FORMATS(DEFINE)
SIDE_DATA_FORMATS(DEFINE)
SCALING(DEFINE)

__attribute__((visibility("hidden"))) void av_log(void *object, int level, const char *format, ...) {
    require();
    va_list arguments;
    va_start(arguments, format);
    library.av_vlog(object, level, format, arguments);
    va_end(arguments);
}

#endif
