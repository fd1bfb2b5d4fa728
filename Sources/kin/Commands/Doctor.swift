import KinClient
import KinCodec
import KinLoop
import KinModel

extension Command {
    static let doctor = Command(
        name: "doctor", summary: "check that everything is well", usage: ["doctor [--as MEMBER]"],
        details: """
            Checks the daemon, its database, pictures, folder, disk, certificate and clock, and, as a member, that the
            snapshot kept at the last run with every event since equals a fresh snapshot. A line a check; exit code 1 when
            one failed.
            """,
        words: 0...0,
        run: { (call) throws(Problem) in
            let checks = try Examination(call).run()
            if call.wantsJSON { call.output.say(["checks": .array(checks.map(\.json))]) }
            for check in checks where !call.wantsJSON {
                let colour = ["ok": "32", "warning": "33", "failed": "31"][check.state.rawValue] ?? "2"
                let state = call.output.styled(Plain.padded(check.state.rawValue, 8), colour)
                call.output.say("\(state) \(Plain.padded(check.name, 18)) \(Plain.line(check.sentence))")
            }
            let failed = checks.count { $0.state == .failed }
            guard failed == 0 else {
                throw .failed(failed == 1 ? "One check failed; see what to do beside it." : "\(failed) checks failed.")
            }
        })
}

/// The checks of `kin doctor`, in order.
private struct Examination {
    private let call: Invocation
    private let door: Door

    init(_ call: Invocation) throws(Problem) {
        self.call = call
        door = try call.door()
    }

    func run() throws(Problem) -> [Check] {
        var checks: [Check] = []
        _ = try call.talk()
        checks.append(.ok("daemon", "Answers at \(door.address)."))
        checks += try family()
        checks += try certificateAndClock()
        guard let username = door.username else {
            checks.append(.skipped(FoldCheck.name, "Needs a member: kin doctor --as MEMBER."))
            return checks
        }
        checks.append(try FoldCheck(door, username: username).run())
        return checks
    }

    /// What the daemon finds out about itself.
    private func family() throws(Problem) -> [Check] {
        let result: JSON
        do throws(Problem) { result = try call.call("family.check", timeoutMilliseconds: 600_000) } catch {
            guard error.exit == .refused else { throw error }
            return [.skipped("database", "Only an admin may have the daemon check itself.")]
        }
        let problems = (result["problems"]?.array ?? []).compactMap(\.string)
        var checks = problems.map { Check.failed("house", $0) }
        if checks.isEmpty { checks = [.ok("house", "Database, pictures, folder and disk are as they should be.")] }
        return checks
    }

    private func certificateAndClock() throws(Problem) -> [Check] {
        var checks: [Check] = []
        let answer = try client { () throws(ClientFailure) in
            try WebConversation(over: Wire.open(door.address, trust: door.trust)).ask(.get, "/ca.crt")
        }
        let now = LocalTime.now
        checks.append(clock(answer.head.headers["Date"], now: now))
        guard answer.head.status == 200 else {
            checks.append(.ok("certificate", "The family uses a certificate that others vouch for."))
            return checks
        }
        guard let authority = PinnedAuthority(answer.body), let until = try? authority.goodUntil else {
            checks.append(.failed("certificate", "The root at /ca.crt cannot be read; look into the data folder."))
            return checks
        }
        if until < now {
            checks.append(
                .failed("certificate", "The root ended on \(LocalTime.long(until)); set the clock or found a new one."))
        } else {
            checks.append(
                .ok("certificate", "Root good until \(LocalTime.long(until)), SHA-256 \(authority.fingerprint)"))
        }
        return checks
    }

    private func clock(_ date: String?, now: Instant) -> Check {
        guard now.milliseconds > 1_735_689_600_000 else {
            return .failed("clock", "This machine's clock says \(LocalTime.long(now)); set it (timedatectl).")
        }
        guard let date, let daemon = Self.instant(ofDate: date) else {
            return .ok("clock", "Says \(LocalTime.long(now)).")
        }
        let apart = now.milliseconds(since: daemon).magnitude / 1000
        guard apart > 30 else { return .ok("clock", "Says \(LocalTime.long(now)), as the daemon's does.") }
        let span = Words.span(seconds: Int64(apart))
        return .warning("clock", "The daemon's clock is \(span) apart from this one; set both by NTP.")
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    private static func instant(ofDate text: String) -> Instant? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.split(separator: " ")
        guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
        return Instant("\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(words[1])T\(words[4])Z")
    }
}
