import KinCrypto
import KinModel
import Testing

@testable import KinCalendars
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// Times beside the rule (RDATE), and those left out (EXDATE).
@Suite struct EntryDatesTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
    }

    private func on() throws -> [String] { try EntryTests.on(box, ada) }

    private func file() throws -> String {
        try box.call(ada, "calendar.export", ["calendar": .id(ada.id)])
        guard case .piece(let piece) = box.effect else { return "" }
        return String(decoding: piece.bytes, as: UTF8.self)
    }

    @Test func `it is on times beside its rule, and not where one is left out, here and in files`() throws {
        let choir = try EntryTests.add(
            box, ada,
            [
                "repeat": "weekly", "until": "2026-07-28",
                "dates": ["2026-08-06T19:30", "2026-07-16T18:00", "2026-07-14T19:30"],
            ])
        #expect(choir.times.dates == ["2026-07-16T18:00", "2026-08-06T19:30"])
        #expect(
            try on() == [
                "07-14T19:30 Choir", "07-16T18:00 Choir", "07-21T19:30 Choir", "07-28T19:30 Choir",
                "08-06T19:30 Choir",
            ])
        for occurrence in ["2026-07-16T18:00", "2026-07-21T19:30"] {
            try box.call(
                ada, "entry.remove",
                ["entry": .id(choir.id), "scope": "this", "occurrence": .string(occurrence)])
        }
        let left = ["07-14T19:30 Choir", "07-28T19:30 Choir", "08-06T19:30 Choir"]
        #expect(try on() == left)
        let text = try file()
        #expect(text.contains("\r\nRDATE;TZID=Europe/Berlin:20260806T193000\r\n"))
        #expect(text.contains("\r\nEXDATE;TZID=Europe/Berlin:20260716T180000\r\n"))
        #expect(text.contains("\r\nEXDATE;TZID=Europe/Berlin:20260721T193000\r\n"))
        // Taken in from its file it is on the same times.
        let ics = JSON.string(Base64.encode(Array(text.utf8)))
        try box.call(ada, "entry.remove", ["entry": .id(choir.id), "erase": true])
        let taken = try box.call(ada, "calendar.import", ["ics": ics])
        #expect(taken["entries"]?.array?.map { $0["outcome"] } == ["added"])
        #expect(try on() == left)
    }

    @Test func `they move along with all of it, are said anew, and go`() throws {
        let choir = try EntryTests.add(box, ada, ["dates": ["2026-07-20T19:30"]])
        try box.call(ada, "entry.update", ["entry": .id(choir.id), "start": "2026-07-15T20:00"])
        #expect(try on() == ["07-15T20:00 Choir", "07-21T20:00 Choir"])
        try box.call(
            ada, "entry.update",
            ["entry": .id(choir.id), "start": "2026-07-16T20:00", "dates": ["2026-07-30T21:00"]])
        #expect(try on() == ["07-16T20:00 Choir", "07-30T21:00 Choir"])
        // What becomes whole days is on those days.
        try box.call(ada, "entry.update", ["entry": .id(choir.id), "start": "2026-07-16"])
        #expect(try on() == ["07-16 Choir", "07-30 Choir"])
        try box.call(ada, "entry.update", ["entry": .id(choir.id), "dates": []])
        #expect(try on() == ["07-16 Choir"])
        for dates in [["2026-07-15"], ["2026-07-30T21:00"], ["soon"]] as [JSON] {
            #expect(
                try box.refusal(ada, "entry.update", ["entry": .id(choir.id), "dates": dates])?.field == "dates")
        }
    }
}
