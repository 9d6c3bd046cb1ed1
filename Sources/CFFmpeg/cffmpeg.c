#include "CFFmpeg.h"

#include <pthread.h>
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

static void capture(void *object, int level, const char *format, va_list arguments) {
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
