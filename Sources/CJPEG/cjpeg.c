#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf escape;
    char *message;
} error_manager;

static void leave(j_common_ptr info) {
    error_manager *manager = (error_manager *)info->err;
    char text[JMSG_LENGTH_MAX];
    manager->base.format_message(info, text);
    snprintf(manager->message, sizeof((cjpeg_result *)0)->message, "%s", text);
    longjmp(manager->escape, 1);
}

static void say_nothing(j_common_ptr info) { (void)info; }

static void say_nothing_at_level(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

// jpeg_mem_dest loses its buffer when the encoder fails half-way; this one keeps it where it can be freed.
typedef struct {
    struct jpeg_destination_mgr base;
    cjpeg_result *result;
    size_t capacity;
} destination;

static void grow(j_compress_ptr info, size_t capacity) {
    destination *target = (destination *)info->dest;
    uint8_t *bytes = realloc(target->result->bytes, capacity);
    if (!bytes) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    target->base.next_output_byte = bytes + target->capacity;
    target->base.free_in_buffer = capacity - target->capacity;
    target->result->bytes = bytes;
    target->capacity = capacity;
}

static void start(j_compress_ptr info) {
    size_t guess = (size_t)info->image_width * info->image_height / 4;
    grow(info, guess < 4096 ? 4096 : guess);
}

// Called when the buffer is full, whatever free_in_buffer says.
static boolean make_room(j_compress_ptr info) {
    grow(info, ((destination *)info->dest)->capacity * 2);
    return TRUE;
}

static void finish(j_compress_ptr info) {
    destination *target = (destination *)info->dest;
    target->result->count = target->capacity - target->base.free_in_buffer;
}

int cjpeg_encode(const cjpeg_job *job, cjpeg_result *result) {
    struct jpeg_compress_struct info;
    error_manager errors;
    destination target = {{0}, result, 0};
    memset(result, 0, sizeof *result);
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = leave;
    errors.base.output_message = say_nothing;
    errors.base.emit_message = say_nothing_at_level;
    errors.message = result->message;
    if (setjmp(errors.escape)) {
        jpeg_destroy_compress(&info);
        cjpeg_free(result);
        return -1;
    }
    jpeg_create_compress(&info);
    target.base.init_destination = start;
    target.base.empty_output_buffer = make_room;
    target.base.term_destination = finish;
    info.dest = &target.base;

    info.image_width = job->width;
    info.image_height = job->height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);  // JFIF, BT.601 full range, density 1:1
    jpeg_set_quality(&info, job->quality, TRUE);
    info.comp_info[0].h_samp_factor = job->chroma_width_ratio;
    info.comp_info[0].v_samp_factor = job->chroma_height_ratio;
    info.optimize_coding = job->optimized_huffman;
    if (job->progressive) jpeg_simple_progression(&info);

    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(job->pixels + job->bytes_per_row * info.next_scanline);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return 0;
}

void cjpeg_free(cjpeg_result *result) {
    free(result->bytes);
    result->bytes = NULL;
    result->count = 0;
}
