// A kernel whose clock something sets right only while a file is there. Loaded before the C library.
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

int adjtimex(struct timex *state) {
    const char *file = getenv("KERNEL_SYNCHRONISED");
    int isSynchronised = file && access(file, F_OK) == 0;
    memset(state, 0, sizeof *state);
    state->status = isSynchronised ? 0 : STA_UNSYNC;
    return isSynchronised ? TIME_OK : TIME_ERROR;
}
