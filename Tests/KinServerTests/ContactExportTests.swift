import KinCodec
import KinContacts
import KinKeeper
import KinModel
import Testing

@testable import KinContacts
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// An export of several pieces that is asked for again and again, as a program does that keeps a copy.
@Suite struct ContactExportTests {
    private let box: Box
    private let ada: BoxClient
    private let bearer: String
    private let path = "/api/contacts/export"

    init() throws {
        box = try Box.family()
        ada = try box.line("ada")
        bearer = "Authorization: Bearer \(try box.person("ada").token)"
        for number in 0..<(Limits.contactsPerAnswerMax + 3) { try add(number) }
    }

    private func add(_ number: Int64) throws {
        _ = try ada.result("contact.add", ["lastName": .string("Roth \(number)")])
    }

    @Test func `a long export has a weak validator, and whoever has the file is told so`() throws {
        let client = box.connect()
        let first = try client.ask("GET \(path)", [bearer])
        let tag = try #require(first["ETag"])
        #expect(first.status == 200 && tag.hasPrefix("W/\"") && first["Accept-Ranges"] == "none")
        #expect(first["Content-Length"] == nil && first.text.split(separator: "BEGIN:VCARD").count == 203)
        let again = try client.ask("GET \(path)", [bearer, "If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag)
        let other = try client.ask("GET \(path)", [bearer, "If-None-Match: \"other\", \(tag)"])
        #expect(other.status == 304)
        let head = try client.ask("HEAD \(path)", [bearer])
        #expect(head.status == 200 && head["ETag"] == tag)
        // What changes one contact changes the file.
        try add(1000)
        let since = try client.ask("GET \(path)", [bearer, "If-None-Match: \(tag)"])
        #expect(since.status == 200 && since["ETag"] != tag)
        #expect(since.text.split(separator: "BEGIN:VCARD").count == 204)
    }

    @Test func `a weak validator is no ground for a part, nor for a write`() throws {
        let client = box.connect()
        let tag = try #require(try client.ask("GET \(path)", [bearer])["ETag"])
        let part = try client.ask("GET \(path)", [bearer, "Range: bytes=0-9", "If-Range: \(tag)"])
        #expect(part.status == 200 && part["Content-Range"] == nil)
        #expect(try client.ask("GET \(path)", [bearer, "If-Match: \(tag)"]).status == 412)
    }

    @Test func `who may not read contacts learns nothing from a validator`() throws {
        let client = box.connect()
        let tag = try #require(try client.ask("GET \(path)", [bearer])["ETag"])
        let stranger = try client.ask("GET \(path)", ["If-None-Match: \(tag)"])
        #expect(stranger.status == 401 && stranger["ETag"] == nil)
        let guest = "Authorization: Bearer \(try box.person("gil").token)"
        let refused = try client.ask("GET \(path)", [guest, "If-None-Match: \(tag)"])
        #expect(refused.status == 403 && refused["ETag"] == nil)
    }
}
