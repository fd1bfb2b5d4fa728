#pragma once
#include <jansson.h>
#include <sched.h>
#include <string.h>

// What is left to be read, and whether the reader lets other threads run after every fourth piece. (Where all cores are
// busy a pause is as long as a slice of the scheduler's, so there should not be many.)
typedef struct {
    const char *bytes;
    size_t count;
    int pauses;
    unsigned pieces;
} kin_json_input;

static inline size_t kin_json_piece(void *buffer, size_t room, void *data) {
    kin_json_input *input = (kin_json_input *)data;
    size_t count = input->count < room ? input->count : room;
    memcpy(buffer, input->bytes, count);
    input->bytes += count;
    input->count -= count;
    if (input->pauses && ++input->pieces % 4 == 0) sched_yield();
    return count;
}

// json_loadb in pieces of a kilobyte.
static inline json_t *kin_json_read(const char *bytes, size_t count, int pauses, size_t flags, json_error_t *error) {
    kin_json_input input = {bytes, count, pauses, 0};
    return json_load_callback(kin_json_piece, &input, flags, error);
}
