#include "scale.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

// libjpeg ends a program that it cannot go on with; here it goes back to where it was asked.
struct failing {
    struct jpeg_error_mgr manager;
    jmp_buf back;
};

static void fail(j_common_ptr jpeg) { longjmp(((struct failing *)jpeg->err)->back, 1); }
static void say_nothing(j_common_ptr jpeg) { (void)jpeg; }

// Four inks become light; Adobe's programs write them the other way round.
static void from_inks(const uint8_t *inks, uint8_t *row, int width, int is_inverted) {
    for (int x = 0; x < width; x++, inks += 4, row += 3)
        for (int sample = 0; sample < 3; sample++) {
            int ink = is_inverted ? inks[sample] : 255 - inks[sample], black = is_inverted ? inks[3] : 255 - inks[3];
            row[sample] = (uint8_t)(ink * black / 255);
        }
}

enum kin_outcome kin_read_jpeg(const uint8_t *bytes, size_t count, int side_max, int is_square,
                               struct kin_picture *picture) {
    struct jpeg_decompress_struct jpeg;
    struct failing failing;
    struct kin_scaler scaler = {0};
    uint8_t *volatile row = NULL;
    uint8_t *volatile inks = NULL;
    jpeg.err = jpeg_std_error(&failing.manager);
    failing.manager.error_exit = fail;
    failing.manager.output_message = say_nothing;
    picture->pixels = NULL;
    if (setjmp(failing.back)) {
        jpeg_destroy_decompress(&jpeg);
        kin_scaler_end(&scaler);
        kin_free_picture(picture);
        free(row);
        free(inks);
        return KIN_DAMAGED;
    }
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, (unsigned long)count);
    jpeg_read_header(&jpeg, TRUE);
    int has_inks = jpeg.num_components == 4;
    jpeg.out_color_space = has_inks ? JCS_CMYK : JCS_RGB;
    // A half, a quarter or an eighth costs less than the whole, as long as it is still larger than what is wanted.
    JDIMENSION longer = jpeg.image_width > jpeg.image_height ? jpeg.image_width : jpeg.image_height;
    JDIMENSION shorter = jpeg.image_width > jpeg.image_height ? jpeg.image_height : jpeg.image_width;
    JDIMENSION side = is_square ? shorter : longer;
    jpeg.scale_num = 1;
    jpeg.scale_denom = 1;
    while (jpeg.scale_denom < 8 && side / (jpeg.scale_denom * 2) >= (JDIMENSION)side_max) jpeg.scale_denom *= 2;
    jpeg_start_decompress(&jpeg);
    int width = (int)jpeg.output_width, height = (int)jpeg.output_height;
    if (!kin_scaler_begin(&scaler, width, height, side_max, is_square, picture)) fail((j_common_ptr)&jpeg);
    row = malloc((size_t)width * 3);
    if (has_inks) inks = malloc((size_t)width * 4);
    if (!row || (has_inks && !inks)) fail((j_common_ptr)&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW target = has_inks ? inks : row;
        jpeg_read_scanlines(&jpeg, &target, 1);
        if (has_inks) from_inks(inks, row, width, jpeg.saw_Adobe_marker);
        kin_scaler_row(&scaler, row);
    }
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    free(row);
    free(inks);
    return kin_scaler_end(&scaler) ? KIN_DONE : KIN_DAMAGED;
}

enum kin_outcome kin_write_jpeg(const struct kin_picture *picture, int quality, uint8_t **bytes, unsigned long *count) {
    struct jpeg_compress_struct jpeg;
    struct failing failing;
    jpeg.err = jpeg_std_error(&failing.manager);
    failing.manager.error_exit = fail;
    failing.manager.output_message = say_nothing;
    *bytes = NULL;
    *count = 0;
    if (setjmp(failing.back)) {
        jpeg_destroy_compress(&jpeg);
        free(*bytes);
        *bytes = NULL;
        return KIN_DAMAGED;
    }
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, bytes, count);
    jpeg.image_width = (JDIMENSION)picture->width;
    jpeg.image_height = (JDIMENSION)picture->height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = picture->pixels + (size_t)jpeg.next_scanline * (size_t)picture->width * 3;
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return KIN_DONE;
}
