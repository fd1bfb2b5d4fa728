#include "CGeographic.h"

#include <GeographicLib/Geodesic.hpp>
#include <limits>

// No exception leaves: whoever calls is no C++.
extern "C" double kin_geodesic_distance(double lat1, double lon1, double lat2, double lon2) {
    try {
        double metres = std::numeric_limits<double>::quiet_NaN();
        GeographicLib::Geodesic::WGS84().Inverse(lat1, lon1, lat2, lon2, metres);
        return metres;
    } catch (...) {
        return std::numeric_limits<double>::quiet_NaN();
    }
}
