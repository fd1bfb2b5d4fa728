#pragma once
#include <gd.h>
#include <libexif/exif-data.h>
