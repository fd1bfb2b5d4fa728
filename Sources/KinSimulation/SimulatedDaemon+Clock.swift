import KinKeeper
import KinModel
import KinServer
import KinStore

/// The checker of the clock: what is deleted, ended or dated by a time that is not the true one.
extension SimulatedDaemon {
    /// What the clocks say; with the fault, what a kernel says that calls every clock right.
    var reading: ClockReading {
        let reading = ClockReading(world.time)
        guard world.fault == .clockBelieved else { return reading }
        return ClockReading(
            wall: reading.wall, sinceBoot: reading.sinceBoot, boot: reading.boot, isSynchronised: true,
            wasSynchronised: true)
    }

    /// As they are on disk; `nil` when they cannot be read.
    var belongings: [Belongings]? {
        do throws(StoreFailure) {
            var found: [Belongings] = []
            for area in world.areas { found += try area.belongings(self) }
            return found
        } catch { return nil }
    }

    /// Nothing was lost by the clock alone, nothing is dated later than it was, and what has an end is withheld as long as
    /// nobody knows whether that has come.
    func checkClock(_ commit: Commit, _ requests: [Request], _ before: [Belongings]?) throws(Finding) {
        // As far ahead a clock may be that is not doubted.
        let latest = Instant(milliseconds: world.time.trueMilliseconds()).adding(seconds: Limits.clockApartSeconds)
        func found(_ what: String) -> Finding { Finding(checker: "clock", what: what) }
        if let row = commit.events.first(where: { $0.at > latest }) {
            throw found("\(row.type) at \(row.position) is dated \(row.at), and it is \(latest) at most")
        }
        if commit.notes.contains(where: { $0.notable == .clock && $0.sentence.contains("doubted") }) {
            world.tally.doubts += 1
        }
        guard let before, let after = belongings else { return }
        for (before, after) in zip(before, after)
        where !requests.contains(where: { request in before.takers.contains { request.method.hasPrefix($0) } }) {
            if let lost = before.ends.first(where: { after.ends[$0.key] == nil && $0.value > latest }) {
                throw found("\(before.what) \(lost.key) went before \(lost.value), and nobody asked")
            }
        }
        try checkWithheld()
    }

    private func checkWithheld() throws(Finding) {
        guard keeper.isClockDoubted else { return }
        for area in world.areas {
            let seen: String?
            do throws(StoreFailure) { seen = try area.withheld(self) } catch { return }
            if let seen { throw Finding(checker: "clock", what: "\(seen) has an end, is in doubt, and is shown") }
        }
    }
}

/// What may go only when somebody says so, or when its time has come.
struct Belongings {
    /// One of them, for people.
    let what: String
    /// The beginnings of methods that may take it away.
    let takers: [String]
    /// When each may go by itself; ``Instant/latest`` for never.
    var ends: [[Int64]: Instant] = [:]

    /// A key of what has an identifier.
    static func key(_ id: Identifier) -> [Int64] { [Int64(bitPattern: id.high), Int64(bitPattern: id.low)] }
}
