"""Does with PyPI's caldav what its users do, on a calendar server: `calendars.py URL USER PASSWORD`. Prints a line for each."""

import datetime
import sys

import caldav
import icalendar
import vobject

UTC = datetime.timezone.utc


def event(uid, summary, *more):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", "BEGIN:VEVENT", f"UID:{uid}",
             "DTSTAMP:20261101T000000Z", f"SUMMARY:{summary}", *more, "END:VEVENT", "END:VCALENDAR", ""]
    return "\r\n".join(lines)


def main(url, user, password):
    client = caldav.DAVClient(url=url, username=user, password=password)
    principal = client.principal()
    print("calendars", *sorted(calendar.get_display_name() for calendar in principal.calendars()))
    choir = principal.make_calendar(name="Choir")
    print("made", choir.get_display_name())
    choir.save_event(event("one@test", "Rehearsal", "DTSTART:20270302T180000Z", "DTEND:20270302T193000Z"))
    choir.save_event(event("two@test", "Swim", "DTSTART;TZID=Europe/Berlin:20270301T170000",
                           "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3", "X-KEPT:yes"))
    print("events", len(choir.events()))
    march = dict(start=datetime.datetime(2027, 3, 8, tzinfo=UTC), end=datetime.datetime(2027, 3, 9, tzinfo=UTC))
    found = choir.search(event=True, **march)
    print("search", *(str(one.icalendar_component["SUMMARY"]) for one in found))
    expanded = choir.search(event=True, expand=True, start=datetime.datetime(2027, 3, 1, tzinfo=UTC),
                            end=datetime.datetime(2027, 4, 1, tzinfo=UTC))
    print("expanded", len(expanded))
    one = choir.event_by_uid("one@test")
    state = choir.objects_by_sync_token()
    one.icalendar_component["SUMMARY"] = icalendar.vText("Concert")
    one.save()
    changed = choir.objects_by_sync_token(state.sync_token, load_objects=True)
    print("changed", *(str(item.icalendar_component["SUMMARY"]) for item in changed))
    two = choir.event_by_uid("two@test")
    read = vobject.readOne(two.data)
    print("vobject", read.vevent.summary.value, read.vevent.rrule.value, read.vevent.x_kept.value, read.vtimezone.tzid.value)
    whole = icalendar.Calendar.from_ical(two.data)
    print("icalendar", *(part.name for part in whole.walk()), len(whole.walk("VEVENT")[0].errors))
    busy = choir.freebusy_request(datetime.datetime(2027, 3, 1, tzinfo=UTC), datetime.datetime(2027, 3, 5, tzinfo=UTC))
    print("busy", busy.data.count("FREEBUSY:"))
    one.delete()
    two.delete()
    print("left", len(choir.events()))
    choir.delete()
    print("calendars", len([c for c in principal.calendars() if c.get_display_name() == "Choir"]))


main(*sys.argv[1:])
