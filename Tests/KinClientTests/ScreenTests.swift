import Glibc
import KinCalendar
import KinModel
import KinWords
import Testing

@testable import kin

/// Screens as they were looked at and found good, in `Screens`: with fixed data, clock and zone. After a change that is
/// meant, run this with KINWIRE_WRITE_SCREENS=1 and read the difference.
@Suite struct ScreenTests {
    private static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/") + "/Screens"

    /// The screen in both widths and languages beside what was kept.
    private func check(_ name: String, _ lines: (Int) -> [String]) throws {
        let zone = try #require(Zone("Europe/Berlin"))
        var text = ""
        for language in Language.allCases {
            for width in [80, 40] {
                let screen = Language.$current.withValue(language) { LocalTime.$zone.withValue(zone) { lines(width) } }
                text += "\(String(repeating: "=", count: width - 3)) \(language.rawValue)\n"
                text += screen.joined(separator: "\n") + "\n"
                for line in screen.flatMap({ $0.split(separator: "\n") }) {
                    #expect(Plain.columns(String(line)) <= width, "\(name): \(line)")
                }
            }
        }
        let path = "\(Self.folder)/\(name).txt"
        if getenv("KINWIRE_WRITE_SCREENS") != nil { Tree.write(text, path) }
        #expect(Tree.text(path) == text, "\(name)")
    }

    @Test func `a meeting is a grid of slots and people`() throws {
        try check("grid") { Family.screen(.show(people: 6)).lines($0, isColoured: false) }
    }

    @Test func `a confirmed meeting says who comes`() throws {
        try check("confirmed") { Family.screen(.show(people: 6, isConfirmed: true)).lines($0, isColoured: false) }
    }

    @Test func `with many people names are shortened, then there are blocks`() throws {
        try check("many") { Family.screen(.show(people: 24)).lines($0, isColoured: false) }
    }

    @Test func `lists are read at a glance`() throws {
        try check("lists") { Family.lists.lines($0, isColoured: false) }
    }

    @Test func `an inbox has official messages apart`() throws {
        try check("inbox") { Family.inbox.lines($0, isColoured: false) }
    }

    @Test func `what one said is listed with its hearers`() throws {
        try check("said") { Family.said.lines($0) + ["", Help.text(of: .say, width: $0)] }
    }

    @Test func `sharing is told by its rules, by people and by what a change did`() throws {
        try check("sharing") { width in
            Family.sharing.map { Plain.wrapped($0, width, indent: 2) } + ["", Help.text(of: .sharing, width: width)]
        }
    }

    @Test func `a family is given another name`() throws {
        try check("family") { width in
            [
                Plain.wrapped(phrase("family.renamed", ["name": "The Elms by the river"]), width, indent: 0), "",
                Help.text(of: .family, width: width),
            ]
        }
    }

    @Test func `the tail speaks of everything that happens`() throws {
        try check("tail") { width in
            var names = Family.names
            return Family.events.map { event in
                names.learn(event.data)
                let time = LocalTime.short(event.at, now: Family.now)
                let sentence = Sentence.of(event, names, now: Family.now)
                return Plain.wrapped("\(time) \(sentence)", width, indent: time.count + 1)
            }
        }
    }

    @Test func `status is one screen`() throws {
        try check("status") { width in
            let status: JSON = [
                "version": "0.1.0", "startedAt": "2026-11-17T10:00:00.000Z",
                "clients": ["webSocket": 3, "lines": 1, "serverSentEvents": 2, "ndjson": 1, "http": 2, "unix": 1],
                "followers": ["count": 7, "behindMax": 1200, "behindSum": 1230, "secondsBehindMax": 95],
                "log": ["rows": 812, "bytes": 301_223],
                "disk": ["databaseBytes": 401_408, "walBytes": 32_768, "freeBytes": 0, "isShort": true],
                "certificate": ["notAfter": "2026-12-02T00:00:00.000Z", "isOwn": true],
            ]
            return StatusScreen(status, address: "unix:/run/kinwire/kinwire.sock", now: Family.now)
                .lines(width, isColoured: false)
        }
    }

    @Test func `help is read as well in a narrow window`() throws {
        try check("help") { width in
            [Help.overview(width: width), "", Help.text(of: .meet, width: width)]
        }
    }

    @Test func `signs for terminals without UTF-8 are as wide as those they stand for`() {
        let lines = Family.screen(.show(people: 6)).lines(80, isColoured: false)
        for line in lines {
            #expect(Plain.columns(Plain.ascii(line)) == Plain.columns(line))
            #expect(Plain.ascii(line).allSatisfy { $0.isASCII || $0.isLetter }, "\(line)")
        }
    }

    @Test func `colours change nothing but colours`() {
        let screen = Family.screen(.show(people: 6))
        let plain = screen.lines(80, isColoured: false)
        let coloured = screen.lines(80, isColoured: true)
        #expect(coloured != plain)
        #expect(coloured.map { $0.replacing(/\u{1B}\[\d+m/, with: "") } == plain)
    }
}
