"""Does with PyPI's caldav what two people do who plan something: `invitations.py URL USER PASSWORD OTHER PASSWORD`.

Prints a line for each step. The calendars of the two are called as they are: Ada and Bob.
"""

import datetime
import sys

import caldav
from caldav.elements import dav

UTC = datetime.timezone.utc
EVENT = "\r\n".join([
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", "BEGIN:VEVENT", "UID:plan@test",
    "DTSTAMP:20261101T000000Z", "DTSTART:20270302T180000Z", "DTEND:20270302T193000Z", "SUMMARY:Choir", "END:VEVENT",
    "END:VCALENDAR", ""])


def principal(url, user, password):
    return caldav.DAVClient(url=url, username=user, password=password).principal()


def named(who, name):
    return next(calendar for calendar in who.calendars() if calendar.get_display_name() == name)


def answer(event, address):
    """What an attendee says."""
    lines = event.icalendar_component["ATTENDEE"]
    lines = lines if isinstance(lines, list) else [lines]
    return next(str(line.params["PARTSTAT"]) for line in lines if str(line).lower() == str(address).lower())


def main(url, user, password, other, others):
    host, guest = principal(url, user, password), principal(url, other, others)
    address = guest.get_vcal_address()
    own = named(host, "Ada")
    plan = own.save_with_invites(EVENT, [address], partstat="NEEDS-ACTION")
    print("invited", len(own.events()))
    invited = named(guest, "Bob").events()[0]
    print("found", invited.icalendar_component["SUMMARY"], answer(invited, address))
    invited.change_attendee_status(partstat="ACCEPTED")
    invited.save()
    plan.load()
    print("answered", answer(plan, address))
    busy = host.freebusy_request(
        datetime.datetime(2027, 3, 2, tzinfo=UTC), datetime.datetime(2027, 3, 3, tzinfo=UTC),
        [host.get_vcal_address(), address])
    told = [one for key, one in busy.items() if key != "errors"]
    print("busy", sum(one.data.count("FREEBUSY:") for one in told), "unknown", len(busy["errors"]))
    print("read", len(list(own.multiget([plan.url]))))
    plan.delete()
    print("left", len(named(guest, "Bob").events()))
    garden = host.make_calendar(name="Garden")
    garden.set_properties([dav.DisplayName("Yard")])
    print("renamed", named(host, "Yard").get_display_name())


main(*sys.argv[1:])
