#pragma once
// QR codes. No logic.
#include <qrencode.h>
