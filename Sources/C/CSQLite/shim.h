#pragma once
#include <sqlite3.h>

// SQLite's variadic functions and pointer macros, which Swift cannot see, under names it can. No logic.

static inline int kinwire_sqlite_config(int option, int value) { return sqlite3_config(option, value); }
static inline int kinwire_sqlite_config_plain(int option) { return sqlite3_config(option); }
static inline int kinwire_sqlite_db_config(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}
static inline int kinwire_sqlite_bind_text(sqlite3_stmt *s, int i, const char *text, sqlite3_uint64 size) {
    return sqlite3_bind_text64(s, i, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int kinwire_sqlite_bind_blob(sqlite3_stmt *s, int i, const void *bytes, sqlite3_uint64 size) {
    return sqlite3_bind_blob64(s, i, bytes, size, SQLITE_TRANSIENT);
}
