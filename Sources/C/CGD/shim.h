#pragma once
#include <gd.h>
#include <malloc.h>
#include <stdarg.h>

// Types only: the library is not linked but opened at first use (see KinPicture's Painter for the reason).

// What libgd has to say goes nowhere; by default it writes to standard error.
static void kin_gd_say_nothing(int priority, const char *format, va_list arguments) {
    (void)priority;
    (void)format;
    (void)arguments;
}
static inline void kin_gd_silence(void *set_error_method) {
    ((void (*)(gdErrorMethod))set_error_method)(kin_gd_say_nothing);
}
