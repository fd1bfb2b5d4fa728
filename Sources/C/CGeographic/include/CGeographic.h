#pragma once

// GeographicLib speaks C++; this is all that is asked of it.

#ifdef __cplusplus
extern "C" {
#endif

/// Metres between two points on the WGS 84 ellipsoid (Karney 2013), degrees in; NaN where there is no answer.
double kin_geodesic_distance(double lat1, double lon1, double lat2, double lon2);

#ifdef __cplusplus
}
#endif
