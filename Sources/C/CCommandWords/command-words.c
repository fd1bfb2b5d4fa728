// The words of the command line, byte by byte, as they lie in `Sources/kin`. Here the compiler reads them at once; as
// arrays of Swift they would take it minutes.

#include "CCommandWords.h"

// `#embed` is of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

// A path between quotes, once the names in it were put in.
#define QUOTED(path) AS_IT_IS(path)
#define AS_IT_IS(path) #path
// The name of the area whose turn it is: one step of inclusion each.
#define OF_AREA(word) JOINED(word, __INCLUDE_LEVEL__)
#define JOINED(word, number) PASTED(word, number)
#define PASTED(word, number) word##_##number

static const uint8_t en_[] = {
#embed "../../kin/Messages/en.messages"
};
static const uint8_t de_[] = {
#embed "../../kin/Messages/de.messages"
};
#include "areas.h"

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct kin_command_words_file files[] = {
    FILE("en", en_),
    FILE("de", de_),
#include "rows.h"
};

const struct kin_command_words_file *kin_command_words_files(void) { return files; }
size_t kin_command_words_file_count(void) { return sizeof files / sizeof files[0]; }
