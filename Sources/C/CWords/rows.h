// The rows of one area's files, and of those after it.

#if __INCLUDE_LEVEL__ <= AREAS
    {QUOTED(OF_AREA(FILE).en), OF_AREA(en), sizeof OF_AREA(en)},
    {QUOTED(OF_AREA(FILE).de), OF_AREA(de), sizeof OF_AREA(de)},
#include "rows.h"
#endif
