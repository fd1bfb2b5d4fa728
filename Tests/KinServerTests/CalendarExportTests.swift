import KinCalendars
import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// A calendar of several pieces that is asked for again and again, as a program does that keeps a copy.
@Suite struct CalendarExportTests {
    private let box: Box
    private let ada: BoxClient
    private let bearer: String
    private let path = "/api/calendars/export"
    private static let count: Int64 = Limits.entriesPerAnswerMax + 3

    init() throws {
        box = try Box.family()
        ada = try box.line("ada")
        bearer = "Authorization: Bearer \(try box.person("ada").token)"
        for number in 0..<Self.count { try add(number) }
    }

    @discardableResult
    private func add(_ number: Int64) throws -> JSON {
        let made = try ada.result(
            "entry.add", ["subject": .string("Choir \(number)"), "start": "2026-12-01T17:00", "zone": "UTC"])
        return try #require(made["entry"]?["id"])
    }

    private func events(_ text: String) -> Int { text.split(separator: "BEGIN:VEVENT").count - 1 }

    @Test func `a long calendar has a weak validator, and whoever has the file is told so`() throws {
        let client = box.connect()
        let first = try client.ask("GET \(path)", [bearer])
        let tag = try #require(first["ETag"])
        #expect(first.status == 200 && tag.hasPrefix("W/\"") && first["Content-Length"] == nil)
        #expect(events(first.text) == Self.count)
        let again = try client.ask("GET \(path)", [bearer, "If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag)
        // Somebody else sees another calendar, and no state of this one.
        let ben = "Authorization: Bearer \(try box.person("ben").token)"
        let bens = try client.ask("GET \(path)", [ben, "If-None-Match: \(tag)"])
        #expect(bens.status == 200 && bens["ETag"] != tag)
        let new = try add(1000)
        let since = try client.ask("GET \(path)", [bearer, "If-None-Match: \(tag)"])
        #expect(since.status == 200 && events(since.text) == Self.count + 1)
        // What rings for Ada alone is in her file.
        let before = try #require(since["ETag"])
        _ = try ada.result("entry.remind", ["entry": new, "minutes": [15]])
        let rung = try client.ask("GET \(path)", [bearer, "If-None-Match: \(before)"])
        #expect(rung.status == 200 && rung["ETag"] != before && rung.text.contains("TRIGGER:-PT15M"))
    }

    @Test func `the name of a place on the map is part of the file's state for who sees it`() throws {
        let made = try ada.result("place.add", ["name": "Hall", "lat": 52.5, "lon": 13.4, "audience": "everyone"])
        let hall = try #require(made["place"]?["id"])
        let entry = try add(1001)
        _ = try ada.result("entry.update", ["entry": entry, "mapPlace": hall])
        let client = box.connect()
        let first = try client.ask("GET \(path)", [bearer])
        #expect(first.text.contains("LOCATION:Hall\r\n"))
        _ = try ada.result("place.update", ["place": hall, "name": "Old hall"])
        let since = try client.ask("GET \(path)", [bearer, "If-None-Match: \(first["ETag"] ?? "")"])
        #expect(since.status == 200 && since.text.contains("LOCATION:Old hall\r\n"))
    }
}
