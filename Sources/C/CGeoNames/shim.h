#pragma once
#include <malloc.h>

// Types only: the library is not linked but opened once in a family's life (see KinGeo's Towns). Its own header asks for
// GLib's, of which nothing else is needed: these are its declarations, a city being a GVariant that nobody looks into.

typedef struct kin_geonames_city kin_geonames_city;
typedef int (*kin_geonames_get_n_cities)(void);
typedef kin_geonames_city *(*kin_geonames_get_city)(int index);
typedef void (*kin_geonames_city_free)(kin_geonames_city *city);
typedef const char *(*kin_geonames_city_get_text)(kin_geonames_city *city);
typedef unsigned int (*kin_geonames_city_get_count)(kin_geonames_city *city);
typedef double (*kin_geonames_city_get_degrees)(kin_geonames_city *city);
