import KinClient
import KinCodec
import KinLoop
import KinModel
import KinWords

extension Command {
    static let doctor = Command(
        name: "doctor", usage: ["doctor [--as MEMBER]"],
        words: 0...0,
        run: { (call) throws(Problem) in
            let checks = try Examination(call).run()
            if call.wantsJSON { call.output.say(["checks": .array(checks.map(\.json))]) }
            for check in checks where !call.wantsJSON {
                let colour = ["ok": "32", "warning": "33", "failed": "31"][check.state.rawValue] ?? "2"
                let state = call.output.styled(check.stateShown, colour)
                let line = check.line(call.output.width)
                call.output.say(state + line.dropFirst(check.stateShown.count))
            }
            let failed = checks.count { $0.state == .failed }
            guard failed == 0 else {
                throw .failed(phrase("doctor.failed", ["n": failed]))
            }
        })
}

/// The checks of `kin doctor`, in order.
struct Examination {
    private let call: Invocation
    private let door: Door

    init(_ call: Invocation) throws(Problem) {
        self.call = call
        door = try call.door()
    }

    func run() throws(Problem) -> [Check] {
        var checks: [Check] = []
        _ = try call.talk()
        checks.append(.ok(phrase("doctor.daemon"), phrase("doctor.answers", ["address": door.address])))
        checks += try family()
        checks += try certificateAndClock()
        checks += try names() + terminal()
        // Only an admin is told about other members, and nothing but this.
        checks += Ringing.checkOthers(call)
        guard let username = door.username else {
            checks.append(.skipped(FoldCheck.name, phrase("doctor.needs-member")))
            return checks
        }
        // A session that waits may not ask this.
        if let devices = try? Ringing.devices(call) { checks.append(Ringing.check(devices, now: LocalTime.now)) }
        checks.append(try FoldCheck(door, username: username).run())
        return checks
    }

    /// The checks that the daemon makes of itself.
    private func family() throws(Problem) -> [Check] {
        let result: JSON
        do throws(Problem) { result = try call.call("family.check", timeoutMilliseconds: 600_000) } catch {
            guard error.exit == .refused else { throw error }
            return [.skipped(phrase("doctor.database"), phrase("doctor.needs-admin"))]
        }
        let problems = (result["problems"]?.array ?? []).compactMap(\.string)
        var checks = problems.map { Check.failed(phrase("doctor.house-name"), Reader.here.refusal($0)) }
        if checks.isEmpty { checks = [.ok(phrase("doctor.house-name"), phrase("doctor.house"))] }
        return checks
    }

    /// The daemon's version and its clock, as it tells them to callers who may know.
    static func daemon(_ status: JSON) -> [Check] {
        var checks: [Check] = []
        if let version = status["version"]?.string, let order = Version.order(of: version, and: Kin.version) {
            let key = order == 0 ? "doctor.version-same" : order < 0 ? "doctor.daemon-older" : "doctor.daemon-newer"
            let sentence = phrase(key, ["daemon": Plain.line(version), "kin": Kin.version])
            checks.append(
                order == 0
                    ? .ok(phrase("doctor.version-name"), sentence) : .warning(phrase("doctor.version-name"), sentence))
        }
        if let clock = status["clock"], clock.object != nil, ClockLine(clock).isDoubted {
            checks.append(.failed(phrase("doctor.daemon-clock-name"), ClockLine(clock).text))
        }
        return checks
    }

    /// Settings by which times may look different from what this terminal's user expects.
    private func terminal() -> [Check] {
        Self.terminal(
            zone: Machine.environment("TZ"), locale: { Machine.environment($0) }, hasZone: LocalTime.zone != nil)
    }

    static func terminal(zone: String?, locale: (String) -> String?, hasZone: Bool) -> [Check] {
        var checks: [Check] = []
        if !hasZone {
            checks.append(
                .warning(phrase("doctor.zone-name"), phrase("doctor.no-zone", ["zone": Plain.line(zone ?? "?")])))
        }
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { locale($0) }.first { !$0.isEmpty } ?? ""
        let bare = name.prefix { $0 != "." && $0 != "@" }
        if !bare.isEmpty, !["C", "POSIX"].contains(bare), Language(name: name) == nil {
            checks.append(
                .warning(phrase("doctor.language-name"), phrase("doctor.no-language", ["locale": Plain.line(name)])))
        }
        return checks
    }

