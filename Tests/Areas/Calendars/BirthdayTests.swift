import KinModel
import Testing

@testable import KinCalendars
@testable import KinContacts
@testable import KinFamilyBox
@testable import KinKeeper

/// The calendar of birthdays, which is made whenever it is looked at.
@Suite struct BirthdayTests {
    /// What birthdays somebody is told of: `2028-02-29 ada 44`.
    private func birthdays(
        _ box: FamilyBox, _ person: FamilyBox.Person, from: String, to: String, _ more: JSON.Object = [:]
    ) throws -> [String] {
        var params: JSON.Object = ["from": .string(from), "to": .string(to), "zone": "Europe/Berlin"]
        for member in more.members { params[member.name] = member.value }
        return (try box.call(person, "entry.list", params)["birthdays"]?.array ?? []).map { one in
            [one["date"]?.string, one["name"]?.string, one["years"]?.int.map { "\($0)" }].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    @Test func `each sees the birthdays that they may know anyway, every year`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gil = try box.join("gil", role: .guest, by: ada)
        let name = try #require(
            try box.call(ada, "member.show", ["member": .id(ada.id)])["member"]?["displayName"]?.string)
        let his = try #require(
            try box.call(ada, "member.show", ["member": .id(ben.id)])["member"]?["displayName"]?.string)
        try box.call(ada, "profile.add", ["kind": "birthday", "value": "1984-02-29", "audience": "everyone"])
        let own = try box.call(ben, "profile.add", ["kind": "birthday", "value": "--03-01", "audience": []])
        #expect(
            try birthdays(box, ben, from: "2027-02-01", to: "2027-03-31") == [
                "2027-02-28 \(name) 43", "2027-03-01 \(his)",
            ])
        #expect(try birthdays(box, ben, from: "2028-02-29", to: "2028-02-29") == ["2028-02-29 \(name) 44"])
        // What he shows to nobody stands in nobody's calendar.
        #expect(try birthdays(box, ada, from: "2027-02-01", to: "2027-03-31") == ["2027-02-28 \(name) 43"])
        #expect(try birthdays(box, gil, from: "2027-02-01", to: "2027-03-31") == [])
        #expect(try birthdays(box, ada, from: "1983-02-01", to: "1983-03-31") == [], "before somebody is born")
        let days = try box.call(ben, "entry.days", ["from": "2027-02-01", "to": "2027-03-31"])["days"]?.array ?? []
        #expect(days.compactMap { $0["date"]?.string } == ["2027-02-28", "2027-03-01"])
        try box.call(ben, "profile.remove", ["entry": try #require(own["entry"]?["id"])])
        #expect(try birthdays(box, ben, from: "2027-03-01", to: "2027-03-01") == [])
    }

    @Test func `contacts' birthdays stand beside members', and those of the calendar's file come every year`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let gil = try box.join("gil", role: .guest, by: ada)
        try box.call(ada, "profile.add", ["kind": "birthday", "value": "1984-02-29", "audience": "everyone"])
        let nora = try #require(
            try box.call(
                ada, "contact.add", ["firstName": "Nora", "lastName": "Roth", "birthday": "--03-01"])["contact"]?["id"])
        #expect(try birthdays(box, ada, from: "2027-03-01", to: "2027-03-01") == ["2027-03-01 Nora Roth"])
        #expect(try birthdays(box, gil, from: "2027-03-01", to: "2027-03-01") == [], "guests see no contacts")
        let id = try #require(
            try box.call(ada, "calendar.list")["calendars"]?.array?.first { $0["kind"] == "birthdays" }?["id"])
        func feed(_ person: FamilyBox.Person, _ params: JSON.Object) throws -> JSON {
            let secret = try box.call(person, "calendar.addFeed", params)["secret"]
            return try box.call(.none, "calendar.feed", ["secret": try #require(secret)])
        }
        for params: JSON.Object in [["name": "All"], ["name": "Birthdays", "calendar": id]] {
            let text = try #require(try feed(ada, params)["text"]?.string)
            for line in [
                "UID:birthday-\(nora.string ?? "")@kinwire", "SUMMARY:🎂 Nora Roth", "DTSTART;VALUE=DATE:20000301",
                "DTEND;VALUE=DATE:20000302", "RRULE:FREQ=YEARLY", "TRANSP:TRANSPARENT", "DTSTART;VALUE=DATE:19840229",
                "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1",
            ] {
                #expect(text.contains("\r\n" + line + "\r\n"), "\(line) in \(text)")
            }
            #expect(text.contains(" (1984)\r\n") && text.hasSuffix("END:VEVENT\r\nEND:VCALENDAR\r\n"))
        }
        #expect(try feed(gil, ["name": "All"])["text"]?.string?.contains("Nora") == false)
        // Another calendar has none, and a program that knows the state is told when it is another.
        #expect(try feed(ada, ["name": "Own", "calendar": .id(ada.id)])["text"]?.string?.contains("🎂") == false)
        let secret = try #require(try box.call(ada, "calendar.addFeed", ["name": "Phone"])["secret"])
        let tag = try #require(try box.call(.none, "calendar.feed", ["secret": secret])["tag"])
        #expect(try box.call(.none, "calendar.feed", ["secret": secret, "tag": tag])["text"] == nil)
        try box.call(ada, "contact.update", ["contact": nora, "birthday": "1850-03-01"])
        let text = try box.call(.none, "calendar.feed", ["secret": secret, "tag": tag])["text"]?.string ?? ""
        #expect(text.contains("DTSTART;VALUE=DATE:19000301\r\n") && text.contains("🎂 Nora Roth (1850)"), "\(text)")
    }

    @Test func `it is left out and chosen as a calendar, and found by words, members and kind`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "profile.add", ["kind": "birthday", "value": "1984-05-02", "audience": "everyone"])
        let calendars = try box.call(ada, "calendar.list")["calendars"]?.array ?? []
        let made = try #require(calendars.first { $0["kind"] == "birthdays" })
        #expect(made["right"] == "read")
        let id = try #require(made["id"])
        func count(_ more: JSON.Object) throws -> Int {
            try birthdays(box, ada, from: "2027-05-01", to: "2027-05-03", more).count
        }
        #expect(try count([:]) == 1 && count(["calendars": [id]]) == 1 && count(["calendars": [.id(ada.id)]]) == 0)
        #expect(try count(["members": [.id(ada.id)]]) == 1 && count(["members": [id]]) == 0)
        #expect(try count(["categories": ["celebration"]]) == 1 && count(["categories": ["sport"]]) == 0)
        #expect(try count(["words": "nobody"]) == 0)
        // Nobody writes into it.
        let entry: JSON.Object = ["subject": "x", "start": "2027-05-02", "calendar": id]
        #expect(try box.refusal(ada, "entry.add", entry)?.kind == .notFound)
    }

    @Test(arguments: [
        ("BDAY:19840229", "1984-02-29"), ("BDAY;VALUE=date:1984-02-29", "1984-02-29"), ("bday:--0229", "--02-29"),
        ("BDAY:1984-02-29T00:00:00Z", "1984-02-29"), ("item1.BDAY:19840229", "1984-02-29"),
        ("BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-02-29", "--02-29"),
        ("BDAY;X-APPLE-OMIT-YEAR=1604:1984-02-29", "1984-02-29"),
    ])
    func `a contact's birthday is read as cards write it`(line: String, day: String) {
        #expect(ContactBirthdays.birthday(line[...]) == Birthday(day))
    }

    @Test(arguments: ["BDAY:", "BDAY:1984", "BDAYS:19840229", "BDAY;VALUE=text:spring", "BDAY:19840230"])
    func `what is no day is none`(line: String) {
        #expect(ContactBirthdays.birthday(line[...]) == nil)
    }
}
