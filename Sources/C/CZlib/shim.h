#pragma once
// What is read is not written to.
#define ZLIB_CONST
#include <zlib.h>

// Macros, which Swift cannot call. Raw DEFLATE (RFC 1951): zlib writes that as negative window bits.
static inline int kin_deflate_start(z_stream *stream, int level, int windowBits, int memoryLevel) {
    return deflateInit2(stream, level, Z_DEFLATED, -windowBits, memoryLevel, Z_DEFAULT_STRATEGY);
}

static inline int kin_inflate_start(z_stream *stream, int windowBits) { return inflateInit2(stream, -windowBits); }

// gzip (RFC 1952): 16 more bits of window say so.
static inline int kin_gzip_start(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
