import Testing

@testable import KinServer
@testable import KinServerBox

/// Byte by byte through the whole server: what might mean one thing here and another thing elsewhere is refused with its
/// status, the connection ends, and nothing behind it is read as a request.
@Suite struct RefusalTests {
    /// What came back to a connection.
    private struct Answer: Equatable {
        var bytes: [UInt8] = []
        var isOver = false
    }

    /// What comes back for bytes in pieces.
    private func answer(_ box: Box, _ pieces: [ArraySlice<UInt8>]) throws -> Answer { try answers(box, [pieces])[0] }

    /// The same for many connections, each with its own pieces; the first pieces of all go first, and so on.
    private func answers(_ box: Box, _ pieces: [[ArraySlice<UInt8>]]) throws -> [Answer] {
        let clients = pieces.map { _ in box.connect() }
        for round in 0..<(pieces.map(\.count).max() ?? 0) {
            for (client, pieces) in zip(clients, pieces) where round < pieces.count {
                client.post(Array(pieces[round]))
            }
            try box.settle()
        }
        defer { for client in clients { client.leave() } }
        return clients.map { Answer(bytes: $0.receive(), isOver: $0.isOver) }
    }

    private func expectEveryCut(_ box: Box, _ bytes: [UInt8], like whole: Answer, _ name: String) throws {
        #expect(try answer(box, bytes.indices.map { bytes[$0...$0] }) == whole, "\(name), byte by byte")
        let cuts = (1..<bytes.count).map { [bytes[..<$0], bytes[$0...]] }
        let different = zip(1..., try answers(box, cuts)).filter { $0.1 != whole }
        for (cut, answer) in different.prefix(1) {
            Issue.record("\(name), cut at \(cut): \(String(decoding: answer.bytes, as: UTF8.self))")
        }
    }

    private func expectRefusal(_ bytes: [UInt8], _ status: Int) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(60))")
        #expect(text.matches(of: #/HTTP/1.1 \d\d\d /#).count == 1, "nothing behind it is answered")
        #expect(text.contains("\r\nConnection: close\r\n") && text.contains("\r\nDate: "))
        #expect(text.contains("\r\nContent-Type: application/problem+json\r\n"))
    }

    @Test(arguments: Refused.cases.indices)
    func `is refused with its status and an end, at whatever place it is cut`(index: Int) throws {
        let (name, status, text) = Refused.cases[index]
        let bytes = Array((text + Refused.smuggled).replacing("¦", with: "\r\n").utf8)
        let box = try Box()
        let whole = try answer(box, [bytes[...]])
        try expectRefusal(whole.bytes, status)
        #expect(whole.isOver)
        try expectEveryCut(box, bytes, like: whole, name)
    }

    @Test(arguments: Refused.long.indices)
    func `what is too long is refused, however it arrives`(index: Int) throws {
        let (_, status, text) = Refused.long[index]
        let bytes = Array((text + Refused.smuggled).replacing("¦", with: "\r\n").utf8)
        let box = try Box()
        for size in [bytes.count, 4096, 97] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            let refused = try answer(box, pieces)
            try expectRefusal(refused.bytes, status)
            #expect(refused.isOver)
        }
    }

    @Test func `what came before it is answered first, in order`() throws {
        let box = try Box()
        let ask = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: box.local\r\n\r\n" }
        let client = box.connect()
        try client.send(
            ask("/healthz") + ask("/api/nothing") + "HEAD /healthz HTTP/1.1\r\nHost: box.local\r\n\r\n"
                + "GET / HTTP/1.1\r\nHost : x\r\n\r\n" + ask("/healthz"))
        let statuses = client.text().matches(of: #/HTTP/1.1 (\d+) /#).map { Int($0.output.1) }
        #expect(statuses == [200, 404, 200, 400])
        #expect(client.isOver)
    }

    @Test func `requests in a row are answered the same at whatever place they are cut`() throws {
        let box = try Box.family()
        let bearer = "Authorization: Bearer \(try box.person("ada").token)\r\n"
        let chunked =
            "POST /api/nothing HTTP/1.1\r\nHost: box.local\r\nTransfer-Encoding: chunked\r\n\r\n2;a=\"b\"\r\n{}\r\n0\r\nX: y\r\n\r\n"
        let bytes = Array(
            ("GET /api/sharing HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\n"
                + "HEAD /healthz HTTP/1.1\r\nHost: box.local\r\n\r\n\r\n" + chunked).utf8)
        let whole = try answer(box, [bytes[...]])
        #expect(whole.bytes.count > 300)
        try expectEveryCut(box, bytes, like: whole, "requests in a row")
    }
}
