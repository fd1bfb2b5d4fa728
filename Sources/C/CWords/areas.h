// The files of one area, in both languages, and of those after it: the file includes itself as often as there are areas.
// Whoever includes it says in which folder of `Sources` they lie (OF_FOLDER). `Package.swift` says how many areas there
// are (AREAS), what their folders are called (AREA_1, AREA_2…), and their files (FILE_1, FILE_2…). So an area is named
// nowhere here.

#if __INCLUDE_LEVEL__ <= AREAS
static const uint8_t OF_AREA(en)[] = {
#embed QUOTED(../../OF_FOLDER/Areas/OF_AREA(AREA)/OF_AREA(FILE).en.messages)
};
static const uint8_t OF_AREA(de)[] = {
#embed QUOTED(../../OF_FOLDER/Areas/OF_AREA(AREA)/OF_AREA(FILE).de.messages)
};
#include "areas.h"
#endif
