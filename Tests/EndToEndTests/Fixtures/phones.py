# Calendar apps on a wire: what iOS and macOS, DAVx5 and Thunderbird send one after the other, each over a connection of
# its own that stays open. The order and the properties are those of public sources: the load tests of Apple's Calendar
# Server, DAVx5's dav4jvm, and Thunderbird's CalDavCalendar.
#
# phones.py HOST PORT USER PASSWORD apple|davx5|thunderbird|conflict
#   Prints a line for each step that went as the app needs it. The first that does not ends it, with what came instead.
import base64
import http.client
import sys
import urllib.parse
import xml.etree.ElementTree as tree

DAV, CAL, SERVER, APPLE = (
    "DAV:", "urn:ietf:params:xml:ns:caldav", "http://calendarserver.org/ns/", "http://apple.com/ns/ical/")
SPACES = f'xmlns:D="{DAV}" xmlns:C="{CAL}" xmlns:S="{SERVER}" xmlns:A="{APPLE}"'
NAMES = {"D": DAV, "C": CAL, "S": SERVER, "A": APPLE}


def name(short):
    prefix, local = short.split(":")
    return "{%s}%s" % (NAMES[prefix], local)


def need(is_so, what, found=""):
    if not is_so:
        print(f"wrong: {what}: {found}", flush=True)
        sys.exit(1)


class Answer:
    def __init__(self, answer):
        self.status, self.fields, self.body = answer.status, answer.headers, answer.read()

    @property
    def text(self):
        return self.body.decode("utf-8")

    def things(self):
        """What a multistatus says: of each address the properties that are there, and its own status."""
        need(self.status == 207, "a multistatus", f"{self.status} {self.text}")
        found = {}
        for thing in tree.fromstring(self.body).findall(name("D:response")):
            known = {}
            for part in thing.findall(name("D:propstat")):
                if " 200 " in part.findtext(name("D:status"), ""):
                    known.update({one.tag: one for one in part.find(name("D:prop"))})
            found[thing.findtext(name("D:href"))] = (known, thing.findtext(name("D:status"), ""))
        return found

    def token(self):
        return tree.fromstring(self.body).findtext(name("D:sync-token"))


