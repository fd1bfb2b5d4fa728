#pragma once

// The files of words of the daemon and of all who speak, in the program.

#include <stddef.h>
#include <stdint.h>

struct kin_words_file {
    const char *name;
    const uint8_t *bytes;
    size_t count;
};

/// The table of all files.
const struct kin_words_file *kin_words_files(void);
/// How many they are.
size_t kin_words_file_count(void);
/// How many areas have files among them: as many as `Package.swift` lists.
size_t kin_words_area_count(void);
