#pragma once

// What the darkroom needs of C: libjpeg, libgd and libheif, rows of pixels made fewer, and the walls around the process.

#include <stddef.h>
#include <stdint.h>

/// What became of it.
enum kin_outcome { KIN_DONE = 0, KIN_DAMAGED = 1, KIN_UNAVAILABLE = 2 };

/// Rows of red, green and blue, a byte each, without gaps.
struct kin_picture {
    uint8_t *pixels;
    int width, height;
};

/// A picture is read row by row into one whose longer side has at most `side_max` pixels; of a square the middle is taken.
enum kin_outcome kin_read_jpeg(const uint8_t *bytes, size_t count, int side_max, int is_square,
                               struct kin_picture *picture);

/// What the libraries below load is loaded, while files can be opened: 0 where one is missing.
int kin_load_gd(void);
int kin_load_heif(void);

enum kin_outcome kin_read_png(const uint8_t *bytes, size_t count, int side_max, int is_square,
                              struct kin_picture *picture);
enum kin_outcome kin_read_webp(const uint8_t *bytes, size_t count, int side_max, int is_square,
                               struct kin_picture *picture);
enum kin_outcome kin_read_gif(const uint8_t *bytes, size_t count, int side_max, int is_square,
                              struct kin_picture *picture);
/// Turned upright already. `exif` is to be freed; null where there is none.
enum kin_outcome kin_read_heif(const uint8_t *bytes, size_t count, int side_max, int is_square,
                               struct kin_picture *picture, uint8_t **exif, size_t *exif_count);

/// The same picture smaller; one that is small enough already is copied.
enum kin_outcome kin_shrink(const struct kin_picture *from, int side_max, struct kin_picture *to);
/// Turns it in place: over the diagonal first, then left to right, then top to bottom.
enum kin_outcome kin_turn(struct kin_picture *picture, int is_transposed, int is_flipped_across, int is_flipped_down);
void kin_free_picture(struct kin_picture *picture);

/// White, with so many pixels.
enum kin_outcome kin_blank(int width, int height, struct kin_picture *picture);
/// Draws the middle of a picture into a part of another, so that it fills it. The part must lie within.
enum kin_outcome kin_draw(struct kin_picture *onto, int left, int top, int width, int height,
                          const struct kin_picture *from);

/// A JPEG with nothing but pixels; `bytes` is to be freed.
enum kin_outcome kin_write_jpeg(const struct kin_picture *picture, int quality, uint8_t **bytes, unsigned long *count);

/// From here on the process may compute and write to its output, and nothing else: no file, no network, no program, at most
/// so much memory, so many seconds and so long an output. 0, or a negative errno.
int kin_confine(uint64_t memory_bytes, unsigned seconds, uint64_t output_bytes);