class Phone:
    def __init__(self, host, port, user, password, agent):
        self.wire = http.client.HTTPConnection(host, int(port), timeout=60)
        self.agent = agent
        self.credential = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def ask(self, verb, path, body=None, signed=True, **fields):
        fields = {key.replace("_", "-"): value for key, value in fields.items()}
        fields["User-Agent"] = self.agent
        if signed:
            fields["Authorization"] = self.credential
        if body is not None:
            fields.setdefault("Content-Type", "text/xml; charset=utf-8")
        self.wire.request(verb, path, body.encode() if body is not None else None, fields)
        return Answer(self.wire.getresponse())

    def look(self, path, depth, *wanted, **more):
        wanted = "".join(f"<{one}/>" for one in wanted)
        body = f'<?xml version="1.0" encoding="UTF-8"?><D:propfind {SPACES}><D:prop>{wanted}</D:prop></D:propfind>'
        return self.ask("PROPFIND", path, body, Depth=depth, **more)

    def report(self, path, kind, inside, depth="1"):
        body = f'<?xml version="1.0" encoding="UTF-8"?><{kind} {SPACES}>{inside}</{kind}>'
        return self.ask("REPORT", path, body, Depth=depth)

    def sync(self, path, token=""):
        """What is there and what went since a token, and the next token."""
        answer = self.report(
            path, "D:sync-collection",
            f"<D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level>"
            "<D:prop><D:getcontenttype/><D:getetag/></D:prop>")
        there, gone = {}, []
        for href, (known, status) in answer.things().items():
            if " 404 " in status:
                gone.append(href)
            else:
                there[href] = known[name("D:getetag")].text
        return there, gone, answer.token()

    def read(self, path, *hrefs):
        """The texts of things, by their addresses, and their validators."""
        inside = "<D:prop><D:getcontenttype/><D:getetag/><C:schedule-tag/><C:calendar-data/></D:prop>"
        inside += "".join(f"<D:href>{href}</D:href>" for href in hrefs)
        found = self.report(path, "C:calendar-multiget", inside).things()
        return {
            href: (known[name("C:calendar-data")].text, known[name("D:getetag")].text)
            for href, (known, status) in found.items() if name("C:calendar-data") in known
        }

    def put(self, href, text, **fields):
        return self.ask("PUT", href, text, Content_Type="text/calendar; charset=utf-8", **fields)

    def begin(self):
        """From the well-known address to the home of the calendars (RFC 6764, 6)."""
        first = self.look("/.well-known/caldav", "0", "D:current-user-principal", signed=False)
        need(first.status == 301, "the well-known address leads on", first.status)
        root = urllib.parse.urlsplit(first.fields["Location"]).path
        asked = self.look(root, "0", "D:current-user-principal", signed=False)
        need(asked.status == 401, "who asks is asked who it is", asked.status)
        need("basic" in asked.fields["WWW-Authenticate"].lower(), "Basic is offered", asked.fields["WWW-Authenticate"])
        known, _ = self.look(root, "0", "D:current-user-principal", "D:resourcetype").things()[root]
        self.principal = known[name("D:current-user-principal")].findtext(name("D:href"))
        options = self.ask("OPTIONS", self.principal)
        need("calendar-access" in options.fields["DAV"], "calendars are spoken of", options.fields["DAV"])
        need("calendar-auto-schedule" in options.fields["DAV"], "invitations are told here", options.fields["DAV"])
        known, _ = self.look(
            self.principal, "0", "C:calendar-home-set", "C:calendar-user-address-set", "C:schedule-inbox-URL",
            "C:schedule-outbox-URL", "D:displayname", "D:group-membership", "D:principal-collection-set",
            "D:resourcetype", "D:supported-report-set", "S:email-address-set", "S:notification-URL",
        ).things()[self.principal]
        self.home = known[name("C:calendar-home-set")].findtext(name("D:href"))
        self.inbox = known[name("C:schedule-inbox-URL")].findtext(name("D:href"))
        self.outbox = known[name("C:schedule-outbox-URL")].findtext(name("D:href"))
        self.people = known[name("D:principal-collection-set")].findtext(name("D:href"))
        addresses = [one.text for one in known[name("C:calendar-user-address-set")].findall(name("D:href"))]
        self.address = next((one for one in addresses if one.startswith("mailto:")), None)
        need(self.address, "there is an address to invite by", addresses)
        print("begun", flush=True)

    def calendars(self):
        """The calendars of the home, by what they are called."""
        things = self.look(
            self.home, "1", "A:calendar-color", "A:calendar-order", "C:calendar-description", "C:calendar-timezone",
            "C:supported-calendar-component-set", "D:current-user-privilege-set", "D:displayname", "D:owner",
            "D:resourcetype", "D:sync-token", "S:getctag", "S:source").things()
        found = {}
        for href, (known, _) in things.items():
            kinds = known[name("D:resourcetype")]
            parts = known.get(name("C:supported-calendar-component-set"))
            if kinds.find(name("C:calendar")) is not None and "VEVENT" in [one.get("name") for one in parts]:
                found[known[name("D:displayname")].text] = (href, known)
        return found


def event(uid, summary, *more):
    return "\r\n".join([
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", "CALSCALE:GREGORIAN", "BEGIN:VEVENT", f"UID:{uid}",
        "DTSTAMP:20261101T000000Z", "DTSTART;TZID=Europe/Berlin:20270302T180000",
        "DTEND;TZID=Europe/Berlin:20270302T193000", f"SUMMARY:{summary}", *more, "END:VEVENT", "END:VCALENDAR", ""])


def state(phone, href):
    known, _ = phone.look(href, "0", "S:getctag", "D:sync-token").things()[href]
    return known[name("S:getctag")].text, known[name("D:sync-token")].text


