import KinCalendar
import KinModel
import Testing

@testable import KinICal

/// iCalendar's text, in and out.
@Suite struct ComponentTests {
    private static let event = """
        BEGIN:VEVENT\r
        UID:1@example\r
        DTSTART;TZID="Europe/Berlin";X-A=b,"c;d":20261124T180000\r
        SUMMARY:Soup\\, bread\\nand a lo\r
         ng evening\r
        X-APPLE-THING;VALUE=URI;X-TITLE="Main St 1":geo:52.5,13.4\r
        BEGIN:VALARM\r
        TRIGGER:-PT15M\r
        END:VALARM\r
        END:VEVENT\r

        """

    @Test func `a component is read with all it holds, and written as it came`() throws {
        let event = try ICalComponent(Array(Self.event.utf8))
        #expect(event.name == "VEVENT" && event.components.map(\.name) == ["VALARM"])
        #expect(event["SUMMARY"]?.text == "Soup, bread\nand a long evening")
        let start = try #require(event["DTSTART"])
        #expect(start["TZID"] == "Europe/Berlin" && start.parameters.last?.values == ["b", "c;d"])
        #expect(ICalTime(start.value)?.civil.description == "2026-11-24T18:00")
        let again = try ICalComponent(Array(event.text.utf8))
        #expect(again == event)
        #expect(event.text.contains("X-APPLE-THING;VALUE=URI;X-TITLE=\"Main St 1\":geo:52.5,13.4\r\n"))
    }

    @Test func `lines are folded at 75 bytes and never within a character`() throws {
        let long = ICalLine("SUMMARY", text: String(repeating: "Grüße; ", count: 60))
        let text = ICalComponent("VEVENT", [long]).text
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(try ICalComponent(Array(text.utf8))["SUMMARY"]?.text == long.text)
        #expect(ICalLine("X-A", [.init("P", "a\"b\u{7}:c")], value: "x\r\ny").description == "X-A;P=\"ab:c\":xy")
    }

    @Test func `whatever is broken is refused with its place`() {
        for (text, failure) in [
            ("BEGIN:VEVENT\nno line\nEND:VEVENT", ICalComponent.Failure.badLine(2)),
            ("BEGIN:VEVENT\nEND:VTODO", .badNesting), ("BEGIN:VEVENT\n", .badNesting), ("UID:1", .badNesting),
            ("BEGIN:VEVENT\nEND:VEVENT\nBEGIN:VEVENT\nEND:VEVENT", .badNesting),
            (String(repeating: "BEGIN:A\n", count: 9), .badNesting), ("", .badNesting),
            ("BEGIN:VEVENT\nSUMMARY:" + String(repeating: "x", count: 70_000) + "\nEND:VEVENT", .tooLarge),
        ] { #expect(throws: failure) { try ICalComponent(Array(text.utf8)) } }
        #expect(throws: ICalComponent.Failure.notText) { try ICalComponent([0x42, 0xFF, 0x0A]) }
    }

    @Test func `a calendar is cut into its components, whatever pieces it comes in`() throws {
        let large = "BEGIN:VEVENT\r\nX-A:" + String(repeating: "y", count: 70_000) + "\r\nEND:VEVENT\r\n"
        let text =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Our\r\n  house\r\n" + Self.event + large
            + "BEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nEND:STANDARD\nEND:VTIMEZONE\nEND:VCALENDAR\n"
        func pieces(of size: Int) -> [ICalStream.Piece] {
            var stream = ICalStream()
            var all: [ICalStream.Piece] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                stream.take(bytes[start..<min(bytes.count, start + size)]) { all.append($0) }
            }
            stream.take([], isEnd: true) { all.append($0) }
            return all
        }
        let whole = pieces(of: 1_000_000)
        #expect(whole.count == 5 && whole == pieces(of: 1) && whole == pieces(of: 4096))
        #expect(whole[1] == .line(try #require(ICalLine("X-WR-CALNAME:Our house"))))
        guard case .component(let event) = whole[2] else { return #expect(Bool(false)) }
        #expect(try ICalComponent(event) == ICalComponent(Array(Self.event.utf8)))
        #expect(whole[3] == .tooLarge("VEVENT"))
    }

    @Test func `times and durations are read and written`() {
        #expect(ICalTime("20261124")?.isDate == true && ICalTime("20261124T180000Z")?.isUTC == true)
        #expect(ICalTime("20261124T180000")?.description == "20261124T180000")
        for text in ["", "20261340", "2026112", "20261124T18", "20261124T250000", "20260230"] {
            #expect(ICalTime(text) == nil, "\(text)")
        }
        for (text, seconds) in [("-PT15M", -900), ("P1W", 604_800), ("P1DT2H3M4S", 93_784), ("PT0S", 0)] {
            #expect(ICalText.seconds(ofDuration: text) == seconds)
            #expect(ICalText.duration(seconds: seconds) == text)
        }
        #expect(ICalText.seconds(ofDuration: "soon") == nil)
        #expect(ICalText.parts("a\\,b,c") == ["a\\,b", "c"])
    }
}
