#include "scale.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <gd.h>
#include <libheif/heif.h>

// libgd and libheif bring sixty libraries along: they are opened where a picture needs them, and never linked.

#define FIND(name) ((*(void **)&own.name = dlsym(library, #name)) != NULL)

// MARK: libgd

static struct {
    __typeof__(gdImageCreateFromPngPtr) *gdImageCreateFromPngPtr;
    __typeof__(gdImageCreateFromWebpPtr) *gdImageCreateFromWebpPtr;
    __typeof__(gdImageCreateFromGifPtr) *gdImageCreateFromGifPtr;
    __typeof__(gdImagePaletteToTrueColor) *gdImagePaletteToTrueColor;
    __typeof__(gdImageDestroy) *gdImageDestroy;
    __typeof__(gdSetErrorMethod) *gdSetErrorMethod;
} gd;

static void say_nothing(int priority, const char *format, va_list arguments) {
    (void)priority;
    (void)format;
    (void)arguments;
}

#define own gd
int kin_load_gd(void) {
    if (gd.gdImageDestroy) return 1;
    void *library = dlopen("libgd.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library || !FIND(gdImageCreateFromPngPtr) || !FIND(gdImageCreateFromWebpPtr) ||
        !FIND(gdImageCreateFromGifPtr) || !FIND(gdImagePaletteToTrueColor) || !FIND(gdSetErrorMethod) ||
        !FIND(gdImageDestroy))
        return 0;
    gd.gdSetErrorMethod(say_nothing);
    return 1;
}
#undef own

// Rows of libgd's four-byte pixels, whatever is transparent on white.
static enum kin_outcome take_gd(gdImagePtr image, int side_max, int is_square, struct kin_picture *picture) {
    struct kin_scaler scaler = {0};
    picture->pixels = NULL;
    if (!image) return KIN_DAMAGED;
    uint8_t *row = NULL;
    enum kin_outcome outcome = KIN_DAMAGED;
    if ((image->trueColor || gd.gdImagePaletteToTrueColor(image)) &&
        kin_scaler_begin(&scaler, image->sx, image->sy, side_max, is_square, picture)) {
        row = malloc((size_t)image->sx * 3);
        for (int y = 0; row && y < image->sy; y++) {
            const int *from = image->tpixels[y];
            uint8_t *to = row;
            for (int x = 0; x < image->sx; x++, to += 3) {
                int pixel = from[x], clear = pixel >> 24 & 127, solid = 127 - clear;
                to[0] = (uint8_t)(((pixel >> 16 & 255) * solid + 255 * clear) / 127);
                to[1] = (uint8_t)(((pixel >> 8 & 255) * solid + 255 * clear) / 127);
                to[2] = (uint8_t)(((pixel & 255) * solid + 255 * clear) / 127);
            }
            kin_scaler_row(&scaler, row);
        }
        if (kin_scaler_end(&scaler)) outcome = KIN_DONE;
    }
    free(row);
    gd.gdImageDestroy(image);
    return outcome;
}

// libgd's parameter is not const, but it only reads.
#define READ(name)                                                                                                  \
    if (!kin_load_gd()) return KIN_UNAVAILABLE;                                                                     \
    if (count > INT32_MAX) return KIN_DAMAGED;                                                                      \
    return take_gd(gd.name((int)count, (void *)(uintptr_t)bytes), side_max, is_square, picture)

enum kin_outcome kin_read_png(const uint8_t *bytes, size_t count, int side_max, int is_square,
                              struct kin_picture *picture) {
    READ(gdImageCreateFromPngPtr);
}

enum kin_outcome kin_read_webp(const uint8_t *bytes, size_t count, int side_max, int is_square,
                               struct kin_picture *picture) {
    READ(gdImageCreateFromWebpPtr);
}

enum kin_outcome kin_read_gif(const uint8_t *bytes, size_t count, int side_max, int is_square,
                              struct kin_picture *picture) {
    READ(gdImageCreateFromGifPtr);
}

// MARK: libheif

