import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// What handshakes cost, bounded per turn: counted, not timed.
@Suite struct HandshakeStormTests {
    @Test func `in a storm of handshakes a turn takes so many steps, and a follower does not wait for the rest`() throws
    {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        setting.limits.handshakeStepsPerTurnMax = 4
        let box = try Box.family(setting)
        let bystander = try box.line("ben")
        _ = try bystander.result("live.follow")
        let ada = try box.line("ada")
        let storm = try (0..<60).map { _ in
            let client = box.connect(from: Box.remote)
            try client.sayHello()
            return client
        }
        box.network.travel(isWhole: true)
        // One turn takes them in, the next reads their hellos.
        try box.server.turn()
        var steps = box.server.counters.handshakeSteps
        try box.server.turn()
        #expect(box.server.counters.handshakeSteps - steps == 4)
        #expect(box.server.handshakes.count == 56)
        ada.postCall("activity.announce", ["text": "in the storm"])
        box.network.travel(isWhole: true)
        // Read and submitted in one turn, committed, published and written in the next.
        steps = box.server.counters.handshakeSteps
        try box.server.turn()
        box.keeperTurn()
        try box.server.turn()
        bystander.take()
        #expect(bystander.text().contains("\"method\":\"event\""))
        #expect(box.server.counters.handshakeSteps - steps == 8)
        #expect(box.server.handshakes.count == 48, "the storm is still waiting")
        #expect(box.server.counters.limitsHit["handshake_steps"] ?? 0 > 0)
        try box.settle()
        #expect(box.server.handshakes.isEmpty)
        for client in storm { #expect(try client.ask("GET /healthz").status == 200) }
        // The hello, and what ends it; the network cuts one or the other in two.
        #expect(box.server.counters.handshakeSteps <= 180)
    }

    @Test func `a handshake has 10 s, and a byte now and then buys no more`() throws {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        let box = try Box.family(setting)
        let client = box.connect(from: Box.remote)
        for second in 0..<12 {
            client.post([second == 0 ? 0x16 : second == 1 ? 3 : 1])
            try box.advance(seconds: 1)
        }
        #expect(client.isOver)
        #expect(box.server.counters.limitsHit["handshake"] == 1)
    }
}
