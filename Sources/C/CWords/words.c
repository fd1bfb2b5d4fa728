// The words of the library, byte by byte, as they lie in `Sources/KinWords`. Here the compiler reads them at once; as
// arrays of Swift they would take it minutes.

#include "CWords.h"

#include "embedding.h"

#define OF_FOLDER KinWords

static const uint8_t words_en_[] = {
#embed "../../KinWords/Messages/words.en.messages"
};
static const uint8_t words_de_[] = {
#embed "../../KinWords/Messages/words.de.messages"
};
static const uint8_t pages_en_[] = {
#embed "../../KinWords/Messages/pages.en.messages"
};
static const uint8_t pages_de_[] = {
#embed "../../KinWords/Messages/pages.de.messages"
};
static const uint8_t web_en_[] = {
#embed "../../KinWords/Messages/web.en.messages"
};
static const uint8_t web_de_[] = {
#embed "../../KinWords/Messages/web.de.messages"
};
static const uint8_t refusals_de_[] = {
#embed "../../KinWords/Messages/refusals.de.messages"
};
static const uint8_t connections_de_[] = {
#embed "../../KinWords/Messages/connections.de.messages"
};
#include "areas.h"

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct kin_words_file files[] = {
    FILE("words.en", words_en_),
    FILE("words.de", words_de_),
    FILE("pages.en", pages_en_),
    FILE("pages.de", pages_de_),
    FILE("web.en", web_en_),
    FILE("web.de", web_de_),
    FILE("refusals.de", refusals_de_),
    FILE("connections.de", connections_de_),
#include "rows.h"
};

const struct kin_words_file *kin_words_files(void) { return files; }
size_t kin_words_file_count(void) { return sizeof files / sizeof files[0]; }
size_t kin_words_area_count(void) { return AREAS; }
