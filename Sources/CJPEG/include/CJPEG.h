// JPEG encoding over libjpeg.
//
// libjpeg reports an error by calling exit() and leaves it to its caller to jump out instead, which Swift can't do.
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *pixels;    ///< 8-bit RGB, three bytes a pixel
    int width, height;        ///< 1 to 65500
    size_t bytes_per_row;     ///< at least 3 * width
    int quality;              ///< 1 to 100
    int chroma_width_ratio;   ///< luma samples for a chroma sample along a row: 1 or 2
    int chroma_height_ratio;  ///< the same along a column: 1 or 2
    int progressive;          ///< 0 or 1
    int optimized_huffman;    ///< 0 or 1; progressive files always are
} cjpeg_job;

typedef struct {
    uint8_t *bytes;           ///< freed with cjpeg_free; NULL after an error
    size_t count;
    char message[200];        ///< libjpeg's own words after an error
} cjpeg_result;

/// Encodes one picture to a JFIF file in memory. Gives 0, or -1 with `result->message` set. Never ends the process.
int cjpeg_encode(const cjpeg_job *job, cjpeg_result *result);
void cjpeg_free(cjpeg_result *result);

#endif
