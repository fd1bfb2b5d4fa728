#pragma once

// The files of the page, in the program.

#include <stddef.h>
#include <stdint.h>

struct kin_page_file {
    const char *name;
    const uint8_t *bytes;
    size_t count;
};

/// The table of all files.
const struct kin_page_file *kin_page_files(void);
/// How many they are.
size_t kin_page_file_count(void);
