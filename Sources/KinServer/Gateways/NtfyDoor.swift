import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel

/// ntfy's server interface, for its unmodified apps and command line: `/TOPIC/json`, `sse`, `raw`, `ws`, `auth`, and
/// `/v1/health`. The topic is the credential, since a link into the app carries no other. The topic may also be the
/// password of Basic, a bearer token or the field `auth`; the name in the address is then the client's own.
final class NtfyDoor: Door {
    /// What is asked.
    private enum Question {
        /// Whether the topics may be read.
        case access
        /// Messages: in one answer that ends, or as they come.
        case messages(NtfySubscription.Way, isPoll: Bool)
    }

    private let question: Question
    private let names: [String]
    /// The key of a WebSocket's handshake.
    private var key = ""
    private var filter: NtfyFilter?

    private init(_ question: Question, _ names: [String]) {
        self.question = question
        self.names = names
    }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        if head.method == .options, isAt(head) { return .answered(preflight(head)) }
        if head.path == ["v1", "health"], head.method == .get || head.method == .head {
            return .answered(forEveryPage(.json(200, JSON.object(["healthy": true]).bytes)))
        }
        guard head.method == .get else {
            guard isAt(head) else { return nil }
            var answer = error(405, nil, "this address takes GET and OPTIONS")
            answer.headers.append("Allow", "GET, OPTIONS")
            return .answered(answer)
        }
        if head.path.count == 1, head.query["up"] == "1", isTopic(head.path[0]) {
            return .answered(forEveryPage(.json(200, JSON.object(["unifiedpush": ["version": 1]]).bytes)))
        }
        guard head.path.count == 2 else { return nil }
        let names = head.path[0].split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard names.allSatisfy(isTopic) else { return nil }
        if head.path[1] == "auth" { return .taken(NtfyDoor(.access, names)) }
        guard let form = NtfySubscription.Way(rawValue: head.path[1]) else { return nil }
        let poll = field(head, ["poll", "po"]) ?? ""
        return .taken(NtfyDoor(.messages(form, isPoll: ["1", "true", "yes"].contains(poll)), names))
    }

    // MARK: Pages of other sites

    /// Whether an address belongs to this interface, whatever the verb is: a topic of ours with or without a question
    /// to it, or a question under another name.
    private static func isAt(_ head: HTTPRequestHead) -> Bool {
        if head.path == ["v1", "health"] || !topics(of: head).isEmpty { return true }
        guard head.path.count == 2, !["api", "app", "live"].contains(head.path[0]) else { return false }
        let names = head.path[0].split(separator: ",", omittingEmptySubsequences: false)
        return names.allSatisfy { isTopic(String($0)) }
            && (head.path[1] == "auth" || NtfySubscription.Way(rawValue: head.path[1]) != nil)
    }

    /// The topics of ours in an address; empty where it has none, or anything else.
    static func topics(of head: HTTPRequestHead) -> [String] {
        guard (1...2).contains(head.path.count) else { return [] }
        let names = head.path[0].split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        return names.allSatisfy { $0.hasPrefix("kin-") && isTopic($0) } ? names : []
    }

    static func isForEveryPage(_ head: HTTPRequestHead) -> Bool { !topics(of: head).isEmpty }

    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String] {
        let shown = shown(head).flatMap { $0.hasPrefix("kin-") && isTopic($0) ? $0 : nil }
        return Array((topics(of: head) + [shown].compactMap(\.self)).prefix(Limits.topicsMax))
    }

    /// ntfy's web clients are pages of any site. Their requests show a secret of their own, and no cookie counts.
    static func forEveryPage(_ answer: HTTPAnswer) -> HTTPAnswer {
        var answer = answer
        answer.headers.append("Access-Control-Allow-Origin", "*")
        return answer
    }

    /// The answer to a CORS preflight of publishing.
    private static func preflight(_ head: HTTPRequestHead) -> HTTPAnswer {
        let verbs = PublishDoor.isAt(head) ? "GET, POST, PUT, OPTIONS" : "GET, OPTIONS"
        return forEveryPage(
            HTTPAnswer(
                204,
                [
                    "Allow": verbs, "Access-Control-Allow-Methods": verbs,
                    "Access-Control-Allow-Headers": "*",
                ]))
    }

    static func isTopic(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...64).contains(bytes.count) && bytes.allSatisfy(isOfTopic)
    }

    private static func isOfTopic(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// A field of a request by any of its names: in the head, with or without `X-`, or in the query.
    private static func field(_ head: HTTPRequestHead, _ names: [String]) -> String? {
        for name in names { if let value = head.headers["X-" + name] { return value } }
        for name in names where name.utf8.count > 2 && name != "id" {
            if let value = head.headers[name] { return value }
        }
        return names.lazy.compactMap { head.query[$0] }.first
    }

    /// The credential that was shown besides the topics in the address.
    static func shown(_ head: HTTPRequestHead) -> String? {
        var credentials = head.headers.credentials
        if credentials == nil, let text = head.query["auth"] {
            let plain = text.filter { $0 != "=" }
            let bytes = KinCrypto.Base64.urlDecode(plain) ?? KinCrypto.Base64.decode(plain, padding: false)
            credentials = bytes.flatMap { HTTPCredentials(String(decoding: $0, as: UTF8.self)) }
        }
        switch credentials {
        case .basic(_, let password): return password
        case .bearer(let token): return token
        case nil: return nil
        }
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        let head = doorway.head
        var since = "none"
        if case .messages(let form, let isPoll) = question {
            filter = NtfyFilter { names in Self.field(head, names) }
            guard filter != nil else { return doorway.respond(Self.error(400, 40007, "invalid priority parameter")) }
            if form == .ws {
                guard case .accept(let key, _) = WebSocketHandshake.check(head) else {
                    return doorway.respond(
                        Self.error(400, 40016, "invalid request: client not using the websocket protocol"))
                }
                self.key = key
            }
            let given = Self.field(head, ["since", "si"]) ?? ""
            since = given.isEmpty ? (isPoll ? "all" : "none") : given
            // The app asks with `none` until it has had a message. What came since its last request must not be lost.
            if given == "none", !isPoll { since = "taken" }
        }
        let isGood = since.utf8.count <= 64 && since.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isGood else { return doorway.respond(Self.error(400, 40008, "invalid since parameter")) }
        guard names.count <= Limits.topicsMax else {
            return doorway.respond(Self.error(400, 40009, "invalid request: topic invalid"))
        }
        let shown = Self.shown(head)
        // A password that cannot be a topic counts as an unknown topic.
        let topics = names.map { name in JSON.string(shown.map { Self.isTopic($0) ? $0 : "-" } ?? name) }
        doorway.ask("notice.take", ["topics": .array(topics), "since": .string(since)], as: .none)
    }

    private enum Limits { static let topicsMax = 16 }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch result {
        case .failure(let rejection):
            // The app then asks for a user and a password, and can be told the topic.
            if rejection.kind == .forbidden, let shown = Self.shown(doorway.head), !shown.hasPrefix("kin-") {
                return doorway.respond(Self.error(401, 40101, "unauthorized"))
            }
            doorway.respond(Self.refusal(rejection))
        case .success(let bytes):
            guard case .listen(let owners) = effect, let json = try? JSON.parse(bytes) else {
                return doorway.respond(Self.error(500, 50001, "internal server error"))
            }
            switch question {
            case .access: doorway.respond(Self.forEveryPage(.json(200, JSON.object(["success": true]).bytes)))
            case .messages(let form, let isPoll): answer(form, isPoll: isPoll, json, owners, doorway)
            }
        }
    }

    private func answer(
        _ form: NtfySubscription.Way, isPoll: Bool, _ json: JSON, _ owners: [Identity], _ doorway: Doorway
    ) {
        guard let filter else { return }
        let known = json["topics"]?.array ?? []
        var topics: [NtfySubscription.Topic] = []
        for (index, name) in names.enumerated() where index < owners.count && index < known.count {
            let key = known[index]["key"]?.string.flatMap { KinCrypto.Base64.urlDecode($0) } ?? []
            topics.append(
                NtfySubscription.Topic(
                    name: name, owner: owners[index], discreet: known[index]["discreet"]?.string, key: key))
        }
        let server = doorway.server
        let made = NtfySubscription(
            form, topics, filter, site: doorway.site.canonicalURL, now: server.time.monotonicNanoseconds())
        guard let subscription = made else { return doorway.respond(Self.error(500, 50001, "internal server error")) }
        var missed: [UInt8] = []
        for one in json["notices"]?.array ?? [] {
            guard let index = one["topic"]?.int.flatMap({ Int(exactly: $0) }), topics.indices.contains(index),
                let notice = one["notice"].flatMap(Notice.init)
            else { continue }
            subscription.write(notice, topic: index, to: &missed)
        }
        if isPoll, form != .ws {
            let headers: HTTPHeaders = ["Content-Type": form.mediaType, "Cache-Control": "no-store"]
            return doorway.respond(Self.forEveryPage(HTTPAnswer(200, headers, body: missed)))
        }
        if isPoll { return server.answerPoll(doorway.connection, doorway.exchange, subscription, key: key, missed) }
        server.listen(doorway.connection, doorway.exchange, subscription, key: key, missed: missed)
    }

    // MARK: Refusing

    private static func refusal(_ rejection: Rejection) -> HTTPAnswer {
        switch rejection.kind {
        case .forbidden, .notSignedIn: return error(403, 40301, "forbidden")
        case .slowDown:
            var answer = error(429, 42901, "limit reached: too many requests, please be nice")
            if let seconds = rejection.retryAfter { answer.headers.append("Retry-After", String(seconds)) }
            return answer
        case .invalid: return error(400, 40008, "invalid since parameter")
        case .params: return error(400, 40009, "invalid request: topic invalid")
        default: return error(rejection.kind.httpStatus, nil, rejection.message)
        }
    }

    /// An error as ntfy's clients read it, by its numbers.
    static func error(_ status: Int, _ code: Int64?, _ sentence: String) -> HTTPAnswer {
        forEveryPage(
            .json(
                status,
                JSON.object(leavingOut: [
                    "code": code.map { .int($0) }, "http": .int(Int64(status)), "error": .string(sentence),
                ]).bytes))
    }
}
