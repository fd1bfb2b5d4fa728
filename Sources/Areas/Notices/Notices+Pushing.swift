import KinCrypto
package import KinKeeper
import KinModel
import KinStore

/// Pushes. The keeper chooses the messages and their receivers, a worker takes them to the push service, and the keeper
/// notes the result.
extension Notices {
    /// The daemon calls this itself, as long as pushes can leave.
    static let deliver = Method.command(
        "notice.deliver", "Takes to push services what rings, and notes what came of it.", access: .machine,
        note: "the daemon itself", [], result: .nothing, route: nil, events: [NoticeDevice.changed],
        apply: { (act, _) throws(Rejection) in
            if let sent = act.work?.made([PushSent].self) {
                for one in sent { try note(one, act) }
            }
            guard let family = try PushFamily.find(act), family.isOn else {
                try PushQueue.clear(act)
                return .done([:])
            }
            try PushQueue.gather(act)
            var letters: [PushLetter] = []
            for one in try PushQueue.take(act) {
                if let letter = try PushLetter(one, family, act) { letters.append(letter) }
            }
            try PushQueue.planNext(act)
            guard !letters.isEmpty else { return .done([:]) }
            return .later(PushWork(letters: letters))
        }
    ).forGateways()

    /// Notes the result of one push.
    private static func note(_ sent: PushSent, _ act: Act) throws(Rejection) {
        let one = sent.waiting
        switch sent.outcome {
        case .taken:
            try PushQueue.remove(one, act)
            try Bell.noteTaken(one.entry, by: one.member, act)
            try act.run("UPDATE notice_devices SET taken = ? WHERE id = ?", .time(act.now), .id(one.device))
            try act.run(
                "UPDATE notice_subscriptions SET told = max(told, ?), trouble = NULL WHERE device = ?",
                .int(one.number), .id(one.device))
        case .gone:
            // The browser has ended its subscription, or is gone.
            let isThere = try act.first("SELECT 1 FROM notice_devices WHERE id = ?", .id(one.device)) { _ in true }
            if isThere != nil { try end(one.device, of: one.member, act) }
        case .useless: try PushQueue.remove(one, act)
        case .later(let why, let seconds):
            let wait = max(
                seconds.map { min($0, Limits.pushWaitSecondsMax) } ?? 0,
                min(Limits.pushWaitSecondsMax, Limits.pushWaitSeconds << min(Int64(one.tries), 10)))
            if act.now.adding(seconds: wait) > one.since.adding(seconds: sent.lifeSeconds) {
                try PushQueue.remove(one, act)
            } else {
                try PushQueue.delay(one, to: act.now.adding(seconds: wait), act)
            }
            let known = try act.first(
                "SELECT trouble FROM notice_subscriptions WHERE device = ?", .id(one.device)
            ) { row in row.optionalText(0) }
            guard let known, known != why else { return }
            try act.run(
                "UPDATE notice_subscriptions SET trouble = ? WHERE device = ?", .text(why), .id(one.device))
            // This is logged once, with only the host of the address.
            if known == nil { act.note(.phone, "A push service does not take what rings: \(why)") }
        }
    }
}

