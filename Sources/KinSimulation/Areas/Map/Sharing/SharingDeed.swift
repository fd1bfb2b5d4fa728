import KinCodec
import KinKeeper
import KinMembers
import KinModel
import KinStore

/// Who says something in a family, and with what in the hand.
enum SharingSpeaker {
    case nobody
    case machine
    case machineAs(Identifier)
    case key(SharingBook.Key)

    /// In whose name.
    var member: Identifier? {
        switch self {
        case .nobody, .machine: nil
        case .machineAs(let member): member
        case .key(let key): key.member
        }
    }

    var isRoot: Bool {
        switch self {
        case .machine, .machineAs: true
        case .nobody, .key: false
        }
    }

    var credential: Credential {
        switch self {
        case .nobody: .none
        case .machine: .machine
        case .machineAs(let member): .machineAs(member)
        case .key(let key):
            key.isAppPassword ? .appPassword(username: nil, password: key.secret) : .token(key.secret)
        }
    }

    /// For a trace.
    var words: String {
        switch self {
        case .nobody: "nobody"
        case .machine: "root"
        case .machineAs(let member): "root as \(SharingDeed.short(member))"
        case .key(let key):
            "\(SharingDeed.short(key.member))"
                + (key.origin == .own ? "" : key.isTrusted ? " (another's session, trusted)" : " (another's session)")
                + (key.isAppPassword ? " (app password)" : "")
        }
    }
}

/// One command of a family, and what came of it.
struct SharingDeed {
    let speaker: SharingSpeaker
    let method: String
    let params: JSON.Object
    /// What was answered; `nil` when it was refused.
    let result: JSON?
    let rejection: Rejection?
    let events: [LogRow]

    /// The last digits are random; the first tell the time.
    static func short(_ id: Identifier) -> String { String("\(id)".suffix(4)) }

    var words: String {
        let answer = rejection.map { "refused (\($0.kind.rawValue)): \($0.message)" } ?? "done"
        return "\(speaker.words): \(method) \(JSON.object(params).text) → \(answer)"
    }
}

extension SharingWorld {
    /// Says something to the keeper, and does the slow part in a worker's place.
    func say(_ speaker: SharingSpeaker, _ method: String, _ params: JSON.Object) throws(Finding) -> SharingDeed {
        var events: [LogRow] = []
        var request = Request(
            ticket: nextTicket(), credential: speaker.credential, method: method, params: params)
        while true {
            let commit = try turn([request])
            events += commit.events
            guard let reply = commit.replies.first else {
                throw Finding(checker: "start", what: "no answer to \(method)")
            }
            if case .later(let work) = reply.effect {
                request.work = Self.quick(work)
                if work.sort == .read, let life {
                    request.work = work.run(at: Workplace(store: ReadingDesk(life.reader)))
                }
                continue
            }
            let deed: SharingDeed
            switch reply.result {
            case .success(let bytes):
                deed = SharingDeed(
                    speaker: speaker, method: method, params: params, result: (try? JSON.parse(bytes)) ?? .null,
                    rejection: nil, events: events)
                tally.done[method, default: 0] += 1
            case .failure(let rejection):
                deed = SharingDeed(
                    speaker: speaker, method: method, params: params, result: nil, rejection: rejection,
                    events: events)
                tally.refused[method, default: 0] += 1
                if rejection.kind == .notSignedIn, case .key(let key) = speaker {
                    book.keys.removeAll { $0.secret == key.secret }
                }
            }
            trace?("\(tally.steps) \(clock) \(deed.words)")
            return deed
        }
    }

    /// Passwords cost a tenth of a second each; here they cost nothing, and are told apart all the same.
    private static func quick(_ work: any SlowWork) -> SlowResult {
        switch work {
        case PasswordWork.newPassword(let password, _, _): return .passwordHash("plain \(password)", replacing: nil)
        case PasswordWork.checkPassword(let password, let encoded):
            return .passwordMatched(encoded == "plain \(password)", encoded: encoded)
        case PasswordWork.changePassword(let old, let encoded, let new, _, _):
            guard encoded == "plain \(old)" else { return .passwordMatched(false, encoded: encoded) }
            return .passwordHash("plain \(new)", replacing: encoded)
        default: return work.run()
        }
    }
}
