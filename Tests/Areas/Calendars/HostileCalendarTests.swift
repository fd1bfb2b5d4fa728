import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper

/// Files that are broken or want to do harm, as `calendar.import` takes them: each event by itself, with a sentence for what
/// is not taken.
@Suite struct HostileCalendarTests {
    /// An event of its own lines, which stand behind its name and its beginning.
    private static func event(_ name: String, _ lines: String) -> [UInt8] {
        Array(
            "BEGIN:VEVENT\r\nUID:\(name)\r\nDTSTART:20260803T100000Z\r\nSUMMARY:\(name)\r\n\(lines)END:VEVENT\r\n".utf8)
    }

    private static let unread = "It cannot be read: its lines are none, or it is in no UTF-8."

    @Test func `a hostile file is taken event by event, and each has its sentences`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        var file = Array("BEGIN:VCALENDAR\r\n folded from nothing\r\nno line at all\r\n".utf8)
        file += Self.event("bytes", "DESCRIPTION:fine\r\n")
        // In the middle of a character, and none of UTF-8 at all.
        let bad = Self.event("utf8", "DESCRIPTION:xx\r\n")
        let place = try #require(bad.indices.first { bad[$0...].starts(with: Array("xx".utf8)) })
        file += bad[..<place] + [0xC3, 0xFF] + bad[(place + 2)...]
        file += Self.event("folding", "DESCRIPTION:one\r\ntwo without a name\r\n")
        file += Self.event(
            "alarms",
            "BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nBEGIN:VALARM\r\nTRIGGER:-PT6M\r\nEND:VALARM\r\nEND:VALARM\r\n")
        file += Self.event(
            "deep", String(repeating: "BEGIN:VALARM\r\n", count: 50) + String(repeating: "END:VALARM\r\n", count: 50))
        file += Self.event("seconds", "RRULE:FREQ=SECONDLY;COUNT=50000000\r\n")
        let minutes = (0..<60).map(String.init).joined(separator: ",")
        let hours = (0..<24).map(String.init).joined(separator: ",")
        file += Self.event("daily", "RRULE:FREQ=DAILY;BYHOUR=\(hours);BYMINUTE=\(minutes)\r\n")
        file += Self.event("never", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\n")
        file += Self.event("long", "RRULE:FREQ=DAILY;COUNT=90000000\r\n")
        file += Array(
            "BEGIN:VEVENT\r\nUID:zone\r\nDTSTART;TZID=Nowhere/At All:20260803T100000\r\nSUMMARY:zone\r\nEND:VEVENT\r\n"
                .utf8)
        file += Self.event("large", "DESCRIPTION:\(String(repeating: "a", count: 70_000))\r\n")
        file += Array("BEGIN:VTODO\r\nUID:todo\r\nSUMMARY:todo\r\nEND:VTODO\r\n".utf8)
        file += Self.event(
            "dates", "RDATE:\(Array(repeating: "20260804T100000Z", count: 3000).joined(separator: ","))\r\n")
        file += Self.event(
            "given",
            "BEGIN:X-KINWIRE-GIVEN\r\nX-KINWIRE-WHILE;X-OF=SUMMARY:-\r\nSUMMARY:planted\r\nEND:X-KINWIRE-GIVEN\r\n")
        file += Array("BEGIN:VEVENT\r\nUID:open\r\n".utf8)
        try box.call(ada, "settings.set", ["zone": "Europe/Berlin"])
        let report = try box.call(ada, "calendar.import", ["ics": .string(Base64.encode(file))])
        let lines = (report["entries"]?.array ?? []).map { line in
            let remarks = (line["remarks"]?.array ?? []).compactMap(\.string).joined(separator: " ")
            return "\(line["outcome"]?.string ?? "") \(line["name"]?.string ?? ""): \(remarks)"
        }
        #expect(
            lines == [
                "added bytes: ", "refused : \(Self.unread)", "refused : \(Self.unread)",
                "added alarms: What stands within an alarm was not taken.", "refused : \(Self.unread)",
                "added seconds: The rule FREQ=SECONDLY;COUNT=50000000 is kept, and not followed.",
                "added daily: The rule \(Text.quoted("FREQ=DAILY;BYHOUR=\(hours);BYMINUTE=\(minutes)")) is kept, and not followed.",
                "refused never: By its rule it never repeats.", "added long: ",
                "added zone: The time zone Nowhere/At All is not known; its times are read in Europe/Berlin.",
                "refused : It is a VEVENT of more than 64 KiB.",
                "refused : It is a VTODO; only events are taken.",
                "added dates: It is too long to be kept to the letter; what is shown of it is kept.", "added given: ",
                "refused : The file breaks off.",
            ], "\(lines)")
        // What was taken is found, and is given out: a rule of millions as long as one asks for, and nothing planted.
        let found = try EntryTests.on(box, ada, from: "2026-08-03", to: "2026-08-04")
        #expect(found.count == 10, "\(found)")
        try box.call(ada, "calendar.export")
        guard case .piece(let piece) = box.effect else { throw Stop() }
        let text = String(decoding: piece.bytes, as: UTF8.self)
        #expect(text.contains("RRULE:FREQ=SECONDLY;COUNT=50000000") && text.contains("SUMMARY:given"))
        #expect(!text.contains("planted") && !text.contains("TRIGGER:-PT6M"))
    }

    private struct Stop: Error {}
}
