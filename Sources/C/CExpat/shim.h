#pragma once
// Streaming XML. No logic.
#include <expat.h>
