import KinClient
import KinCodec
import KinCrypto
import KinLoop
import KinModel

/// Posts points to the OwnTracks endpoint as a phone does: one after the other, each repeatedly until it is accepted.
final class Postbox {
    /// The result for a point.
    enum Fate: Equatable {
        case taken
        case interrupted
    }

    /// Milliseconds for which one point is tried.
    static let patienceMilliseconds: Int64 = 300_000

    private let door: Door
    private let authorization: String
    private let device: String
    private let interruption: Wakeup
    private var web: WebConversation?
    /// The number of attempts that failed.
    private(set) var retries = 0

    init(_ door: Door, username: String, password: String, device: String, interruption: Wakeup) {
        self.door = door
        authorization = "Basic " + Base64.encode(Array("\(username):\(password)".utf8))
        self.device = device
        self.interruption = interruption
    }

    func post(_ message: JSON) throws(Problem) -> Fate {
        var backoff = Backoff()
        let began = LocalTime.now
        while true {
            if interruption.wait(timeoutMilliseconds: 0) { return .interrupted }
            let reason: Problem
            var retryAfter: Int?
            do throws(ClientFailure) {
                let answer = try ask(message)
                switch answer.head.status {
                case 200..<300: return .taken
                case 401, 403:
                    throw ClientFailure.refused(
                        Rejection(.notSignedIn, phrase("import.password-refused")))
                case let status where status < 500 && status != 408 && status != 429:
                    throw ClientFailure.refused(
                        Rejection(.invalid, phrase("import.position-refused", ["status": status])))
                default:
                    retryAfter = answer.head.headers["Retry-After"].flatMap { Int($0) }
                    reason = Problem(.refused, phrase("import.status", ["status": answer.head.status]))
                }
            } catch {
                web = nil
                switch error {
                case .refused, .untrusted: throw Problem(error)
                default: break
                }
                reason = Problem(error)
            }
            retries += 1
            guard LocalTime.now.milliseconds(since: began) < Self.patienceMilliseconds else { throw reason }
            let wait = Int(clamping: backoff.failed(retryAfter: retryAfter, random: Randomness.uint64()))
            if interruption.wait(timeoutMilliseconds: wait) { return .interrupted }
        }
    }

    private func ask(_ message: JSON) throws(ClientFailure) -> WebConversation.Answer {
        let conversation: WebConversation
        if let web {
            conversation = web
        } else {
            conversation = WebConversation(over: try Wire.open(door.address, trust: door.trust))
            web = conversation
        }
        let answer = try conversation.ask(
            .post, "/owntracks",
            headers: [
                "Authorization": authorization, "Content-Type": "application/json", "X-Limit-D": device,
            ], body: message.bytes)
        if !answer.keepsAlive { web = nil }
        return answer
    }
}
