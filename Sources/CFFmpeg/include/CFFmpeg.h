// FFmpeg's headers, with what Swift cannot import: macros, variadics, and what differs between FFmpeg 5.1 and 9.
//
// Guards name the release whose change they cover (see doc/APIchanges in FFmpeg's sources).
#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/hdr_dynamic_metadata.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <libswscale/swscale.h>
#include <string.h>

/// Loads FFmpeg's libraries, once for the process, unless they are linked. The first call of one of their functions does so
/// too, and ends the process where they are missing: ask here before. Safe to call from any thread, any number of times.
/// Returns NULL when they are there, else what the loader had to say.
const char *cff_load(void);

// MARK: Error codes and constants that are macros in C

static const int cff_error_eof = AVERROR_EOF;
static const int cff_error_exit = AVERROR_EXIT;
static const int cff_error_invalid_data = AVERROR_INVALIDDATA;
static const int cff_error_again = AVERROR(EAGAIN);
static const int cff_error_not_permitted = AVERROR(EPERM);
static const int cff_error_out_of_memory = AVERROR(ENOMEM);
static const int cff_error_not_supported = AVERROR_PATCHWELCOME;
static const int cff_error_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int cff_error_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
/// FF_COMPLIANCE_STRICT, by whichever name a release has it.
static const int cff_compliance_strict = 1;
static const int64_t cff_no_timestamp = AV_NOPTS_VALUE;

// MARK: Fields that moved

/// The stream's display matrix (nine 32-bit integers), or NULL. In codecpar from libavformat 60.15 (FFmpeg 6.1) on.
static inline const int32_t *cff_stream_display_matrix(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(stream->codecpar->coded_side_data,
                                                           stream->codecpar->nb_coded_side_data,
                                                           AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
#endif
}

/// The stream's side data of a kind, if it has at least `size` bytes; else NULL.
static inline const void *cff_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *side = av_packet_side_data_get(stream->codecpar->coded_side_data,
                                                           stream->codecpar->nb_coded_side_data, type);
    return side && side->size >= size ? side->data : NULL;
#else
    size_t found = 0;
    const void *data = av_stream_get_side_data(stream, type, &found);
    return data && found >= size ? data : NULL;
#endif
}

/// The stream's Dolby Vision configuration, or NULL without it.
static inline const AVDOVIDecoderConfigurationRecord *cff_stream_dolby_vision(const AVStream *stream) {
    return cff_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, sizeof(AVDOVIDecoderConfigurationRecord));
}

static inline const AVContentLightMetadata *cff_stream_content_light(const AVStream *stream) {
    return cff_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, sizeof(AVContentLightMetadata));
}

static inline const AVMasteringDisplayMetadata *cff_stream_mastering_display(const AVStream *stream) {
    return cff_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, sizeof(AVMasteringDisplayMetadata));
}

static inline const AVStereo3D *cff_stream_stereo(const AVStream *stream) {
    return cff_stream_side_data(stream, AV_PKT_DATA_STEREO3D, sizeof(AVStereo3D));
}

static inline const AVSphericalMapping *cff_stream_spherical(const AVStream *stream) {
    return cff_stream_side_data(stream, AV_PKT_DATA_SPHERICAL, sizeof(AVSphericalMapping));
}

/// The frame's side data of a kind, if it has at least `size` bytes; else NULL.
static inline const void *cff_frame_side_data(const AVFrame *frame, enum AVFrameSideDataType type, size_t size) {
    const AVFrameSideData *side = av_frame_get_side_data(frame, type);
    return side && side->size >= size ? side->data : NULL;
}

static inline const AVContentLightMetadata *cff_frame_content_light(const AVFrame *frame) {
    return cff_frame_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, sizeof(AVContentLightMetadata));
}

static inline const AVMasteringDisplayMetadata *cff_frame_mastering_display(const AVFrame *frame) {
    return cff_frame_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, sizeof(AVMasteringDisplayMetadata));
}

/// HDR10+ (SMPTE ST 2094-40).
static inline const AVDynamicHDRPlus *cff_frame_dynamic_light(const AVFrame *frame) {
    return cff_frame_side_data(frame, AV_FRAME_DATA_DYNAMIC_HDR_PLUS, sizeof(AVDynamicHDRPlus));
}

/// What the frame's Dolby Vision RPU says, or NULL without one.
static inline const AVDOVIMetadata *cff_frame_dolby_vision(const AVFrame *frame) {
    return cff_frame_side_data(frame, AV_FRAME_DATA_DOVI_METADATA, sizeof(AVDOVIMetadata));
}

static inline const AVStereo3D *cff_frame_stereo(const AVFrame *frame) {
    return cff_frame_side_data(frame, AV_FRAME_DATA_STEREO3D, sizeof(AVStereo3D));
}

static inline const AVSphericalMapping *cff_frame_spherical(const AVFrame *frame) {
    return cff_frame_side_data(frame, AV_FRAME_DATA_SPHERICAL, sizeof(AVSphericalMapping));
}

/// AV_FRAME_FLAG_KEY and AV_FRAME_FLAG_INTERLACED came with libavutil 58.7 (FFmpeg 6.1).
static inline int cff_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame;
#endif
}

static inline int cff_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}

static inline void cff_frame_set_interlaced(AVFrame *frame, int is_top_field_first) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags |= AV_FRAME_FLAG_INTERLACED | (is_top_field_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
    frame->interlaced_frame = 1;
    frame->top_field_first = is_top_field_first;
#endif
}

static inline int cff_frame_is_top_field_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame->top_field_first;
#endif
}

