import Foundation
import Testing

@testable import kin

/// A calendar file is cut into batches, however long it is and whatever it holds.
@Suite struct CalendarBatchTests {
    private func batches(_ text: String) -> [CalendarBatches.Batch] { batches(Array(text.utf8)) }

    private func batches(_ file: [UInt8]) -> [CalendarBatches.Batch] {
        var cut = CalendarBatches(file)
        var found: [CalendarBatches.Batch] = []
        while let batch = cut.next() { found.append(batch) }
        return found
    }

    private func text(_ batch: CalendarBatches.Batch) -> String { String(decoding: batch.bytes, as: UTF8.self) }

    private func event(_ uid: String, _ more: String = "") -> String {
        "BEGIN:VEVENT\r\nUID:\(uid)\r\n\(more)SUMMARY:\(uid)\r\nEND:VEVENT\r\n"
    }

    private func calendar(_ events: String, head: String = "X-WR-CALNAME:School\r\n") -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(head)\(events)END:VCALENDAR\r\n"
    }

    private static let zone = "BEGIN:VTIMEZONE\r\nTZID:School\r\nBEGIN:STANDARD\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"

    @Test func `a file that fits into one batch is left as it is`() {
        let file = calendar((0..<250).map { event("\($0)") }.joined() + Self.zone)
        let found = batches(file)
        #expect(found.count == 1 && found[0].items == 250 && text(found[0]) == file)
    }

    @Test func `each batch is a calendar with the file's zones, and all events are in one, in their order`() {
        let found = batches(calendar((0..<600).map { event("e\($0)") }.joined() + Self.zone))
        #expect(found.map(\.items) == [250, 250, 100])
        for (index, batch) in found.enumerated() {
            let text = text(batch)
            #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VEVENT\r\nEND:VCALENDAR\r\n"))
            #expect(text.contains(Self.zone) && text.contains("X-WR-CALNAME") == (index == 0))
        }
        let all = found.map(text).joined().split(separator: "\r\n").filter { $0.hasPrefix("UID:") }
        #expect(all.map(String.init) == (0..<600).map { "UID:e\($0)" })
    }

    @Test func `events of one UID go together, however far from each other they stand and however it is folded`() {
        let events = (0..<600).map { event("e\($0)") }
        let late = "BEGIN:VEVENT\r\nuid:e\r\n 3\r\nRECURRENCE-ID:20270301T100000Z\r\nEND:VEVENT\r\n"
        let found = batches(calendar(events.joined() + late))
        #expect(found.map(\.items) == [250, 250, 100])
        #expect(text(found[0]).contains("RECURRENCE-ID") && !text(found[2]).contains("RECURRENCE-ID"))
    }

    @Test func `what is nothing else is an item too, and what breaks off is broken off`() {
        let todo = "BEGIN:VTODO\r\nUID:t\r\nBEGIN:VALARM\r\nUID:a\r\nEND:VALARM\r\nEND:VTODO\r\n"
        let events = (0..<300).map { event("e\($0)") }.joined()
        let found = batches("BEGIN:VCALENDAR\r\n" + todo + events + "BEGIN:VEVENT\r\nUID:x\r\nSUMM")
        #expect(found.map(\.items) == [250, 52])
        #expect(text(found[1]).hasSuffix("BEGIN:VEVENT\r\nUID:x\r\nSUMM\r\n"))
        #expect(batches("").isEmpty && batches("hello").isEmpty && batches("BEGIN:VCALENDAR\nEND:VCALENDAR\n").isEmpty)
        #expect(CalendarBatches(Array("begin:vcalendar\nEND:VCALENDAR".utf8)).isCalendar)
        #expect(!CalendarBatches(Array("<html>".utf8)).isCalendar)
    }

    @Test func `fifty megabytes are batches that each fit into a request, and what is far too long is cut`() {
        let long = "ATTACH:" + String(repeating: "QUJD", count: 100_000) + "\r\n"
        let events = (0..<135).map { event("big\($0)", long) }.joined() + (0..<5000).map { event("e\($0)") }.joined()
        let file = Array(calendar(events).utf8)
        #expect(file.count > 48 << 20)
        var items = 0
        for batch in batches(file) {
            items += batch.items
            // As Base64, with a request around it, it is no longer than a message may be.
            #expect((batch.bytes.count + 2) / 3 * 4 < (1 << 20) - 4096)
            let text = text(batch)
            #expect(
                text.components(separatedBy: "BEGIN:VEVENT").count == text.components(separatedBy: "END:VEVENT").count)
        }
        #expect(items == 5135)
    }
}
