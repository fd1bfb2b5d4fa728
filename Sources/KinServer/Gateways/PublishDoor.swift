import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import KinNotices

/// Publishing by ntfy's interface: a script of the house sends its member a message. `POST` or `PUT` to `/TOPIC`, `GET`
/// of `/TOPIC/publish`, `send` or `trigger`, and JSON to `/`. The topic is the credential; it may also be shown as a
/// password or bearer token, and the name in the address is then the client's own.
final class PublishDoor: Door {
    /// The topic that was shown; `nil` where it stands in the content.
    private let topic: String?
    /// The door of another sender of JSON to the bare address: OwnTracks posts to whatever was typed.
    private var other: (any Door)?
    private var name: String
    /// More bytes than any message has. The body is parsed on the loop.
    private static let bodyBytesMax = 32 << 10

    private init(_ topic: String?, as name: String? = nil) {
        self.topic = topic
        self.name = name ?? topic ?? ""
    }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        if isAt(head), head.method == .post || head.method == .put { return .taken(PublishDoor(head.path[0])) }
        if head.path.count == 1, head.method == .post || head.method == .put, NtfyDoor.isTopic(head.path[0]),
            let topic = NtfyDoor.shown(head), isOwn(topic)
        {
            return .taken(PublishDoor(topic, as: head.path[0]))
        }
        if head.path.count == 2, head.method == .get, ["publish", "send", "trigger"].contains(head.path[1]),
            isOwn(head.path[0])
        {
            return .taken(PublishDoor(head.path[0]))
        }
        guard head.path.isEmpty, head.method == .post || head.method == .put, isJSON(head) else { return nil }
        return .taken(PublishDoor(nil))
    }

    /// Whether an address is that of one topic of ours.
    static func isAt(_ head: HTTPRequestHead) -> Bool { head.path.count == 1 && isOwn(head.path[0]) }

    private static func isOwn(_ topic: String) -> Bool { topic.hasPrefix("kin-") && NtfyDoor.isTopic(topic) }

    private static func isJSON(_ head: HTTPRequestHead) -> Bool {
        head.headers["Content-Type"].flatMap { MediaType($0) }?.name == "application/json"
    }

    /// The answer to a publisher that shows no topic of ours; `nil` for whatever else asks at such an address. OwnTracks,
    /// which posts to any, sends JSON.
    static func refusal(_ head: HTTPRequestHead) -> HTTPAnswer? {
        guard head.headers["Authorization"] == nil, !isJSON(head) else { return nil }
        if head.path.isEmpty || head.path == [""] {
            return NtfyDoor.error(400, 40017, "invalid request: request body must be message JSON")
        }
        return head.path.count == 1 && NtfyDoor.isTopic(head.path[0]) ? NtfyDoor.error(403, 40301, "forbidden") : nil
    }

    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String] {
        guard head.path.isEmpty, isJSON(head), let topic = published(body)?["topic"]?.string, isOwn(topic) else {
            return []
        }
        return [topic]
    }

    /// A message as JSON. An object with `_type` is OwnTracks's.
    private static func published(_ body: [UInt8]) -> JSON? {
        guard let json = try? JSON.parse(body), json["_type"] == nil, json["topic"]?.string != nil else { return nil }
        return json
    }

    func content(_ doorway: Doorway) -> DoorContent { .heldWhateverItsSize(bytesMax: doorway.limits.phoneBodyBytesMax) }

    func negotiate(_ doorway: Doorway) -> HTTPAnswer? { nil }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        do throws(NtfyPublication.Fault) {
            let publication: NtfyPublication
            if let topic {
                try NtfyPublication.refuseOthers(doorway.head)
                guard !isTooLong, doorway.body.count <= Self.bodyBytesMax else {
                    throw NtfyPublication.Fault(413, 41301, "the message is too long")
                }
                publication = try NtfyPublication(topic: topic, doorway.head, doorway.body)
            } else {
                guard !isTooLong, doorway.body.count <= Self.bodyBytesMax, let json = Self.published(doorway.body)
                else {
                    return passOn(isTooLong: isTooLong, doorway)
                }
                publication = try NtfyPublication(json: json, doorway.head)
                guard NtfyDoor.isTopic(publication.topic) else {
                    throw NtfyPublication.Fault(400, 40009, "invalid request: topic invalid")
                }
            }
            if topic == nil { name = publication.topic }
            doorway.ask("notice.publish", publication.params, as: .none)
        } catch { doorway.respond(NtfyDoor.error(error.status, error.code, error.sentence)) }
    }

    /// Passes on what is not a message of this interface to the next door that claims it.
    private func passOn(isTooLong: Bool, _ doorway: Doorway) {
        guard case .taken(let door)? = OwnTracksDoor.claims(doorway.head, doorway) else {
            return doorway.respond(
                NtfyDoor.error(400, 40017, "invalid request: request body must be message JSON"))
        }
        other = door
        door.end(isTooLong: isTooLong, doorway)
    }

    func done(_ made: any Sendable, _ doorway: Doorway) { other?.done(made, doorway) }
    func taken(_ doorway: Doorway) { other?.taken(doorway) }
    func close(_ doorway: Doorway) { other?.close(doorway) }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        if let other { return other.reply(result, effect, doorway) }
        switch result {
        case .failure(let rejection): doorway.respond(Self.refusal(rejection))
        case .success(let bytes):
            guard let message = (try? JSON.parse(bytes))?["message"].flatMap(HouseMessage.init) else {
                return doorway.respond(NtfyDoor.error(500, 50001, "internal server error"))
            }
            let id = Hex.encode(Digest.sha256(message.id.bytes)).prefix(12)
            doorway.respond(NtfyDoor.forEveryPage(.json(200, said(message, id: String(id)))))
        }
    }

    /// The message that was taken, as ntfy's server answers it. ntfy's command line reads a bounded number of bytes,
    /// and takes an answer that was cut for a failure. So of a long text the beginning is told, and its buttons are
    /// left out.
    private func said(_ message: HouseMessage, id: String) -> [UInt8] {
        func answer(_ text: Substring, hasButtons: Bool) -> [UInt8] {
            JSON.object(leavingOut: [
                "id": .string(id), "time": .int(message.at.milliseconds / 1000),
                "event": "message", "topic": .string(name), "title": message.title.map { .string($0) },
                "message": .string(String(text)), "priority": message.priority.map { .int($0) },
                "tags": message.tags.map { .array($0.map { .string($0) }) },
                "click": message.click.map { .string($0) },
                "actions": hasButtons ? message.actions.map { .array($0.enumerated().map { $1.ntfy($0) }) } : nil,
            ]).bytes
        }
        var text = message.text[...]
        var bytes = answer(text, hasButtons: true)
        while bytes.count > Self.answerBytesMax, !text.isEmpty {
            text = text.prefix(text.count / 2)
            bytes = answer(text, hasButtons: false)
        }
        return bytes
    }

    private static let answerBytesMax = 4096

    private static func refusal(_ rejection: Rejection) -> HTTPAnswer {
        switch rejection.kind {
        case .forbidden, .notSignedIn: return NtfyDoor.error(403, 40301, "forbidden")
        case .slowDown:
            // Whoever guesses topics has published nothing.
            var answer =
                rejection.detail != Notices.fullHour
                ? NtfyDoor.error(429, 42901, "limit reached: too many requests, please be nice")
                : NtfyDoor.error(429, 42908, "limit reached: too many messages")
            if let seconds = rejection.retryAfter { answer.headers.append("Retry-After", String(seconds)) }
            return answer
        default: return NtfyDoor.error(rejection.kind.httpStatus, nil, rejection.message)
        }
    }
}
