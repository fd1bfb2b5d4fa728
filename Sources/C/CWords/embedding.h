#pragma once

// How files of words become data: for the daemon's and all who speak (CWords), and for the command line's
// (CCommandWords). After this come the files that are no area's, `areas.h`, and a table that ends with `rows.h`.

// `#embed` is of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

// A path between quotes, once the names in it were put in.
#define QUOTED(path) AS_IT_IS(path)
#define AS_IT_IS(path) #path
// The name of the area whose turn it is: one step of inclusion each.
#define OF_AREA(word) JOINED(word, __INCLUDE_LEVEL__)
#define JOINED(word, number) PASTED(word, number)
#define PASTED(word, number) word##_##number
