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

    @Test func `what rings comes back from the bin with its entry, for whoever sees it then`() throws {
        let cleo = try box.join("cleo", by: ada)
        // What rings after the beginning is no reminder.
        try put(Self.event("PT5M"), as: ada, "choir.ics")
        try put(Self.event("PT7M"), as: ben, try item(ben).name)
        try put(Self.event("PT9M"), as: cleo, try item(cleo).name)
        let entry = try #require(try box.call(ada, "entry.all")["entries"]?.array?.first?["id"])
        try box.call(ben, "entry.remove", ["entry": entry])
        #expect(try box.count("SELECT count(*) FROM entry_alarms") == 0)
        // Nothing of it is told in the bin.
        let bin = try box.call(ada, "entry.bin")
        #expect(bin["entries"]?.array?.count == 1 && !bin.text.contains("PT9M"))
        try box.call(ada, "entry.restore", ["entry": entry])
        #expect(try triggers(ada) == ["TRIGGER:PT5M", "TRIGGER:PT5M"])
        #expect(try triggers(ben) == ["TRIGGER:PT7M", "TRIGGER:PT7M"])
        // Who does not see it any more is rung by nothing of it.
        try box.call(ada, "entry.remove", ["entry": entry])
        try box.call(ada, "member.setRole", ["member": .id(cleo.id), "role": "guest"])
        try box.call(ada, "entry.restore", ["entry": entry])
        #expect(try box.count("SELECT count(*) FROM entry_alarms") == 2)
    }

    @Test func `the bin keeps nothing of what a member who left wanted or said`() throws {
        let entry = try EntryTests.add(box, ada, ["calendar": family, "invitees": [.id(ben.id)], "remind": [60]])
        try box.call(ben, "entry.remind", ["entry": .id(entry.id), "minutes": [30]])
        let name = try item(ben).name
        let text = try item(ben).text.replacing(
            "END:VEVENT", with: "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:PT5M\r\nEND:VALARM\r\nEND:VEVENT")
        try put(text, as: ben, name)
        #expect(try box.count("SELECT count(*) FROM entry_alarms") == 1)
        try box.call(ada, "entry.remove", ["entry": .id(entry.id)])
        func named() throws -> Int64? {
            try box.count("SELECT count(*) FROM entries_gone WHERE instr(body, '\(ben.id)') > 0")
        }
        #expect(try named() == 1)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try named() == 0)
        try box.call(ada, "entry.restore", ["entry": .id(entry.id)])
        #expect(try box.call(ada, "entry.show", ["entry": .id(entry.id)])["remind"] == [60])
    }
}
