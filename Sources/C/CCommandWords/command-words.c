// The words of the command line, byte by byte, as they lie in `Sources/kin`. Here the compiler reads them at once; as
// arrays of Swift they would take it minutes.

#include "CCommandWords.h"

#include "../CWords/embedding.h"

#define OF_FOLDER kin

static const uint8_t en_[] = {
#embed "../../kin/Messages/en.messages"
};
static const uint8_t de_[] = {
#embed "../../kin/Messages/de.messages"
};
#include "../CWords/areas.h"

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct kin_command_words_file files[] = {
    FILE("en", en_),
    FILE("de", de_),
#include "../CWords/rows.h"
};

const struct kin_command_words_file *kin_command_words_files(void) { return files; }
size_t kin_command_words_file_count(void) { return sizeof files / sizeof files[0]; }