def apple(phone):
    phone.begin()
    searchable = phone.report(phone.people, "D:principal-search-property-set", "", depth="0")
    need(searchable.status == 200 and "displayname" in searchable.text, "people can be looked for", searchable.text)
    # A report that is not known is refused by its rule, and left out by the app from then on.
    other = phone.report(phone.principal, "D:expand-property", '<D:property name="displayname"/>', depth="0")
    need(other.status == 403 and "supported-report" in other.text, "another report is refused", other.text)
    waiting = phone.look(phone.inbox, "1", "D:getetag", "D:resourcetype").things()
    need(list(waiting) == [phone.inbox], "nothing waits in the inbox", list(waiting))
    made = phone.ask(
        "MKCALENDAR", phone.home + "7B3C0A9E-6B2F-4E9B-8C3B-1F0E5A2D9C11/",
        f'<C:mkcalendar {SPACES}><D:set><D:prop><A:calendar-order>3</A:calendar-order><D:displayname>Garden'
        '</D:displayname><C:supported-calendar-component-set><C:comp name="VEVENT"/>'
        '</C:supported-calendar-component-set>'
        '<A:calendar-color symbolic-color="custom">#711A76FF</A:calendar-color></D:prop></D:set></C:mkcalendar>')
    need(made.status == 201, "a calendar is made", f"{made.status} {made.text}")
    garden, known = phone.calendars()["Garden"]
    need(known[name("A:calendar-color")].text.lower().startswith("#711a76"), "it has its colour")
    for kind, value, kept in [("A:calendar-color", "#00AA00FF", "200"), ("A:calendar-order", "1", "403")]:
        answer = phone.ask(
            "PROPPATCH", garden,
            f"<D:propertyupdate {SPACES}><D:set><D:prop><{kind}>{value}</{kind}></D:prop></D:set></D:propertyupdate>")
        need(answer.status == 207 and f" {kept} " in answer.text, f"{kind} is answered by itself", answer.text)
    print("made Garden", flush=True)
    before, token = state(phone, garden)
    href = garden + "9D1E2F00-1111-4222-8333-444455556666.ics"
    text = event(
        "9D1E2F00-1111-4222-8333-444455556666", "Beds", "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC",
        "BEGIN:VALARM", "UID:alarm-1", "TRIGGER:-PT15M", "ACTION:DISPLAY", "DESCRIPTION:Reminder", "END:VALARM")
    put = phone.put(href, text, If_None_Match="*")
    need(put.status == 201, "an entry is put", f"{put.status} {put.text}")
    need(phone.put(href, text, If_None_Match="*").status == 412, "nothing is put over another")
    after, _ = state(phone, garden)
    need(before != after, "the calendar's state is another")
    listed = phone.look(garden, "1", "D:getcontenttype", "D:getetag").things()
    need(href in listed, "it is listed", list(listed))
    month = phone.report(
        garden, "C:calendar-query",
        '<D:prop><D:getetag/><D:getcontenttype/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter '
        'name="VEVENT"><C:time-range start="20270301T000000Z" end="20270401T000000Z"/></C:comp-filter></C:comp-filter>'
        "</C:filter>").things()
    need(list(month) == [href], "it is on in its month", list(month))
    text, tag = phone.read(garden, href)[href]
    for line in ["SUMMARY:Beds", "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC", "TRIGGER:-PT15M"]:
        need(line in text.splitlines(), f"{line} comes back", text)
    there, gone, _ = phone.sync(garden, token)
    need(there == {href: tag} and not gone, "what came since is told", (there, gone))
    print("put Beds", flush=True)
    found = phone.report(
        phone.people, "D:principal-property-search",
        "<D:property-search><D:prop><D:displayname/></D:prop><D:match>bo</D:match></D:property-search><D:prop>"
        "<D:displayname/><C:calendar-user-address-set/></D:prop>", depth="0").things()
    people = {known[name("D:displayname")].text: known for known, _ in found.values()}
    need(list(people) == ["Bob"], "Bob is found", list(people))
    guests = [one.text for one in people["Bob"][name("C:calendar-user-address-set")].findall(name("D:href"))]
    guest = next(one for one in guests if one.startswith("mailto:"))
    free = phone.ask(
        "POST", phone.outbox,
        "\r\n".join([
            "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "PRODID:-//Test//EN", "BEGIN:VFREEBUSY", "UID:free-1",
            "DTSTAMP:20261101T000000Z", "DTSTART:20270302T000000Z", "DTEND:20270303T000000Z",
            f"ORGANIZER:{phone.address}", f"ATTENDEE:{phone.address}", f"ATTENDEE:{guest}", "END:VFREEBUSY",
            "END:VCALENDAR", ""]), Content_Type="text/calendar", Originator=phone.address, Recipient=guest)
    need(free.status == 200 and "20270302T170000Z/20270302T183000Z" in free.text, "who is busy is told", free.text)
    people = f"ORGANIZER:{phone.address}\r\nATTENDEE;PARTSTAT=NEEDS-ACTION:{guest}"
    asked = text.replace("SUMMARY:Beds", f"SUMMARY:Beds\r\n{people}")
    put = phone.put(href, asked, If_Match=tag)
    need(put.status == 204 and put.fields["Schedule-Tag"], "Bob is invited", f"{put.status} {put.text}")
    need(phone.put(href, asked, If_Match=tag).status == 412, "a stale validator is refused")
    print("invited Bob", flush=True)


