#pragma once

// The files of words of the command line, in the program.

#include <stddef.h>
#include <stdint.h>

struct kin_command_words_file {
    const char *name;
    const uint8_t *bytes;
    size_t count;
};

/// The table of all files.
const struct kin_command_words_file *kin_command_words_files(void);
/// How many they are.
size_t kin_command_words_file_count(void);
