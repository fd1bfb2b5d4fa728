import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// The keeper's secrets are others.
private typealias Secret = KinServerBox.Secret

/// Where in its cells somebody is, how fast and how sure, makes no difference to those who see cells: two worlds in which
/// Mo goes through the same cells at the same times give them the same bytes, over every transport, in every answer.
@Suite struct CoarseTests {
    /// A walk by the seed's dice; where in each cell, and everything else a phone says, by `inside`.
    private static func walk(_ stage: Stage, seed: UInt64, inside: UInt64, _ precision: String) throws {
        var dice = Dice(seed: seed)
        var jitter = Dice(seed: inside)
        func within(_ low: Double, _ high: Double) -> Double {
            low + (high - low) * (0.02 + 0.96 * Double(jitter.below(1000)) / 1000)
        }
        let named = try ["gil", "gus"].map {
            ["viewer": .id(try stage.id($0)), "precision": .string(precision), "history": true] as JSON
        }
        let rules: JSON = .array(
            [["viewer": "everyone", "precision": .string(precision), "history": true]] + named)
        try stage.does("mo", "sharing.set", ["state": "on", "rules": rules])
        var (row, column) = (Int64(15_800), Int64(12_000))
        for _ in 0..<14 {
            // Every other at about what can be flown, where exact points and cells are doubted one without the other.
            let seconds = dice.once(in: 2) ? 4 + dice.below(16) : 90 + dice.below(400)
            let stride = seconds < 90 ? Int64(seconds / 4 + dice.below(3)) : dice.once(in: 5) ? 4 : 1
            row += (Int64(dice.below(3)) - 1) * stride
            column += (Int64(dice.below(3)) - 1) * stride
            try stage.box.advance(seconds: seconds)
            let at = Instant(milliseconds: stage.box.time.wallMilliseconds())
            let width = 360 / Double(Cell.columns(inRow: row))
            let point: JSON = [
                "lat": .double(within(-90 + Double(row) * 0.009, -90 + Double(row + 1) * 0.009)),
                "lon": .double(within(-180 + Double(column) * width, -180 + Double(column + 1) * width)),
                "at": .time(at), "accuracy": .double(within(0, 50)), "speed": .double(within(0, 40)),
                "course": .double(within(0, 359)), "altitude": .double(within(0, 900)),
                "battery": .double(within(0, 100)),
            ]
            try stage.does("mo", "position.report", point)
        }
    }

    private static func world(_ seed: UInt64, inside: UInt64, _ precision: String) throws -> TwoWorlds.Sights {
        try TwoWorlds.world(seed: seed, hiddenFrom: Secret.everybody) {
            try walk($0, seed: seed, inside: inside, precision)
        }
    }

    @Test(arguments: 300..<303 as Range<UInt64>)
    func `who sees cells cannot tell two walks through the same cells apart`(
        seed: UInt64
    ) throws {
        let one = try Self.world(seed, inside: 1, "coarse")
        let other = try Self.world(seed, inside: 2, "coarse")
        for observer in Stage.observers {
            let difference = TwoWorlds.difference(one[observer], other[observer])
            #expect(difference == nil, "seed \(seed), \(observer)")
            let cells = TwoWorlds.count(of: "\"precision\":\"coarse\"", in: one[observer])
            #expect(cells > 0, "\(observer) saw no cell, so that nothing was compared")
        }
    }

    @Test func `who sees all can`() throws {
        let one = try Self.world(300, inside: 1, "exact")
        let other = try Self.world(300, inside: 2, "exact")
        for observer in Stage.observers {
            #expect(TwoWorlds.difference(one[observer], other[observer]) != nil, "\(observer)")
        }
    }
}