static struct {
    __typeof__(heif_init) *heif_init;
    __typeof__(heif_context_alloc) *heif_context_alloc;
    __typeof__(heif_context_free) *heif_context_free;
    __typeof__(heif_context_read_from_memory_without_copy) *heif_context_read_from_memory_without_copy;
    __typeof__(heif_context_get_primary_image_handle) *heif_context_get_primary_image_handle;
    __typeof__(heif_decode_image) *heif_decode_image;
    __typeof__(heif_decoding_options_alloc) *heif_decoding_options_alloc;
    __typeof__(heif_decoding_options_free) *heif_decoding_options_free;
    __typeof__(heif_image_get_width) *heif_image_get_width;
    __typeof__(heif_image_get_height) *heif_image_get_height;
    __typeof__(heif_image_get_plane_readonly) *heif_image_get_plane_readonly;
    __typeof__(heif_image_release) *heif_image_release;
    __typeof__(heif_image_handle_get_list_of_metadata_block_IDs) *heif_image_handle_get_list_of_metadata_block_IDs;
    __typeof__(heif_image_handle_get_metadata_size) *heif_image_handle_get_metadata_size;
    __typeof__(heif_image_handle_get_metadata) *heif_image_handle_get_metadata;
    __typeof__(heif_image_handle_release) *heif_image_handle_release;
} heif;

#define own heif
int kin_load_heif(void) {
    if (heif.heif_image_handle_release) return 1;
    void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || !FIND(heif_init) || !FIND(heif_context_alloc) || !FIND(heif_context_free) ||
        !FIND(heif_context_read_from_memory_without_copy) || !FIND(heif_context_get_primary_image_handle) ||
        !FIND(heif_decode_image) || !FIND(heif_decoding_options_alloc) || !FIND(heif_decoding_options_free) ||
        !FIND(heif_image_get_width) || !FIND(heif_image_get_height) || !FIND(heif_image_get_plane_readonly) ||
        !FIND(heif_image_release) || !FIND(heif_image_handle_get_list_of_metadata_block_IDs) ||
        !FIND(heif_image_handle_get_metadata_size) || !FIND(heif_image_handle_get_metadata) ||
        !FIND(heif_image_handle_release))
        return 0;
    // It looks for its plug-ins once, which needs files.
    heif.heif_init(NULL);
    return 1;
}
#undef own

// The Exif of a picture, without the four bytes that say where in it TIFF begins.
static void take_exif(struct heif_image_handle *handle, uint8_t **exif, size_t *count) {
    heif_item_id block;
    if (heif.heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &block, 1) != 1) return;
    size_t size = heif.heif_image_handle_get_metadata_size(handle, block);
    if (size < 8 || size > 1 << 20) return;
    uint8_t *bytes = malloc(size);
    if (!bytes) return;
    if (heif.heif_image_handle_get_metadata(handle, block, bytes).code != heif_error_Ok) {
        free(bytes);
        return;
    }
    size_t start = 4 + ((size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3]);
    if (start >= size) start = 4;
    memmove(bytes, bytes + start, size - start);
    *exif = bytes;
    *count = size - start;
}

enum kin_outcome kin_read_heif(const uint8_t *bytes, size_t count, int side_max, int is_square,
                               struct kin_picture *picture, uint8_t **exif, size_t *exif_count) {
    *exif = NULL;
    *exif_count = 0;
    picture->pixels = NULL;
    if (!kin_load_heif()) return KIN_UNAVAILABLE;
    struct heif_context *context = heif.heif_context_alloc();
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    struct heif_decoding_options *options = heif.heif_decoding_options_alloc();
    struct kin_scaler scaler = {0};
    enum kin_outcome outcome = KIN_DAMAGED;
    if (context && options &&
        heif.heif_context_read_from_memory_without_copy(context, bytes, count, NULL).code == heif_error_Ok &&
        heif.heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok) {
        take_exif(handle, exif, exif_count);
        options->convert_hdr_to_8bit = 1;
        if (heif.heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options).code ==
            heif_error_Ok) {
            int width = heif.heif_image_get_width(image, heif_channel_interleaved);
            int height = heif.heif_image_get_height(image, heif_channel_interleaved), stride = 0;
            const uint8_t *plane = heif.heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
            if (plane && stride >= width * 3 &&
                kin_scaler_begin(&scaler, width, height, side_max, is_square, picture)) {
                for (int y = 0; y < height; y++) kin_scaler_row(&scaler, plane + (size_t)y * (size_t)stride);
                if (kin_scaler_end(&scaler)) outcome = KIN_DONE;
            }
            heif.heif_image_release(image);
        }
    }
    if (handle) heif.heif_image_handle_release(handle);
    if (options) heif.heif_decoding_options_free(options);
    if (context) heif.heif_context_free(context);
    return outcome;
}
