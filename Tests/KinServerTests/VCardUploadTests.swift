import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// A file of vCards at the daemon's door, as a phone or a script sends it: raw, by `POST`.
@Suite struct VCardUploadTests {
    private let box: Box
    private let bearer: String

    init() throws {
        box = try Box.family()
        bearer = "Authorization: Bearer \(try box.person("ada").token)"
    }

    private func send(_ headers: [String], _ pieces: [[UInt8]]) throws -> BoxClient {
        let client = box.connect()
        let lines = (["Host: box.local", bearer, "Content-Type: text/vcard"] + headers).map { $0 + "\r\n" }.joined()
        client.post("POST /api/contacts/import HTTP/1.1\r\n\(lines)\r\n")
        for piece in pieces where !client.isOver {
            client.post(piece)
            try box.settle()
        }
        try box.settle()
        return client
    }

    private func contacts() throws -> Int {
        try box.connect().ask("GET /api/contacts?limit=200", [bearer]).json?["contacts"]?.array?.count ?? -1
    }

    private static func card(_ lines: String...) -> [UInt8] {
        Array((["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8)
    }

    @Test func `each entry is reported on, and what is wrong with one stops no other`() throws {
        let bomb = String(repeating: "QUJD", count: 250_000)
        let latin = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:J".utf8) + [0xF6] + Array("rg\r\nEND:VCARD\r\n".utf8)
        let file =
            Self.card("FN:Nora Roth", "TEL;TYPE=CELL:+49 171 1")
            + Self.card("FN:Bomb", "PHOTO;ENCODING=b;TYPE=JPEG:\(bomb)")
            + latin + Self.card("FN:Lost fold", "NOTE:long", "lost its blank")
            + Self.card("FN:Choir", "KIND:group") + Self.card("NOTE:nobody")
        let client = try send(["Content-Length: \(file.count)"], [file])
        let answer = try #require(client.responses().first)
        #expect(answer.status == 200)
        let entries = answer.json?["entries"]?.array ?? []
        #expect(
            entries.map { $0["outcome"]?.string } == ["added", "added", "added", "added", "refused", "added"],
            "\(entries)")
        #expect(entries.map { $0["number"]?.int } == [1, 2, 3, 4, 5, 6])
        let remarks = entries.map { ($0["remarks"]?.array ?? []).compactMap(\.string).joined(separator: " ") }
        #expect(remarks[0].isEmpty && !remarks[1].isEmpty && remarks[2].contains("Windows-1252"), "\(remarks)")
        #expect(remarks[3].contains("lost its blank") && remarks[4].contains("list of others"), "\(remarks)")
        #expect(try contacts() == 5)
    }

    @Test func `fifty megabytes are refused by what they say they are, and nothing of them is taken`() throws {
        let client = try send(["Content-Length: 52428800"], [])
        let answer = try #require(client.responses().first)
        #expect(answer.status == 413)
        #expect(answer.json?["detail"]?.string?.isEmpty == false, "\(answer)")
        #expect(try contacts() == 0)
    }

    @Test func `fifty megabytes that do not say so are refused where they become too many`() throws {
        let card = Self.card("FN:Nora Roth", "NOTE:" + String(repeating: "x", count: 900))
        let piece = Array(repeating: card, count: 100).flatMap(\.self)
        let chunk = Array((String(piece.count, radix: 16) + "\r\n").utf8) + piece + Array("\r\n".utf8)
        let count = (50 << 20) / piece.count
        let client = try send(["Transfer-Encoding: chunked"], Array(repeating: chunk, count: count))
        #expect(try client.responses().map(\.status) == [413])
        #expect(try contacts() == 0)
        #expect(box.server.hall.bodyRoom.bytes == 0 && box.server.requestsInFlight == 0)
    }

    @Test(arguments: [0, 1, 40_000, 75_000])
    func `a file that is cut off is not taken at all`(count: Int) throws {
        let file = (0..<800).flatMap { Self.card("FN:Nora \($0)", "NOTE:" + String(repeating: "x", count: 40)) }
        let client = try send(["Content-Length: \(file.count)"], [Array(file.prefix(count))])
        client.leave(isRude: true)
        try box.settle()
        #expect(try contacts() == 0)
        #expect(box.server.hall.bodyRoom.bytes == 0 && box.server.requestsInFlight == 0)
        // Sent again it is taken whole, and a third time it is known.
        for outcome in ["added", "same"] {
            let again = try send(["Content-Length: \(file.count)"], [file])
            let entries = try #require(again.responses().first?.json?["entries"]?.array)
            #expect(entries.count == 800 && entries.allSatisfy { $0["outcome"]?.string == outcome })
        }
    }
}
