import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// What rings of an entry in a member's programs, which is that member's alone.
@Suite struct EntryAlarmTests {
    let box: FamilyBox
    let ada: FamilyBox.Person
    let ben: FamilyBox.Person
    /// The family's calendar, into which both write.
    let family: JSON

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        family = try #require(try box.call(ada, "family.show")["family"]?["id"])
    }

    private static func event(_ alarm: String, subject: String = "Choir", stamp: Int = 1) -> String {
        let alarm = alarm.isEmpty ? "" : "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:\(alarm)\nEND:VALARM\n"
        return """
            BEGIN:VCALENDAR
            VERSION:2.0
            BEGIN:VEVENT
            UID:choir
            DTSTAMP:2026010\(stamp)T000000Z
            SEQUENCE:\(stamp)
            DTSTART;TZID=Europe/Berlin:20260714T193000
            RRULE:FREQ=WEEKLY;COUNT=3
            SUMMARY:\(subject)
            \(alarm)END:VEVENT
            BEGIN:VEVENT
            UID:choir
            DTSTAMP:2026010\(stamp)T000000Z
            RECURRENCE-ID;TZID=Europe/Berlin:20260721T193000
            DTSTART;TZID=Europe/Berlin:20260721T200000
            SUMMARY:\(subject)
            \(alarm)END:VEVENT
            END:VCALENDAR

            """
    }

    private func put(_ text: String, as person: FamilyBox.Person, _ name: String) throws {
        let answer = try box.call(
            person, "calendar.putItem", ["shelf": family, "name": .string(name), "text": .string(text)])
        #expect(answer["refused"] == nil, "\(answer.text)")
    }

    private func item(_ person: FamilyBox.Person) throws -> (name: String, tag: String, text: String) {
        let item = try #require(
            try box.call(person, "calendar.items", ["shelf": family, "data": true])["items"]?.array?.first)
        return (item["name"]?.string ?? "", item["tag"]?.string ?? "", item["data"]?.string ?? "")
    }

    private func triggers(_ person: FamilyBox.Person) throws -> [String] {
        try item(person).text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("TRIGGER") }.map(String.init)
    }

    @Test func `what one member's phone sets rings in nobody else's`() throws {
        try put(Self.event("-PT10M"), as: ada, "choir.ics")
        #expect(try triggers(ada) == ["TRIGGER:-PT10M", "TRIGGER:-PT10M"])
        #expect(try triggers(ben) == [])
        // Ben's phone sets its own, which changes nothing for Ada; nor is it another state of the entry to her.
        let before = try item(ada).tag
        try put(Self.event("-PT1H", stamp: 2), as: ben, try item(ben).name)
        #expect(try triggers(ben) == ["TRIGGER:-PT1H", "TRIGGER:-PT1H"])
        #expect(try triggers(ada) == ["TRIGGER:-PT10M", "TRIGGER:-PT10M"])
        #expect(try item(ada).tag == before)
        // Who changes what all see takes no alarm from the others.
        try put(Self.event("", subject: "Big choir", stamp: 3), as: ben, try item(ben).name)
        #expect(try triggers(ben) == [] && (try triggers(ada)).count == 2)
        #expect(try item(ada).text.contains("SUMMARY:Big choir"))
        // What is split off rings as well.
        let entry = try #require(
            try box.call(ada, "entry.list", ["from": "2026-07-01", "to": "2026-07-31"])["entries"])
        let id = try #require(entry.array?.first?["id"])
        try box.call(
            ben, "entry.update",
            ["entry": id, "occurrence": "2026-07-28T19:30", "scope": "following", "subject": "Small choir"])
        #expect(try box.count("SELECT count(*) FROM entry_alarms") == 2)
        // It goes with the member.
        try box.call(ada, "entry.remove", ["entry": id, "erase": true])
        #expect(try box.count("SELECT count(*) FROM entry_alarms") == 1)
    }

    @Test func `what a file brings rings for who took it in, and another of their phones is told`() throws {
        let text = Self.event("-PT15M")
        try box.call(ada, "calendar.import", ["ics": .string(Base64.encode(Array(text.utf8)))])
        let shelf: JSON = .string(ada.id.description)
        func first() throws -> JSON {
            try #require(
                try box.call(ada, "calendar.items", ["shelf": shelf, "data": true])["items"]?.array?.first)
        }
        let one = try first()
        #expect(one["data"]?.string?.contains("TRIGGER:-PT15M") == true)
        try box.call(
            ada, "calendar.putItem",
            ["shelf": shelf, "name": one["name"] ?? .null, "text": .string(Self.event("-PT5M"))])
        let other = try first()
        #expect(other["data"]?.string?.contains("TRIGGER:-PT5M") == true && other["tag"] != one["tag"])
    }
}
