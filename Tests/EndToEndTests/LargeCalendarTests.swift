import Glibc
import Testing

/// A calendar file as large as they come, against the real daemon.
@Suite struct LargeCalendarTests {
    /// Unoptimised programs read a smaller one, so that this takes seconds there, too.
    private static let bytes = Stage.isOptimised ? 50 << 20 : 8 << 20
    /// Kilobytes by which the daemon may grow meanwhile: less than the file has.
    private static let grownMax = 48 << 10

    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
    }

    /// Writes a file of small events and of some that carry pictures, piece by piece; answers how many there are of each.
    private func write(_ path: String) throws -> (small: Int, large: Int) {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        func event(_ number: Int, _ more: String = "") -> String {
            """
            BEGIN:VEVENT\r
            UID:large-\(number)@example.org\r
            DTSTAMP:20260101T000000Z\r
            DTSTART:20270102T100000Z\r
            DTEND:20270102T110000Z\r
            SUMMARY:Course \(number)\r
            \(more)END:VEVENT\r

            """
        }
        let line = " " + String(repeating: "QUJD", count: 18) + "\r\n"
        let picture =
            "ATTACH;FMTTYPE=image/png;ENCODING=BASE64;VALUE=BINARY:\r\n" + String(repeating: line, count: 1600)
        var (small, large, written) = (0, 0, 0)
        fputs("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n", file)
        while written < Self.bytes {
            let isLarge = (small + large) % 2 == 1
            let text = event(small + large, isLarge ? picture : "")
            fputs(text, file)
            written += text.utf8.count
            if isLarge { large += 1 } else { small += 1 }
        }
        fputs("END:VCALENDAR\r\n", file)
        return (small, large)
    }

    /// The most memory that the daemon had so far, in kilobytes.
    private func peak() throws -> Int {
        let path = "/proc/\(house.daemon.process)/status"
        let lines = String(decoding: try [UInt8](file: path), as: UTF8.self).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    @Test func `a huge calendar is taken in within bounds, while others are answered`() throws {
        let path = stage.folder + "/large.ics"
        let count = try write(path)
        let before = try peak()
        let importing = stage.start(["kin", "calendar", "import", path, "--as", "ada"])
        importing.closeInput()
        var answered = 0
        while importing.status == nil {
            try stage.run("kin", "agenda", "2027-01-02", "--as", "bob")
            if importing.status == nil { answered += 1 }
        }
        importing.take()
        #expect(importing.status == 0, "\(importing.said.suffix(600))")
        #expect(answered > 0)
        // Each event is reported: what is too long for an entry is named and left out, and stops no other.
        #expect(
            importing.lines.last == "\(count.small) new, 0 changed, 0 already there, \(count.large) not taken.")
        #expect(importing.lines.filter { $0.contains("64 KiB") }.count == count.large)
        let grown = try peak() - before
        #expect(grown < Self.grownMax, "\(grown) kB")
        let again = try stage.run("kin", "agenda", "2027-01-02", "--as", "ada")
        #expect(again.lines.contains { $0.contains("Course") })
    }
}