    /// Checks each address that links carry: whether its name can be resolved, whether somebody listens there, and
    /// whether that is this daemon, with its certificate.
    private func names() throws(Problem) -> [Check] {
        // A caller who may not see the status is not told the family's addresses.
        guard let status = try? call.call("daemon.status") else { return [] }
        let daemon = Self.daemon(status)
        let root = try client { () throws(ClientFailure) in try authority() }
        let urls = (status["urls"]?.array ?? []).compactMap(\.string)
        return daemon
            + urls.map { (url) -> Check in
                do throws(ClientFailure) {
                    let address = try Address(url)
                    let answer = try WebConversation(
                        over: Wire.open(address, trust: root.map { .pinned($0.fingerprint) } ?? .system)
                    ).ask(.get, "/healthz", timeoutMilliseconds: 10_000)
                    guard answer.head.status == 200 else {
                        return .failed(url, phrase("doctor.other", ["status": answer.head.status]))
                    }
                    return .ok(url, phrase("doctor.reached"))
                } catch {
                    let reason = Reader.here.failure(error.sentence)
                    return .failed(url, phrase("doctor.unreached", ["reason": reason]))
                }
            }
    }

    /// The family's own root; `nil` if a public authority signed the certificate.
    private func authority() throws(ClientFailure) -> PinnedAuthority? {
        let answer = try WebConversation(over: Wire.open(door.address, trust: door.trust)).ask(.get, "/ca.crt")
        return answer.head.status == 200 ? PinnedAuthority(answer.body) : nil
    }

    private func certificateAndClock() throws(Problem) -> [Check] {
        var checks: [Check] = []
        let answer = try client { () throws(ClientFailure) in
            try WebConversation(over: Wire.open(door.address, trust: door.trust)).ask(.get, "/ca.crt")
        }
        let now = LocalTime.now
        checks.append(clock(answer.head.headers["Date"], now: now))
        guard answer.head.status == 200 else {
            checks.append(.ok(phrase("doctor.certificate-name"), phrase("doctor.vouched")))
            return checks
        }
        guard let authority = PinnedAuthority(answer.body), let until = try? authority.goodUntil else {
            checks.append(.failed(phrase("doctor.certificate-name"), phrase("doctor.bad-root")))
            return checks
        }
        if until < now {
            checks.append(
                .failed(phrase("doctor.certificate-name"), phrase("doctor.root-ended", ["date": LocalTime.long(until)]))
            )
        } else {
            checks.append(
                .ok(
                    phrase("doctor.certificate-name"),
                    phrase("doctor.root", ["date": LocalTime.long(until), "fingerprint": authority.fingerprint])))
        }
        return checks
    }

    private func clock(_ date: String?, now: Instant) -> Check {
        guard now.milliseconds > 1_735_689_600_000 else {
            return .failed(phrase("doctor.clock-name"), phrase("doctor.clock-wrong", ["time": LocalTime.long(now)]))
        }
        guard let date, let daemon = Self.instant(ofDate: date) else {
            return .ok(phrase("doctor.clock-name"), phrase("doctor.clock", ["time": LocalTime.long(now)]))
        }
        let apart = now.milliseconds(since: daemon).magnitude / 1000
        guard apart > 30 else {
            return .ok(phrase("doctor.clock-name"), phrase("doctor.clock-same", ["time": LocalTime.long(now)]))
        }
        let span = Words.span(seconds: Int64(apart))
        return .warning(phrase("doctor.clock-name"), phrase("doctor.clock-apart", ["span": span]))
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    private static func instant(ofDate text: String) -> Instant? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.split(separator: " ")
        guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
        return Instant("\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(words[1])T\(words[4])Z")
    }
}
