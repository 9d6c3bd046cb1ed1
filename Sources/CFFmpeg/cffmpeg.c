#include "CFFmpeg.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

AVIOContext *cff_io_alloc(int buffer_size, void *opaque, cff_read read, cff_seek seek) {
    uint8_t *buffer = av_malloc(buffer_size);
    if (!buffer) return NULL;
    AVIOContext *context = avio_alloc_context(buffer, buffer_size, 0, opaque, read, NULL, seek);
    if (!context) av_free(buffer);
    return context;
}

void cff_io_free(AVIOContext **context) {
    if (!context || !*context) return;
    av_freep(&(*context)->buffer);  // libavformat may have replaced the one it was given
    avio_context_free(context);
}

static int refuse_open(AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    av_log(context, AV_LOG_ERROR, "the file refers to another one (%.200s), which is not opened\n", url ? url : "");
    return AVERROR(EPERM);
}

void cff_format_forbid_opening(AVFormatContext *context) {
    context->io_open = refuse_open;
    av_opt_set(context, "protocol_whitelist", "", 0);
}

static _Thread_local char last_line[512];

// In one array: FFmpeg's log tells of the decoders of a whole program, and what others have as opaque must not be taken for a
// count.
enum { max_loss_counts = 1024 };
static struct cff_loss_count {
    atomic_int is_taken, total;
    atomic_int packets[cff_loss_count_packets], wholes[cff_loss_count_packets];
} loss_counts[max_loss_counts];

cff_loss_count *cff_loss_count_alloc(void) {
    for (int i = 0; i < max_loss_counts; i++) {
        if (atomic_exchange(&loss_counts[i].is_taken, 1)) continue;
        cff_loss_count_forget(&loss_counts[i]);
        return &loss_counts[i];
    }
    return NULL;
}

void cff_loss_count_free(cff_loss_count *count) {
    if (count) atomic_store(&count->is_taken, 0);
}

void *cff_loss_count_of_packet(cff_loss_count *count, unsigned packet) {
    if (!count) return NULL;
    atomic_store(&count->wholes[packet % cff_loss_count_packets], 0);
    return &count->packets[packet % cff_loss_count_packets];
}

int cff_loss_count_is_whole(cff_loss_count *count, unsigned packet) {
    return count && atomic_load(&count->wholes[packet % cff_loss_count_packets]);
}

int cff_loss_count_take(cff_loss_count *count, unsigned packet) {
    if (!count || atomic_load(&count->total) == 0) return 0;
    int losses = atomic_exchange(&count->packets[packet % cff_loss_count_packets], 0);
    atomic_fetch_sub(&count->total, losses);
    return losses;
}

void cff_loss_count_forget(cff_loss_count *count) {
    if (!count) return;
    atomic_store(&count->total, 0);
    for (int i = 0; i < cff_loss_count_packets; i++) atomic_store(&count->packets[i], 0);
}

static void count_losses(void *object, int level, const char *format) {
    static const char *const sentences[] = {
        "Could not find ref with POC",  // H.265: a picture is missing that this one is predicted from
        "mismatching checksum",         // H.265: a picture has a checksum, and is another one
        "Verifying checksum",           // H.265, from FFmpeg 6.0 on: the same, as an error; all is well at other levels
        "concealing %d DC",             // H.264, MPEG-1, -2, -4 and their like: parts of the picture were made up
        "Concealing bitstream errors",  // DV: the same
        "slice CRC mismatch",           // FFV1: a part of the picture has a checksum, and was taken from the picture before
        "CRC mismatch in chunk",        // PNG: a part of the picture was left out
        "error y=%d x=%d",              // JPEG: what follows in the picture was not decoded
        "error count: %d",              // JPEG: coefficients beyond the end of a block
        "error dc",                     // JPEG: no such code
        "mjpeg_decode_dc: bad vlc",     // JPEG, from FFmpeg 8.1 on: the same
        "Coefficient index overflow",   // Theora: a code that leads beyond the end of a block
        "Invalid number of coefficents",  // Theora: more of them than there are blocks (spelt so)
    };
    if (!object || *(const AVClass **)object != avcodec_get_class()) return;
    // H.265, up to FFmpeg 7.0: the last slice went to the end of the picture.
    int is_whole = strcmp(format, "Decoded frame with POC %d.\n") == 0;
    if (level > AV_LOG_INFO && !is_whole) return;
    int is_loss = 0;
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        if (strncmp(format, sentences[i], strlen(sentences[i])) == 0) is_loss = 1;
    }
    if (!is_loss && !is_whole) return;
    uintptr_t packet = (uintptr_t)((AVCodecContext *)object)->opaque;
    if (packet < (uintptr_t)loss_counts || packet >= (uintptr_t)(loss_counts + max_loss_counts)) return;
    cff_loss_count *count = &loss_counts[(packet - (uintptr_t)loss_counts) / sizeof *loss_counts];
    if (is_whole) {
        atomic_store(&count->wholes[(atomic_int *)packet - count->packets], 1);
        return;
    }
    // The total first: while it is 0, nothing is looked for.
    atomic_fetch_add(&count->total, 1);
    atomic_fetch_add((atomic_int *)packet, 1);
}

static void capture(void *object, int level, const char *format, va_list arguments) {
    count_losses(object, level, format);
    // A warning that explains why a movie has no frames.
    int is_refusal = level <= AV_LOG_WARNING && strncmp(format, "Skipped opening external track", 30) == 0;
    if (level > AV_LOG_ERROR && !is_refusal) return;
    char line[sizeof last_line];
    int print_prefix = 0;  // the sentence alone: whose it is, the caller knows
    av_log_format_line2(NULL, level, format, arguments, line, sizeof line, &print_prefix);
    size_t length = strlen(line);
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == ' ')) line[--length] = 0;
    if (length > 0) memcpy(last_line, line, length + 1);
}

static void install(void) { av_log_set_callback(capture); }

void cff_log_capture(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

const char *cff_log_take_line(void) {
    static _Thread_local char taken[sizeof last_line];
    memcpy(taken, last_line, sizeof taken);
    last_line[0] = 0;
    return taken;
}
