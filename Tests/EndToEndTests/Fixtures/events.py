#!/usr/bin/env python3
# Reads a calendar file with PyPI's icalendar, and prints a line for each event: when it begins and ends, its rule, its
# summary, and what else is named in the arguments.
import sys

import icalendar

with open(sys.argv[1], "rb") as file:
    calendar = icalendar.Calendar.from_ical(file.read())
if calendar.errors:
    print("errors", calendar.errors)
for event in calendar.walk("VEVENT"):
    if event.errors:
        print("errors", event.errors)
    rule = event.get("RRULE")
    fields = [
        event["DTSTART"].dt.isoformat(),
        event["DTEND"].dt.isoformat() if "DTEND" in event else "-",
        rule.to_ical().decode() if rule else "-",
        str(event["SUMMARY"]),
    ]
    fields += [event[name].to_ical().decode() for name in sys.argv[2:] if name in event]
    print(" ".join(fields))
print(len(calendar.walk("VTIMEZONE")), "zones")
