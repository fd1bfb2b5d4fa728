#pragma once
// Recurrence rules, and the values of iCalendar (RFC 5545).
#include <libical/ical.h>

// Lists of a rule, which Swift would see as tuples of hundreds. No logic.

static inline const short *kin_ical_by_second(const struct icalrecurrencetype *rule) { return rule->by_second; }
static inline const short *kin_ical_by_minute(const struct icalrecurrencetype *rule) { return rule->by_minute; }
static inline const short *kin_ical_by_hour(const struct icalrecurrencetype *rule) { return rule->by_hour; }
static inline const short *kin_ical_by_day(const struct icalrecurrencetype *rule) { return rule->by_day; }
static inline const short *kin_ical_by_month_day(const struct icalrecurrencetype *rule) { return rule->by_month_day; }
static inline const short *kin_ical_by_year_day(const struct icalrecurrencetype *rule) { return rule->by_year_day; }
static inline const short *kin_ical_by_week_no(const struct icalrecurrencetype *rule) { return rule->by_week_no; }
static inline const short *kin_ical_by_month(const struct icalrecurrencetype *rule) { return rule->by_month; }
static inline const short *kin_ical_by_set_pos(const struct icalrecurrencetype *rule) { return rule->by_set_pos; }
static inline icalrecur_iterator *kin_ical_iterate(const struct icalrecurrencetype *rule, struct icaltimetype start) {
    return icalrecur_iterator_new(*rule, start);
}

// What is looked at in Swift, where libical leaves it undone.

static inline void kin_ical_drop_days(struct icalrecurrencetype *rule) {
    rule->count = 0;
    rule->by_month[0] = rule->by_month_day[0] = rule->by_day[0] = ICAL_RECURRENCE_ARRAY_MAX;
}
static inline void kin_ical_drop_positions(struct icalrecurrencetype *rule) {
    rule->count = 0;
    rule->interval = 1;
    rule->by_set_pos[0] = ICAL_RECURRENCE_ARRAY_MAX;
}
static inline void kin_ical_drop_count(struct icalrecurrencetype *rule) { rule->count = 0; }
static inline void kin_ical_all_months(struct icalrecurrencetype *rule) {
    for (short month = 0; month < 12; month++) rule->by_month[month] = month + 1;
    rule->by_month[12] = ICAL_RECURRENCE_ARRAY_MAX;
}