/// A push on its way to a push service.
package struct PushLetter: Sendable {
    package let waiting: PushQueue.Waiting
    package let letter: OutsideLetter
    /// Seconds for which the push is worth delivering.
    let lifeSeconds: Int64

    /// `nil` if nothing is left to ring for. The push then leaves the queue.
    init?(_ one: PushQueue.Waiting, _ family: PushFamily, _ act: Act) throws(Rejection) {
        let found = try act.first(
            """
            SELECT s.endpoint, s.p256dh, s.auth, s.page, s.told, d.discreet FROM notice_subscriptions s
            JOIN notice_devices d ON d.id = s.device WHERE s.device = ?
            """, .id(one.device)
        ) { row in
            (
                endpoint: row.text("endpoint"), point: row.blob("p256dh"), auth: row.blob("auth"),
                page: row.text("page"), told: row.int("told"), isDiscreet: row.bool("discreet")
            )
        }
        guard let found, let owner = try act.roster[one.member], let bell = try Bell(owner, act),
            let notice = try bell.notice(ofPush: one),
            let origin = PushFamily.origin(of: found.endpoint), family.asks(origin.host)
        else {
            try PushQueue.remove(one, act)
            return nil
        }
        let closed = try act.rows(
            """
            SELECT entry FROM notice_rings WHERE member = ? AND number > ? AND act IN ('clear', 'delete', 'answered', 'snoozed')
            ORDER BY number DESC LIMIT ?
            """, .id(one.member), .int(found.told), .int(Int64(Limits.pushClosedMax))
        ) { row in row.identifier(0) }
        let text = PushText(
            notice, page: found.page, salt: try bell.names().salt, key: try bell.names().buttonKey(of: one.device),
            discreet: found.isDiscreet ? try Spoken.discreet(to: one.member, act) : nil,
            reader: try Spoken.reader(of: one.member, act), closed: closed)
        let sealed = PushEncoding.seal(
            text.bytes, to: found.point, auth: found.auth, salt: act.randomBytes(16), key: P256Key(act.randomBytes))
        guard let sealed else {
            try PushQueue.remove(one, act)
            return nil
        }
        waiting = one
        lifeSeconds = text.lifeSeconds
        letter = OutsideLetter(
            to: found.endpoint,
            headers: [
                ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
                ("TTL", "\(text.lifeSeconds)"), ("Urgency", text.urgency), ("Topic", text.topic),
                ("Authorization", family.authorization(for: origin.text, now: act.now)),
            ],
            content: sealed, purpose: "push services", hosts: PushFamily.known, inside: family.hosts,
            milliseconds: Limits.pushMilliseconds)
    }
}

/// The result of a letter.
struct PushSent: Sendable {
    enum Outcome: Sendable {
        /// The push service has accepted it.
        case taken
        /// The browser is gone.
        case gone
        /// The push service will never accept it.
        case useless
        /// It cannot be delivered now; the text is the reason. `seconds` is the time until the next try, if the service
        /// says it.
        case later(String, seconds: Int64?)
    }

    let waiting: PushQueue.Waiting
    let lifeSeconds: Int64
    let outcome: Outcome
}

/// Takes letters to push services, one after the other. A service that does not answer is not asked for the rest.
package struct PushWork: SlowWork {
    package let letters: [PushLetter]

    package var sort: WorkSort { .outside }

    package func run(at place: borrowing Workplace) -> SlowResult {
        guard let desk = place.outside else { return .made(letters.map { Self.later($0, "There is no way outside.") }) }
        var silent: [String: String] = [:]
        var sent: [PushSent] = []
        for one in letters {
            let host = PushFamily.origin(of: one.letter.address)?.host ?? ""
            if let why = silent[host] {
                sent.append(Self.later(one, why))
                continue
            }
            let answer = desk.send(one.letter)
            if case .failed(let why) = answer { silent[host] = why }
            sent.append(
                PushSent(waiting: one.waiting, lifeSeconds: one.lifeSeconds, outcome: Self.outcome(answer, host)))
        }
        return .made(sent)
    }

    private static func later(_ one: PushLetter, _ why: String) -> PushSent {
        PushSent(waiting: one.waiting, lifeSeconds: one.lifeSeconds, outcome: .later(why, seconds: nil))
    }

    /// The meaning of an answer (RFC 8030 §5, §7.3, §8.4).
    static func outcome(_ answer: OutsideAnswer, _ host: String) -> PushSent.Outcome {
        switch answer {
        case .failed(let why): .later(why, seconds: nil)
        case .answered(let status, let seconds):
            switch status {
            case 200...299: .taken
            case 404, 410: .gone
            case 413: .useless
            default: .later("\(host) answered \(status).", seconds: seconds)
            }
        }
    }
}
