#include "scale.h"

#include <stdlib.h>
#include <string.h>

// Lengths are counted in such parts that both a source's pixel and a result's are whole numbers of them: across, a
// source's pixel is `to->width` long and a result's `width`.

int kin_scaler_begin(struct kin_scaler *scaler, int width, int height, int side_max, int is_square,
                     struct kin_picture *to) {
    memset(scaler, 0, sizeof *scaler);
    memset(to, 0, sizeof *to);
    if (width < 1 || height < 1 || width > 65535 || height > 65535 || side_max < 1) return 0;
    int longer = width > height ? width : height, shorter = width > height ? height : width;
    scaler->width = is_square ? shorter : width;
    scaler->height = is_square ? shorter : height;
    scaler->left = (width - scaler->width) / 2;
    scaler->top = (height - scaler->height) / 2;
    int side = is_square ? shorter : longer;
    to->width = scaler->width;
    to->height = scaler->height;
    if (side > side_max) {
        to->width = (int)(((int64_t)scaler->width * side_max + side / 2) / side);
        to->height = (int)(((int64_t)scaler->height * side_max + side / 2) / side);
        if (to->width < 1) to->width = 1;
        if (to->height < 1) to->height = 1;
    }
    size_t samples = (size_t)to->width * 3;
    to->pixels = malloc(samples * (size_t)to->height);
    scaler->row = malloc(samples * sizeof(uint32_t));
    scaler->sum = calloc(samples, sizeof(uint32_t));
    scaler->to = to;
    scaler->missing = (uint32_t)scaler->height;
    if (to->pixels && scaler->row && scaler->sum) return 1;
    kin_scaler_end(scaler);
    return 0;
}

// The row across: each sample with eight bits behind the point.
static void across(struct kin_scaler *scaler, const uint8_t *row) {
    const uint8_t *from = row + (size_t)scaler->left * 3;
    uint32_t *to = scaler->row;
    uint32_t whole = (uint32_t)scaler->width, part = (uint32_t)scaler->to->width;
    if (whole == part) {
        for (size_t index = 0; index < (size_t)whole * 3; index++) to[index] = (uint32_t)from[index] << 8;
        return;
    }
    uint64_t share = ((uint64_t)1 << 40) / whole;
    uint32_t red = 0, green = 0, blue = 0, missing = whole;
    for (uint32_t index = 0; index < whole; index++, from += 3) {
        if (part < missing) {
            red += part * from[0];
            green += part * from[1];
            blue += part * from[2];
            missing -= part;
            continue;
        }
        uint32_t rest = part - missing;
        to[0] = (uint32_t)((red + missing * from[0]) * share >> 32);
        to[1] = (uint32_t)((green + missing * from[1]) * share >> 32);
        to[2] = (uint32_t)((blue + missing * from[2]) * share >> 32);
        to += 3;
        red = rest * from[0];
        green = rest * from[1];
        blue = rest * from[2];
        missing = whole - rest;
    }
}

static void down(struct kin_scaler *scaler, uint32_t weight) {
    size_t samples = (size_t)scaler->to->width * 3;
    const uint32_t *row = scaler->row;
    uint32_t *sum = scaler->sum;
    for (size_t index = 0; index < samples; index++) sum[index] += weight * row[index];
}

static void emit(struct kin_scaler *scaler) {
    size_t samples = (size_t)scaler->to->width * 3;
    uint8_t *to = scaler->to->pixels + samples * (size_t)scaler->made;
    uint64_t share = ((uint64_t)1 << 32) / (uint64_t)scaler->height;
    uint32_t *sum = scaler->sum;
    for (size_t index = 0; index < samples; index++) {
        uint64_t value = (sum[index] * share + ((uint64_t)1 << 39)) >> 40;
        to[index] = value > 255 ? 255 : (uint8_t)value;
        sum[index] = 0;
    }
    scaler->made++;
}

void kin_scaler_row(struct kin_scaler *scaler, const uint8_t *row) {
    int place = scaler->came++ - scaler->top;
    if (place < 0 || place >= scaler->height || scaler->made >= scaler->to->height) return;
    across(scaler, row);
    uint32_t part = (uint32_t)scaler->to->height;
    if (part < scaler->missing) {
        down(scaler, part);
        scaler->missing -= part;
        return;
    }
    uint32_t rest = part - scaler->missing;
    down(scaler, scaler->missing);
    emit(scaler);
    if (rest) down(scaler, rest);
    scaler->missing = (uint32_t)scaler->height - rest;
}

int kin_scaler_end(struct kin_scaler *scaler) {
    int is_whole = scaler->to && scaler->to->pixels && scaler->made == scaler->to->height;
    free(scaler->row);
    free(scaler->sum);
    scaler->row = scaler->sum = NULL;
    if (!is_whole && scaler->to) kin_free_picture(scaler->to);
    return is_whole;
}

