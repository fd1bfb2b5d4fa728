#pragma once

#include "CDarkroom.h"

// Makes few rows of many as they come, each pixel the mean of what it covers. Nothing but a row is held besides the
// result.
struct kin_scaler {
    // What is taken of the source.
    int left, top, width, height;
    struct kin_picture *to;
    uint32_t *row, *sum;
    // How many rows came, how many are made, and how much of the one that is being made is still missing.
    int came, made;
    uint32_t missing;
};

/// For a source of so many pixels; makes the picture's memory. 0 where there is none.
int kin_scaler_begin(struct kin_scaler *scaler, int width, int height, int side_max, int is_square,
                     struct kin_picture *to);
/// The next row of the source, three bytes a pixel.
void kin_scaler_row(struct kin_scaler *scaler, const uint8_t *row);
/// Frees what was held; whether all rows came. The picture is freed where not.
int kin_scaler_end(struct kin_scaler *scaler);