def davx5(phone):
    phone.begin()
    shown = phone.calendars()
    need("Garden" in shown, "the other phone's calendar is there", list(shown))
    garden, known = shown["Garden"]
    rights = [one[0].tag for one in known[name("D:current-user-privilege-set")]]
    need(name("D:write-content") in rights, "it may be written into", rights)
    known, _ = phone.look(garden, "0", "D:supported-report-set", "D:sync-token", "S:getctag").things()[garden]
    reports = [one.tag for one in known[name("D:supported-report-set")].iter()]
    need(name("D:sync-collection") in reports, "changes can be asked for", reports)
    there, _, token = phone.sync(garden)
    texts = phone.read(garden, *there)
    beds = next(href for href, (text, _) in texts.items() if "SUMMARY:Beds" in text)
    need(len(there) == 1, "all of it is read", list(there))
    new = garden + "0b6f.ics"
    put = phone.put(new, event("0b6f", "Compost", "RRULE:FREQ=WEEKLY;COUNT=3"), If_None_Match="*")
    need(put.status == 201, "an entry is put", f"{put.status} {put.text}")
    plan = phone.ask("GET", beds).fields["Schedule-Tag"]
    text = texts[beds][0].replace("SUMMARY:Beds", "SUMMARY:Big beds")
    put = phone.put(beds, text, If_Schedule_Tag_Match=plan)
    need(put.status == 204, "by its plan it is changed", f"{put.status} {put.text}")
    need(phone.put(beds, text, If_Schedule_Tag_Match=plan).status == 412, "an older plan is refused")
    there, gone, token = phone.sync(garden, token)
    need(set(there) == {new, beds} and not gone, "both are told", (there, gone))
    done = phone.ask("DELETE", new, If_Match=there[new])
    need(done.status == 204, "it is removed", done.status)
    there, gone, last = phone.sync(garden, token)
    need(gone == [new] and not there and last != token, "what went is told", (there, gone))
    need(phone.sync(garden, last) == ({}, [], last), "nothing since is no other token")
    print("changed Big beds", flush=True)


def thunderbird(phone):
    phone.begin()
    garden = phone.calendars()["Garden"][0]
    known, _ = phone.look(
        garden, "0", "D:resourcetype", "D:owner", "D:current-user-principal", "D:current-user-privilege-set",
        "D:supported-report-set", "C:supported-calendar-component-set", "S:getctag").things()[garden]
    need(known[name("D:owner")].findtext(name("D:href")) == phone.principal, "it is one's own")
    need("calendar-access" in phone.ask("OPTIONS", garden).fields["DAV"], "it is a calendar")
    there, _, token = phone.sync(garden)
    new = garden + "8c2a.ics"
    text = event("8c2a", "Seeds", "X-MOZ-GENERATION:1")
    need(phone.put(new, text, If_None_Match="*").status == 201, "an entry is put")
    # It reads at once what it wrote, to know its validator.
    text, tag = phone.read(garden, new)[new]
    need("X-MOZ-GENERATION:1" in text.splitlines(), "its own line comes back", text)
    changed = text.replace("SUMMARY:Seeds", "SUMMARY:More seeds")
    need(phone.put(new, changed, If_Match=tag).status == 204, "it is changed")
    there, gone, _ = phone.sync(garden, token)
    need(list(there) == [new] and not gone, "it is told once", (there, gone))
    bad = phone.report(
        garden, "D:sync-collection",
        "<D:sync-token>urn:kinwire:sync:none.0</D:sync-token><D:sync-level>1</D:sync-level><D:prop/>")
    need(bad.status == 403 and "valid-sync-token" in bad.text, "an unknown token is refused by its rule", bad.text)
    print("put More seeds", flush=True)


def conflict(one, two):
    """Two phones change one entry: who comes second is told, reads what is there, and then writes."""
    one.begin()
    two.begin()
    garden = one.calendars()["Garden"][0]
    there, _, _ = one.sync(garden)
    texts = one.read(garden, *there)
    href = next(href for href, (text, _) in texts.items() if "SUMMARY:More seeds" in text)
    text, tag = texts[href]
    need(two.read(garden, href)[href] == (text, tag), "both know the same")
    need(one.put(href, text.replace("More seeds", "Seeds of one"), If_Match=tag).status == 204, "the first writes")
    late = two.put(href, text.replace("More seeds", "Seeds of two"), If_Match=tag)
    need(late.status == 412, "the second is refused", late.status)
    need(two.ask("DELETE", href, If_Match=tag).status == 412, "nor does it remove what it does not know")
    text, tag = two.read(garden, href)[href]
    need("SUMMARY:Seeds of one" in text.splitlines(), "nothing of the first is lost", text)
    need(two.put(href, text.replace("of one", "of both"), If_Match=tag).status == 204, "then it writes")
    print("agreed on Seeds of both", flush=True)


def main(host, port, user, password, kind):
    agents = {
        "apple": "iOS/17.5 (21F79) dataaccessd/1.0", "davx5": "DAVx5/4.4-ose (dav4jvm; okhttp/4.12.0) Android/14",
        "thunderbird": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0"}
    if kind == "conflict":
        conflict(*[Phone(host, port, user, password, agents[one]) for one in ("apple", "davx5")])
    else:
        {"apple": apple, "davx5": davx5, "thunderbird": thunderbird}[kind](
            Phone(host, port, user, password, agents[kind]))


main(*sys.argv[1:])
