import KinModel
import KinSimulation
import Testing

@testable import KinServer

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
