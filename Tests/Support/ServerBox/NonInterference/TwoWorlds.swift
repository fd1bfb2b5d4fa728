import Glibc
import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Synchronization

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinSimulation

/// Two worlds of one seed: one in which something hidden happens, and the quiet one. Clock and randomness are the same,
/// and so is everything that everybody may see.
enum TwoWorlds {
    typealias Sights = [String: [Watcher.Sight]]

    private static let quiet = Mutex<[[UInt64]: Sights]>([:])

    /// What everybody gets in the world in which nothing hidden happens.
    static func quietWorld(seed: UInt64, lasting seconds: Int = 30) throws -> Sights {
        let key = [seed, UInt64(seconds)]
        if let known = quiet.withLock({ $0[key] }) { return known }
        let made = try world(seed: seed, hiddenFrom: Secret.everybody, lasting: seconds) { _ in }
        quiet.withLock { $0[key] = made }
        return made
    }

    /// What everybody gets in a world in which something happens. Who may know of it could also do something about it,
    /// so only the others try.
    ///
    /// - Parameter isFull: Everybody takes all the room there is, at the end.
    /// - Parameter fault: Done to every commit while the act lasts and until it is quiet again.
    static func world(
        seed: UInt64, hiddenFrom: Set<String>, lasting seconds: Int = 30, registry: Registry = .family,
        isFull: Bool = false, fault: (@Sendable (inout Commit) -> Void)? = nil,
        _ act: (Stage) throws -> Void
    ) throws -> Sights {
        let stage = try Stage(seed: seed, registry: registry)
        let box = stage.box
        let watchers = try Stage.observers.map { try Watcher($0, stage) }
        box.fault = fault
        // Whatever a secret uses of it, the randomness is the same before and after; time passes alike.
        box.reseed(seed &+ 1)
        try act(stage)
        for _ in 0..<2 { try box.advance(seconds: seconds / 2) }
        box.fault = nil
        box.reseed(seed &+ 2)
        for watcher in watchers { try watcher.comeBack("when all is quiet") }
        try seenByAll(stage)
        for watcher in watchers { watcher.look("to the end") }
        for watcher in watchers { try watcher.comeBack("later") }
        for watcher in watchers { try watcher.ask() }
        for watcher in watchers { try watcher.publish() }
        for watcher in watchers { try watcher.mark() }
        for (index, watcher) in watchers.enumerated() where hiddenFrom.contains(watcher.name) {
            // Others try in one world and not in another: the secrets that each is given are to be the same.
            box.reseed(seed &+ 1000 &+ UInt64(index))
            try watcher.attempt()
        }
        box.reseed(seed &+ 2000)
        for watcher in watchers { try watcher.grow() }
        if isFull {
            for (index, watcher) in watchers.enumerated() {
                // Who may know of the secret tried nothing before; the secrets that others are given are to be the same.
                box.reseed(seed &+ 3 &+ UInt64(index))
                try watcher.growFull()
                let answers = watcher.answersAboutRoom
                guard
                    Secret.guests.contains(watcher.name) || watcher.name == Stage.wall
                        || answers.done > 5 && answers.refused > 3
                else {
                    throw Stage.Refused(
                        method: "growing", answer: "\(watcher.name) did not come to the end: \(answers)")
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: watchers.map { ($0.name, $0.seen) })
    }

    /// What happens in both worlds, so that cursors and streams go on; at different times, so that nothing is ordered by
    /// random bits.
    private static func seenByAll(_ stage: Stage) throws {
        stage.dice = Dice(seed: 5)
        func next() throws { try stage.box.advance(seconds: 1) }
        for name in ["ada", "gus"] {
            let member = JSON.id(try stage.id(name))
            try stage.does(name, "member.update", ["member": member, "displayName": .string(name + " the Great")])
            try next()
        }
        try stage.does("ada", "activity.announce", ["text": "dinner"])
        try next()
        try stage.does("hal", "sharing.set", ["state": "on"])
        try next()
        try stage.meeting("hal", "public", ["gil"])
        try next()
        let meeting = try stage.meeting("hal", "group", ["gus", "ada"])["meeting"]?["id"] ?? .null
        try next()
        try stage.does("gus", "meeting.refuse", ["meeting": meeting, "reason": "No."])
        let at = Instant(milliseconds: stage.box.time.wallMilliseconds())
        try stage.does("hal", "position.report", ["lat": 50, "lon": 8, "at": .time(at)])
    }

    /// The first difference; `nil` when there is none.
    static func difference(_ first: [Watcher.Sight]?, _ second: [Watcher.Sight]?) -> String? {
        guard let first, let second else { return "nobody looked" }
        for (one, other) in zip(first, second) where one != other {
            let start = zip(one.bytes, other.bytes).prefix { $0 == $1 }.count
            let from = max(0, start - 120)
            func excerpt(_ sight: Watcher.Sight) -> String {
                String(decoding: sight.bytes[from..<min(sight.bytes.count, start + 160)], as: UTF8.self)
                    .replacing("\n", with: "␊")
            }
            return "\(one.of): …\(excerpt(one))… against \(other.of): …\(excerpt(other))…"
        }
        return first.count == second.count ? nil : "\(first.count) answers against \(second.count)"
    }

    /// How many events of a type somebody was told of.
    static func count(_ type: String, _ sights: [Watcher.Sight]?) -> Int {
        count(of: "\"type\":\"\(type)\"", in: sights)
    }

    /// How often somebody was told these bytes.
    static func count(of text: String, in sights: [Watcher.Sight]?) -> Int {
        let sought = Array(text.utf8)
        return (sights ?? []).reduce(0) { count, sight in count + times(sought, in: sight.bytes) }
    }

    /// Byte by byte: the library's own search takes a quarter of the time of all these tests.
    private static func times(_ sought: [UInt8], in bytes: [UInt8]) -> Int {
        var (count, at) = (0, 0)
        while at + sought.count <= bytes.count {
            var same = 0
            while same < sought.count, bytes[at + same] == sought[same] { same += 1 }
            count += same == sought.count ? 1 : 0
            at += same == sought.count ? same : 1
        }
        return count
    }
}
