import KinKeeper
import KinModel
import KinServer
import KinStore

/// The checker of the clock: what is deleted, ended or dated by a time that is not the true one.
extension SimulatedDaemon {
    /// What may go only when somebody says so, or when its time has come.
    struct Belongings {
        var points: Set<[Int64]> = []
        var sessions: Set<Identifier> = []
        /// Guest links, and sharing that is on: when each ends.
        var ends: [String: Instant] = [:]
        /// Open meetings: their deadlines, and of those that are not past the ends.
        var deadlines: [Identifier: Instant] = [:]
        var meetings: [Identifier: Instant] = [:]
    }

    /// What the clocks say; with the fault, what a kernel says that calls every clock right.
    var reading: ClockReading {
        let reading = ClockReading(world.time)
        guard world.fault == .clockBelieved else { return reading }
        return ClockReading(
            wall: reading.wall, sinceBoot: reading.sinceBoot, boot: reading.boot, isSynchronised: true,
            wasSynchronised: true)
    }

    /// As they are on disk; `nil` when they cannot be read.
    var belongings: Belongings? {
        do throws(StoreFailure) {
            var found = Belongings()
            _ = try reader.rows("SELECT track, at, device, lat, lon FROM positions") { row in
                _ = found.points.insert([
                    row.int("track"), row.int("at"), row.int("device"), Int64(bitPattern: row.double("lat").bitPattern),
                    Int64(bitPattern: row.double("lon").bitPattern),
                ])
            }
            _ = try reader.rows("SELECT id FROM sessions") { row in _ = found.sessions.insert(row.identifier(0)) }
            _ = try reader.rows("SELECT id, until FROM guest_links") { row in
                found.ends["link \(row.identifier(0))"] = row.instant(1)
            }
            _ = try reader.rows("SELECT member, until FROM sharing WHERE is_on = 1") { row in
                found.ends["sharing of \(row.identifier(0))"] = row.optionalInstant(1) ?? .latest
            }
            _ = try reader.rows("SELECT id, deadline, state, ends_at FROM meetings WHERE past IS NULL") { row in
                if row.text("state") == "open" {
                    found.deadlines[row.identifier("id")] = min(
                        row.optionalInstant("deadline") ?? .latest, row.instant("ends_at"))
                }
                found.meetings[row.identifier("id")] = row.instant("ends_at")
            }
            return found
        } catch { return nil }
    }

    /// Nothing was lost by the clock alone, nothing is dated later than it was, and what has an end is withheld as long as
    /// nobody knows whether that has come.
    func checkClock(_ commit: Commit, _ requests: [Request], _ before: Belongings?) throws(Finding) {
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
        func asked(_ prefixes: String...) -> Bool {
            requests.contains { request in prefixes.contains { request.method.hasPrefix($0) } }
        }
        if !asked("position.forget", "member.", "sharing.", "family."),
            let lost = before.points.subtracting(after.points).first
        {
            throw found("a point of \(Instant(milliseconds: lost[1])) was deleted, and nobody asked")
        }
        if !asked("session.", "member.", "password.", "family."), !before.sessions.isSubset(of: after.sessions) {
            throw found("a session ended, and nobody asked")
        }
        if !asked("guestLink.", "sharing.", "member.", "household.", "family."),
            let lost = before.ends.first(where: { after.ends[$0.key] == nil && $0.value > latest })
        {
            throw found("the \(lost.key) ended before \(lost.value)")
        }
        if !asked("meeting.", "member.", "household.", "family.") {
            if let lost = before.deadlines.first(where: { after.deadlines[$0.key] == nil && $0.value > latest }) {
                throw found("the meeting \(lost.key) was closed before \(lost.value)")
            }
            if let lost = before.meetings.first(where: { after.meetings[$0.key] == nil && $0.value > latest }) {
                throw found("the meeting \(lost.key) was past before \(lost.value)")
            }
        }
        try checkWithheld()
    }

    private func checkWithheld() throws(Finding) {
        guard keeper.isClockDoubted else { return }
        let seen: Identifier?
        do throws(StoreFailure) {
            seen = try reader.first(
                """
                SELECT s.member FROM sharing s JOIN sharing_versions v ON v.version = s.version
                WHERE s.is_on = 1 AND s.until IS NOT NULL AND ltrim(hex(v.viewers), '0') <> ''
                """
            ) { row in row.identifier(0) }
        } catch { return }
        if let seen {
            throw Finding(checker: "clock", what: "the sharing of \(seen) has an end, is in doubt, and is shown")
        }
    }
}