/// Makes the luma plane of `alpha` the alpha plane of `frame`, which has `format` from then on; and a key frame only where
/// both are. Both keep their pixels. Returns 0 or an AVERROR.
static inline int cff_frame_add_alpha(AVFrame *frame, AVFrame *alpha, enum AVPixelFormat format) {
    AVBufferRef *plane = av_frame_get_plane_buffer(alpha, 0);
    int place = 0;
    while (place < AV_NUM_DATA_POINTERS && frame->buf[place]) place++;
    if (!plane || place == AV_NUM_DATA_POINTERS) return AVERROR(EINVAL);
    frame->buf[place] = av_buffer_ref(plane);
    if (!frame->buf[place]) return AVERROR(ENOMEM);
    frame->data[3] = alpha->data[0];
    frame->linesize[3] = alpha->linesize[0];
    frame->format = format;
    frame->decode_error_flags |= alpha->decode_error_flags;
    frame->flags |= alpha->flags & AV_FRAME_FLAG_CORRUPT;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    if (!(alpha->flags & AV_FRAME_FLAG_KEY)) frame->flags &= ~AV_FRAME_FLAG_KEY;
#else
    frame->key_frame = frame->key_frame && alpha->key_frame;
#endif
    return 0;
}

/// Gives a decoder that isn't open yet other headers of its codec than those of the stream.
static inline int cff_context_set_configuration(AVCodecContext *context, const uint8_t *bytes, size_t count) {
    uint8_t *copy = av_malloc(count + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!copy) return AVERROR(ENOMEM);
    memcpy(copy, bytes, count);
    memset(copy + count, 0, AV_INPUT_BUFFER_PADDING_SIZE);
    av_freep(&context->extradata);
    context->extradata = copy;
    context->extradata_size = (int)count;
    return 0;
}

/// AVFrame.duration came with libavutil 57.30 (FFmpeg 6.0); before, pkt_duration.
static inline int64_t cff_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

// MARK: Pixels

/// One row of one component of any pixel format but Bayer's: integers as they are, floats by their bits; a palette
/// is looked up. The corresponding C function is av_read_image_line2.
static inline void cff_frame_read_line(const AVFrame *frame, const AVPixFmtDescriptor *format, int y, int component,
                                       int width, uint32_t *line) {
    int is_palette = (format->flags & AV_PIX_FMT_FLAG_PAL) != 0;
    if (is_palette) {  // entries are native-endian 0xAARRGGBB
        const uint8_t *row = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        const uint32_t *palette = (const uint32_t *)frame->data[1];
        int shift = component == 3 ? 24 : 16 - 8 * component;
        for (int x = 0; x < width; x++) line[x] = palette[row[x]] >> shift & 255;
    } else {
        av_read_image_line2(line, (const uint8_t **)frame->data, frame->linesize, format, 0, y, component, width, 0, 4);
    }
}

// MARK: Scaling

// SwsContext is opaque before FFmpeg 8 and a struct since; its flags are macros before and an enumeration since.

static const int cff_scaler_flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP;
static inline void *cff_scaler_alloc(void) { return sws_alloc_context(); }
static inline int cff_scaler_init(void *scaler) { return sws_init_context((struct SwsContext *)scaler, NULL, NULL); }
static inline void cff_scaler_free(void *scaler) { sws_freeContext((struct SwsContext *)scaler); }
static inline int cff_scaler_scale(void *scaler, const uint8_t *const source[], const int source_strides[], int height,
                                   uint8_t *const target[], const int target_strides[]) {
    return sws_scale((struct SwsContext *)scaler, source, source_strides, 0, height, target, target_strides);
}

// MARK: Callbacks

typedef int (*cff_read)(void *opaque, uint8_t *buffer, int size);
typedef int64_t (*cff_seek)(void *opaque, int64_t offset, int whence);

/// avio_alloc_context for reading, with a buffer of its own. `seek` may be NULL.
AVIOContext *cff_io_alloc(int buffer_size, void *opaque, cff_read read, cff_seek seek);
/// Frees the context and whatever buffer it holds by now.
void cff_io_free(AVIOContext **context);

/// Makes the demuxer open nothing by itself: no protocol is allowed and every nested open is refused.
void cff_format_forbid_opening(AVFormatContext *context);

/// Keeps FFmpeg from writing to stderr and remembers, for each thread, its last line at level error or worse,
/// or of a track that lies in another file and was not opened.
/// Process-wide, the only state of that kind; safe to call more than once and from any thread.
void cff_log_capture(void);
/// The line remembered for this thread, without its line end, and forgets it; an empty string when there was none.
const char *cff_log_take_line(void);

/// Counts, for each of the last packets sent to a decoder, how often it says, on whichever thread, that the packet's picture
/// is not what was coded. It says so when it decodes the picture; the frame comes later, and for a reference that is missing
/// nothing marks it (up to FFmpeg 7.1).
typedef struct cff_loss_count cff_loss_count;
/// How many packets are told apart: more than a decoder has threads.
enum { cff_loss_count_packets = 128 };
/// NULL when 1,024 are in use; nothing is counted then.
cff_loss_count *cff_loss_count_alloc(void);
/// Must come after the end of the decoder. May be NULL, as in the calls below.
void cff_loss_count_free(cff_loss_count *count);
/// For AVCodecContext.opaque before a packet is sent, of which nothing was said yet: threads take it over with the packet
/// (libavcodec/pthread_frame.c, update_context_from_user).
void *cff_loss_count_of_packet(cff_loss_count *count, unsigned packet);
/// Of a packet, since it was asked last.
int cff_loss_count_take(cff_loss_count *count, unsigned packet);
/// Whether the decoder said that it went to the end of the packet's picture: that of H.265, up to FFmpeg 7.0.
int cff_loss_count_is_whole(cff_loss_count *count, unsigned packet);
/// To be called while the decoder does nothing.
void cff_loss_count_forget(cff_loss_count *count);

#endif
