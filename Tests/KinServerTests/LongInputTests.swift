import KinKeeper
import KinModel
import KinSimulation
import Testing

@testable import KinKeeper
@testable import KinServer
@testable import KinServerBox

/// Messages and bodies that a worker parses.
@Suite struct LongInputTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func points(_ count: Int) -> JSON {
        .array(
            (0..<count).map { index in
                [
                    "lat": .double(48 + Double(index) / 10_000), "lon": 16.4,
                    "at": .time(Instant(milliseconds: box.time.wallMilliseconds() - Int64(count - index) * 1000)),
                ]
            })
    }

    @Test func `a long line waits for its parser, and what came after it for its turn`() throws {
        let client = try box.line("ada")
        box.isReaderBusy = true
        let long = client.postCall("position.report", ["positions": points(400)])
        let short = client.postCall("family.show")
        try box.settle()
        #expect(try client.messages().isEmpty)
        // Nobody else waits.
        #expect(try box.line("ben").result("family.show")["family"] != nil)
        box.isReaderBusy = false
        try box.settle()
        #expect(try client.messages().map { $0["id"]?.int } == [long, short])
    }

    @Test(arguments: [3_000, 15_000])
    func `a picture of a few kilobytes is parsed by a worker too, and what commands usually are by the loop`(
        characters: Int
    ) throws {
        let client = try box.line("gil")
        box.isReaderBusy = true
        box.isPainterBusy = true
        let picture = String(repeating: "AAAA", count: characters / 4)
        client.postCall("member.setPicture", ["member": .id(try box.person("gil").id), "picture": .string(picture)])
        try box.settle()
        // What is parsed has come as far as the picture's worker.
        #expect(box.server.workers.picturesWaiting == (characters > 4096 ? 0 : 1))
        box.isReaderBusy = false
        box.isPainterBusy = false
        try box.settle()
        #expect(try client.messages().count { $0["result"] != nil } == 1)
    }

    @Test func `a text without spaces is judged by each of its characters, wherever it stands`() {
        let plain = Array(repeating: UInt8(ascii: "A"), count: 100)
        for place in plain.indices {
            for byte in UInt8.min...0x7F {
                var bytes = plain
                bytes[place] = byte
                #expect(Text.isPlainASCII(String(decoding: bytes, as: UTF8.self)) == (0x21...0x7E).contains(byte))
            }
            let letter = String(decoding: plain[..<place], as: UTF8.self) + "ä"
            #expect(!Text.isPlainASCII(letter))
        }
    }

    @Test func `a long WebSocket message is the same`() throws {
        let client = box.connect()
        _ = try client.openWebSocket(["Authorization: Bearer \(try box.person("ada").token)"])
        let answer = try client.result("position.report", ["positions": points(400)])
        #expect(answer["position"]?["lat"] == .double(48 + 399.0 / 10_000))
    }

    @Test func `a long line of nonsense is refused by its place, and the next one is taken`() throws {
        let client = try box.line("ada")
        try client.send("{" + String(repeating: " ", count: 20_000) + "nonsense\n")
        #expect(try client.messages().compactMap { $0["error"]?["code"]?.int } == [-32700])
        try client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no.such\",\"params\":{\"x\":\"")
        try client.send(String(repeating: "x", count: 20_000) + "\"}}\n")
        #expect(try client.messages().compactMap { $0["error"]?["code"]?.int } == [-32601])
        #expect(try client.result("family.show")["family"] != nil)
    }

    @Test func `a client that says no more is answered, and one that is gone is not missed`() throws {
        let client = try box.line("ada")
        box.isReaderBusy = true
        client.postCall("position.report", ["positions": points(400)])
        let gone = try box.line("ben")
        gone.postCall("position.report", ["positions": points(400)])
        try box.settle()
        gone.leave(isRude: true)
        box.network.clientLeaves(client.token, isRude: false)
        try box.settle()
        box.isReaderBusy = false
        try box.settle()
        #expect(try client.messages().compactMap { $0["result"]?["position"] }.count == 1)
        #expect(try box.line("ben").result("family.show")["family"] != nil)
    }

    @Test func `a long body over HTTP is parsed elsewhere, and a wrong one refused`() throws {
        let token = try box.person("ada").token
        let headers = ["Authorization: Bearer \(token)", "Content-Type: application/json"]
        let client = box.connect()
        let body = String(decoding: points(400).bytes, as: UTF8.self)
        #expect(try client.ask("POST /api/positions", headers, body).status == 200)
        #expect(try client.ask("POST /api/positions", headers, body + "]").status == 400)
        #expect(try client.ask("GET /api/family", headers).status == 200)
        #expect(try box.rows("positions") == 400)
    }
}
