"""What recurrence rules come to by PyPI's python-dateutil and Python's zoneinfo: `rules.py SEED COUNT` makes so many rules and
prints a line of JSON for each: the rule, the start, the zone (none: whole days), a window, and what lies in it, on the wall and
in seconds since 1970."""

import datetime
import json
import random
import sys
import zoneinfo

from dateutil import rrule

# Nothing is looked at later than sixteen years after 2034 and what is counted on from there. python-dateutil looks for what
# never comes up to this year, whatever UNTIL says: that is nearly all of its time.
datetime.MAXYEAR = 2080

UTC = datetime.timezone.utc
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = ["Europe/Berlin", "Europe/London", "Europe/Dublin", "Europe/Istanbul", "Europe/Moscow", "America/New_York",
         "America/Sao_Paulo", "America/St_Johns", "America/Los_Angeles", "America/Caracas", "Africa/Casablanca",
         "Africa/Cairo", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tehran", "Asia/Tokyo", "Asia/Gaza", "Australia/Sydney",
         "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Apia", "Pacific/Auckland", "Antarctica/Troll", "UTC"]
SHOWN = 60


def some(dice, values, most):
    return sorted(dice.sample(values, dice.randint(1, min(most, len(values)))))


def days(dice, ordinals):
    chosen = [DAYS[index] for index in some(dice, range(7), 4)]
    if not ordinals or dice.random() < 0.4:
        return chosen
    return [f"{dice.choice(ordinals)}{day}" for day in chosen[:2]]


def parts(dice):
    """A rule's parts without its end."""
    freq = dice.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    made = {"FREQ": freq}
    if dice.random() < 0.5:
        made["INTERVAL"] = dice.choice([2, 2, 3, 4, 5, 6, 10, 12, 18] if freq != "YEARLY" else [2, 3, 4, 5])
    if dice.random() < 0.25:
        made["BYMONTH"] = some(dice, range(1, 13), 4)
    months = [*range(1, 32), *range(-31, 0)]
    if freq == "DAILY":
        if dice.random() < 0.25:
            made["BYMONTHDAY"] = some(dice, months, 5)
        if dice.random() < 0.3:
            made["BYDAY"] = days(dice, [])
    elif freq == "WEEKLY":
        if dice.random() < 0.8:
            made["BYDAY"] = days(dice, [])
        if dice.random() < 0.4:
            made["WKST"] = dice.choice(DAYS)
    elif freq == "MONTHLY":
        kind = dice.random()
        if kind < 0.4:
            made["BYMONTHDAY"] = some(dice, months, 4)
        elif kind < 0.9:
            made["BYDAY"] = days(dice, [1, 2, 3, 4, 5, -1, -2, -3])
            if dice.random() < 0.15:
                made["BYMONTHDAY"] = some(dice, months, 8)
    else:
        kind = dice.random()
        if kind < 0.2:
            made["BYMONTHDAY"] = some(dice, months, 3)
        elif kind < 0.4:
            made["BYMONTH"] = some(dice, range(1, 13), 3)
            made["BYDAY"] = days(dice, [1, 2, 3, 4, -1, -2])
        elif kind < 0.55:
            made["BYYEARDAY"] = some(dice, [*range(1, 367), *range(-366, 0)], 4)
            made.pop("BYMONTH", None)
        elif kind < 0.75:
            made["BYWEEKNO"] = some(dice, [*range(1, 54), *range(-53, 0)], 3)
            made["BYDAY"] = days(dice, [])
            made.pop("BYMONTH", None)
            if dice.random() < 0.3:
                made["WKST"] = dice.choice(DAYS)
        elif kind < 0.9 and "BYMONTH" not in made:
            made["BYDAY"] = days(dice, [1, 10, 20, 53, -1, -20])
    if freq != "DAILY" and "BYDAY" in made and dice.random() < 0.25:
        made["BYSETPOS"] = some(dice, [1, 2, 3, -1, -2], 2)
    if dice.random() < 0.08:
        made["BYHOUR"] = some(dice, range(0, 24), 2)
    return made


def text(made):
    def value(one):
        return ",".join(str(item) for item in one) if isinstance(one, list) else str(one)
    return ";".join(f"{name}={value(one)}" for name, one in made.items())


def rule(made, start, until):
    """By python-dateutil, until a moment at the latest: what never comes is looked for to the year 9999 otherwise."""
    word = until.strftime("%Y%m%dT%H%M%SZ") if start.tzinfo else until.strftime("%Y%m%dT%H%M%S")
    return rrule.rrulestr(text(made) + ";UNTIL=" + word, dtstart=start)


def case(dice):
    made = parts(dice)
    is_all_day = dice.random() < 0.2 and "BYHOUR" not in made
    zone = None if is_all_day else dice.choice(ZONES)
    place = zoneinfo.ZoneInfo(zone) if zone else None
    start = datetime.datetime(dice.randint(1990, 2034), dice.randint(1, 12), dice.randint(1, 28), tzinfo=place)
    if not is_all_day:
        start = start.replace(hour=dice.choice([0, 1, 2, 2, 3, 8, 12, 18, 23]), minute=dice.choice([0, 15, 30, 59]))
    horizon = datetime.timedelta(days=366 * 16)

    def end(moment):
        return moment.astimezone(UTC) if place else moment
    # DTSTART is always an occurrence (RFC 5545, 3.8.5.3), and what a rule means that it does not fit is left open there.
    first = next(iter(rule(made, start, end(start + horizon))), None)
    if first is None:
        return None
    start = first
    kind = dice.random()
    count = dice.randint(1, 50) if kind < 0.3 else None
    until = end(start + datetime.timedelta(days=dice.randint(0, 3000), hours=dice.randint(0, 30))) if kind > 0.7 else None
    begin = start + datetime.timedelta(days=dice.choice([0, 0, dice.randint(0, 3650)]))
    stop = begin + datetime.timedelta(days=366 * 5)
    found = []
    # The whole from the start on, since a COUNT counts there.
    bound = min(end(stop), until) if until else end(stop)
    for number, one in enumerate(rule(made, start, bound)):
        if (count and number >= count) or one.replace(tzinfo=None) >= stop.replace(tzinfo=None) or len(found) >= SHOWN:
            break
        if one.replace(tzinfo=None) >= begin.replace(tzinfo=None):
            found.append(one)
    whole = dict(made)
    if count:
        whole["COUNT"] = count
    if until:
        whole["UNTIL"] = until.strftime("%Y%m%dT%H%M%SZ") if place else until.strftime("%Y%m%d")
    def wall(moment):
        return moment.strftime("%Y-%m-%dT%H:%M:%S")
    return {"rule": text(whole), "start": wall(start), "zone": zone, "from": wall(begin), "to": wall(stop), "max": SHOWN,
            "wall": [wall(one) for one in found], "moments": [int(one.timestamp()) for one in found] if place else []}


def main(seed, count):
    dice = random.Random(int(seed))
    left = int(count)
    while left > 0:
        made = case(dice)
        if made:
            print(json.dumps(made))
            left -= 1


main(*sys.argv[1:])
