import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// A family's daemon under attack: strangers from an address outside, Ben who follows through all of it and must miss
/// nothing, and the most bytes that were held at the end of any turn.
final class Siege {
    let box: Box
    let bystander: BoxClient
    private let ada: BoxClient
    private var announced = 0
    /// What was held before anybody came.
    private let before: Int
    /// The most that was held at the end of a turn, above ``before``.
    private(set) var peakBytes = 0

    init(_ change: (inout Box.Setting) -> Void = { _ in }) throws {
        var setting = Box.Setting(allowPlain: ["203.0.113.0/24"])
        setting.tls = PlainTextTests.tls
        change(&setting)
        box = try Box.family(setting)
        ada = try box.line("ada")
        bystander = try box.line("ben")
        _ = try bystander.result("live.follow")
        before = HeldBytes.of(box.server)
        box.afterTurn = { [unowned self] in peakBytes = max(peakBytes, HeldBytes.of(box.server) - before) }
    }

    /// Somebody from outside.
    func stranger(_ host: UInt32 = 7) -> BoxClient {
        box.connect(from: .tcp(IPAddress(v4: 0xCB00_7100 + host), port: 40_000))
    }

    /// Somebody from outside who says something at once.
    func stranger(_ host: UInt32 = 7, says text: String) -> BoxClient {
        let client = stranger(host)
        client.post(text)
        return client
    }

    /// Hal on a WebSocket from outside, who means no good.
    func hal(room: Int = 1 << 20) throws -> BoxClient {
        let client = box.connect(from: Box.remote, room: room)
        let bearer = "Authorization: Bearer \(try box.person("hal").token)"
        #expect(try client.openWebSocket([bearer]).status == 101)
        return client
    }

    /// Time passes, second by second; each second somebody may do something, and every tenth Ada says a word to all.
    func endure(seconds: Int, _ act: (Int) throws -> Void = { _ in }) throws {
        for second in 0..<seconds {
            try act(second)
            if second % 10 == 0 { try announce() }
            try box.advance(seconds: 1)
        }
    }

    /// Ada says a word to all.
    func announce(bytes: Int = 0) throws {
        let text = "word \(announced) " + String(repeating: "x", count: bytes)
        _ = try ada.result("activity.announce", ["text": .string(text)])
        _ = try ada.messages()
        announced += 1
    }

    /// How often a limit was reached.
    func hits(_ limit: String) -> Int { box.server.counters.limitsHit[limit, default: 0] }

    /// Ben has everything, in order, once, and is still there.
    func expectBystanderUnharmed(_ location: SourceLocation = #_sourceLocation) throws {
        try announce()
        let texts = try bystander.heard().compactMap { $0["params"]?["data"]?["text"]?.string }
        let numbers = texts.map { Int($0.split(separator: " ")[1]) }
        #expect(numbers == Array(0..<announced), sourceLocation: location)
        #expect(!bystander.isOver, sourceLocation: location)
    }
}