enum kin_outcome kin_shrink(const struct kin_picture *from, int side_max, struct kin_picture *to) {
    struct kin_scaler scaler;
    if (!kin_scaler_begin(&scaler, from->width, from->height, side_max, 0, to)) return KIN_DAMAGED;
    for (int y = 0; y < from->height; y++) kin_scaler_row(&scaler, from->pixels + (size_t)y * (size_t)from->width * 3);
    return kin_scaler_end(&scaler) ? KIN_DONE : KIN_DAMAGED;
}

enum kin_outcome kin_turn(struct kin_picture *picture, int is_transposed, int is_flipped_across, int is_flipped_down) {
    if (!is_transposed && !is_flipped_across && !is_flipped_down) return KIN_DONE;
    int width = is_transposed ? picture->height : picture->width;
    int height = is_transposed ? picture->width : picture->height;
    uint8_t *turned = malloc((size_t)width * (size_t)height * 3);
    if (!turned) return KIN_DAMAGED;
    // In squares, so that both sides of a transposition stay in the cache.
    enum { SIDE = 32 };
    for (int top = 0; top < height; top += SIDE)
        for (int left = 0; left < width; left += SIDE)
            for (int y = top; y < height && y < top + SIDE; y++)
                for (int x = left; x < width && x < left + SIDE; x++) {
                    int column = is_flipped_across ? width - 1 - x : x, row = is_flipped_down ? height - 1 - y : y;
                    size_t place = is_transposed ? (size_t)column * (size_t)picture->width + (size_t)row
                                                 : (size_t)row * (size_t)picture->width + (size_t)column;
                    memcpy(turned + ((size_t)y * (size_t)width + (size_t)x) * 3, picture->pixels + place * 3, 3);
                }
    free(picture->pixels);
    *picture = (struct kin_picture){turned, width, height};
    return KIN_DONE;
}

void kin_free_picture(struct kin_picture *picture) {
    free(picture->pixels);
    picture->pixels = NULL;
}

enum kin_outcome kin_blank(int width, int height, struct kin_picture *picture) {
    memset(picture, 0, sizeof *picture);
    if (width < 1 || height < 1 || width > 65535 || height > 65535) return KIN_DAMAGED;
    size_t count = (size_t)width * (size_t)height * 3;
    picture->pixels = malloc(count);
    if (!picture->pixels) return KIN_DAMAGED;
    memset(picture->pixels, 255, count);
    picture->width = width;
    picture->height = height;
    return KIN_DONE;
}

enum kin_outcome kin_draw(struct kin_picture *onto, int left, int top, int width, int height,
                          const struct kin_picture *from) {
    if (left < 0 || top < 0 || width < 1 || height < 1 || left > onto->width - width || top > onto->height - height)
        return KIN_DAMAGED;
    // What is taken of the source: as much of its middle as has the part's shape.
    int64_t cut_width = from->width, cut_height = from->height;
    if (cut_width * height > cut_height * width) cut_width = cut_height * width / height;
    else cut_height = cut_width * height / width;
    if (cut_width < 1) cut_width = 1;
    if (cut_height < 1) cut_height = 1;
    int64_t cut_left = (from->width - cut_width) / 2, cut_top = (from->height - cut_height) / 2;
    for (int64_t y = 0; y < height; y++) {
        int64_t first_row = y * cut_height / height, end_row = (y + 1) * cut_height / height;
        if (end_row <= first_row) end_row = first_row + 1;
        uint8_t *to = onto->pixels + ((size_t)(top + y) * (size_t)onto->width + (size_t)left) * 3;
        for (int64_t x = 0; x < width; x++, to += 3) {
            int64_t first = x * cut_width / width, end = (x + 1) * cut_width / width;
            if (end <= first) end = first + 1;
            // Each pixel is the mean of what it covers.
            uint64_t red = 0, green = 0, blue = 0, count = (uint64_t)((end_row - first_row) * (end - first));
            for (int64_t row = first_row; row < end_row; row++) {
                const uint8_t *pixel =
                    from->pixels + ((size_t)(cut_top + row) * (size_t)from->width + (size_t)(cut_left + first)) * 3;
                for (int64_t column = first; column < end; column++, pixel += 3) {
                    red += pixel[0];
                    green += pixel[1];
                    blue += pixel[2];
                }
            }
            to[0] = (uint8_t)((red + count / 2) / count);
            to[1] = (uint8_t)((green + count / 2) / count);
            to[2] = (uint8_t)((blue + count / 2) / count);
        }
    }
    return KIN_DONE;
}
