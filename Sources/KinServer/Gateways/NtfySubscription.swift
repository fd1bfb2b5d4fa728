import KinCodec
import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// The subscription of one client of ntfy's interface: some topics, each a device of a member, on one connection.
///
/// It follows as every other client does, with a cursor of its own; only the format is ntfy's. Formats: ntfy's
/// documentation ("Subscribe via API"), and the requests of its Android app.
final class NtfySubscription: Subscription {
    /// How messages are written.
    enum Way: String {
        /// JSON, a line each.
        case json
        /// The same as server-sent events.
        case sse
        /// The text alone, a line each.
        case raw
        /// The same JSON, a text frame each.
        case ws

        /// The media type of the answer.
        var mediaType: String {
            switch self {
            case .json, .ws: "application/x-ndjson; charset=utf-8"
            case .sse: "text/event-stream; charset=utf-8"
            case .raw: "text/plain; charset=utf-8"
            }
        }
    }

    /// One topic. A thousand phones rest with one each, so it lies in one piece with its subscription.
    struct Topic {
        private typealias Bytes = InlineArray<32, UInt8>

        /// How the client calls it.
        private enum Name {
            /// By itself: ``prefix`` and these bytes in the alphabet for links.
            case topic(Bytes)
            /// By another name, beside which the topic was shown.
            case other(String)
        }

        private static let prefix = "kin-"

        private let called: Name
        private let secret: Bytes?
        /// The member it belongs to, and the device in the place of a session.
        let owner: Identity
        /// The text that replaces every message's, where the device is to be discreet.
        let discreet: String?

        init(name: String, owner: Identity, discreet: String?, key: [UInt8]) {
            called =
                name.hasPrefix(Self.prefix)
                ? Self.inline(KinCrypto.Base64.urlDecode(String(name.dropFirst(Self.prefix.count)))).map { .topic($0) }
                    ?? .other(name) : .other(name)
            secret = Self.inline(key)
            self.owner = owner
            self.discreet = discreet
        }

        /// As the client named it.
        var name: String {
            switch called {
            case .topic(let bytes): Self.prefix + KinCrypto.Base64.urlEncode(Self.bytes(bytes))
            case .other(let name): name
            }
        }

        /// The key of its buttons' secrets.
        var key: [UInt8] { secret.map(Self.bytes) ?? [] }

        private static func inline(_ bytes: [UInt8]?) -> Bytes? {
            guard let bytes, bytes.count == 32 else { return nil }
            return Bytes { bytes[$0] }
        }

        private static func bytes(_ secret: Bytes) -> [UInt8] { secret.indices.map { secret[$0] } }

        /// What this device is told by an event; `nil`: nothing.
        func hears(_ data: NoticeDevice.Rang) -> Notice? { data.notice(for: owner.session) }
    }

    /// The client's filter. Boxed, because few clients filter, and every connection would need the memory.
    private enum Wanted {
        case all
        indirect case some(NtfyFilter)
    }

    // Fixed at birth.
    let form: Way
    private let first: Topic
    private let more: [Topic]
    private let wanted: Wanted
    /// The beginning of the page's addresses.
    private let site: String

    // Lives across turns.
    /// When a keepalive was last sent.
    var keptAliveAt: UInt64

    /// `nil` without a topic.
    init?(_ form: Way, _ topics: [Topic], _ filter: NtfyFilter, site: String, now: UInt64) {
        guard let first = topics.first else { return nil }
        self.form = form
        self.first = first
        more = Array(topics.dropFirst())
        wanted = filter == NtfyFilter() ? .all : .some(filter)
        self.site = site
        keptAliveAt = now
    }

    // MARK: Topics

    private var count: Int { 1 + more.count }
    private func topic(_ index: Int) -> Topic { index == 0 ? first : more[index - 1] }

    /// All of them.
    var topics: [Topic] { [first] + more }

    /// The member whose rights the connection has.
    var owner: Identity { first.owner }

    /// The numbers of the others.
    var others: [Int32] { more.map(\.owner.number) }

    /// Whether it ends when a right to listen is revoked.
    func ends(by revocation: Revocation) -> Bool {
        switch revocation {
        case .session(let device): first.owner.session == device || more.contains { $0.owner.session == device }
        case .member(let member): first.owner.member == member || more.contains { $0.owner.member == member }
        case .everybody: true
        case .signedOut, .wait: false
        }
    }

    // MARK: Writing

    var isWebSocket: Bool { form == .ws }

    /// Appends an event of the feed if it is for one of the topics. Other events are skipped.
    func write(_ entry: Feed.Entry, to out: inout [UInt8]) {
        var bytes: [UInt8] = []
        let listening = (0..<count).filter { entry.audience.contains(topic($0).owner.number) }
        guard !listening.isEmpty, let event = Self.event(entry), let data = event[NoticeDevice.rang] else { return }
        for index in listening {
            if let notice = topic(index).hears(data) { write(notice, topic: index, to: &bytes) }
        }
        wrap(bytes, to: &out)
    }

    private static func event(_ entry: Feed.Entry) -> Event? {
        let json = entry.bytes[entry.headerBytes...]
        return (try? JSON.parse(Array(json)))?["params"].flatMap(Event.init)
    }

    /// Appends one notice.
    func write(_ notice: Notice, topic index: Int, to out: inout [UInt8]) {
        let topic = topic(index)
        var json: JSON.Object = [
            "id": .string(notice.id), "time": .int(notice.at.milliseconds / 1000), "event": .string(notice.ntfyEvent),
            "topic": .string(topic.name), "sequence_id": .id(notice.entry),
        ]
        guard notice.act == .ring else {
            // A line of text cannot take anything back.
            if form != .raw { write(.object(json), type: notice.ntfyEvent, to: &out) }
            return
        }
        let said = NtfyMessage(notice, discreet: topic.discreet, site: site)
        if case .some(let filter) = wanted, !filter.passes(said, id: notice.id) { return }
        if form == .raw { return writeLine(said.text, to: &out) }
        if let title = said.title { json["title"] = .string(title) }
        json["message"] = .string(said.text)
        if let priority = said.priority { json["priority"] = .int(priority) }
        if !said.tags.isEmpty { json["tags"] = .array(said.tags.map { .string($0) }) }
        json["click"] = .string(said.click)
        var buttons: [JSON] = []
        if topic.discreet == nil {
            buttons = (notice.answers ?? []).map { button($0, topic, click: said.click) }
            for (index, action) in (notice.actions ?? []).enumerated() { buttons.append(action.ntfy(index)) }
        }
        if !buttons.isEmpty { json["actions"] = .array(buttons) }
        write(.object(json), type: nil, to: &out)
    }

    /// A button as ntfy's apps have it (docs.ntfy.sh/publish, "Action buttons"): one act by its own secret, or to open the page.
    private func button(_ answer: NoticeAnswer, _ topic: Topic, click: String) -> JSON {
        guard let offer = answer.offer else {
            return [
                "id": "open", "action": "view", "label": .string(answer.label), "clear": false, "url": .string(click),
            ]
        }
        let secret = ButtonSecret.make(offer, answer.name, key: topic.key)
        return [
            "id": .string(answer.name), "action": "http", "label": .string(answer.label), "clear": false,
            "url": .string("\(site)/answer/\(secret)"), "method": "POST",
        ]
    }

    func writeKeepalive(at now: Instant, random: UInt64, to out: inout [UInt8]) {
        var bytes: [UInt8] = []
        writeSign("keepalive", at: now, random: random, to: &bytes)
        wrap(bytes, to: &out)
    }

    /// Appends the message `open` or `keepalive`. Its identifier is twelve random letters and digits, which nobody
    /// looks up.
    func writeSign(_ event: String, at now: Instant, random: UInt64, to out: inout [UInt8]) {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz012345".utf8)
        let id = String(decoding: (0..<12).map { alphabet[Int(random >> UInt64(5 * $0) & 31)] }, as: UTF8.self)
        if form == .raw { return writeLine("", to: &out) }
        let json: JSON = [
            "id": .string(id), "time": .int(now.milliseconds / 1000), "event": .string(event),
            "topic": .string(topics.map(\.name).joined(separator: ",")),
        ]
        write(json, type: event, to: &out)
    }

    private func write(_ json: JSON, type: String?, to out: inout [UInt8]) {
        switch form {
        case .ws: WebSocketFrame.write(.text, json.bytes, to: &out)
        case .sse: ServerSentEvent.write(type: type, data: json.bytes, to: &out)
        case .json, .raw: out += json.bytes + [0x0A]
        }
    }

    private func writeLine(_ text: String, to out: inout [UInt8]) {
        out += text.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        out.append(0x0A)
    }

    /// Wraps what is written at once for the connection: a chunk of the answer, or frames.
    func wrap(_ bytes: [UInt8], to out: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        if form == .ws { out += bytes } else { HTTPChunk.write(bytes, to: &out) }
    }
}

extension Notice {
    /// ntfy's name for what happens.
    fileprivate var ntfyEvent: String {
        switch act {
        case .ring: "message"
        case .clear: "message_clear"
        case .delete: "message_delete"
        }
    }
}

extension HouseAction {
    /// The message in ntfy's form.
    func ntfy(_ index: Int) -> JSON {
        .object(leavingOut: [
            "id": .string("house-\(index)"), "action": .string(action.rawValue), "label": .string(label),
            "clear": .bool(clears), "url": .string(url), "method": method.map { .string($0) },
            "headers": headers.map { all in
                .object(all.reduce(into: JSON.Object()) { $0[$1.name] = .string($1.value) })
            },
            "body": body.map { .string($0) },
        ])
    }
}

/// A notice as one device says it.
struct NtfyMessage {
    let title: String?
    let text: String
    let priority: Int64?
    let tags: [String]
    let click: String

    init(_ notice: Notice, discreet: String?, site: String) {
        priority = notice.priority
        if let discreet {
            (title, text, tags, click) = (nil, discreet, [], site + "/")
        } else {
            (title, text, tags) = (notice.title, notice.text ?? "", notice.tags ?? [])
            let place = notice.click ?? "/"
            click = place.hasPrefix("/") ? site + place : place
        }
    }
}

/// A client's choice among the messages of its topics.
struct NtfyFilter: Equatable {
    var id: String?
    var message: String?
    var title: String?
    /// Any of them.
    var priorities: [Int64] = []
    /// All of them.
    var tags: [String] = []

    /// ntfy's names of the priorities.
    private static let words = ["min": 1, "low": 2, "default": 3, "high": 4, "max": 5, "urgent": 5] as [String: Int64]

    init() {}

    /// Reads the fields of a request; `nil` where a priority is not valid.
    init?(_ field: (_ names: [String]) -> String?) {
        id = field(["id"])
        message = field(["message", "m"])
        title = field(["title", "t"])
        tags = Self.list(field(["tags", "tag", "ta"]))
        for word in Self.list(field(["priority", "prio", "p"])) {
            guard let priority = Self.words[word.lowercased()] ?? Int64(word), (1...5).contains(priority) else {
                return nil
            }
            priorities.append(priority)
        }
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split { $0 == "," || $0 == " " }.map { String($0) }
    }

    func passes(_ said: NtfyMessage, id own: String) -> Bool {
        if let id, id != own { return false }
        if let message, message != said.text { return false }
        if let title, title != said.title { return false }
        if !priorities.isEmpty, !priorities.contains(said.priority ?? 3) { return false }
        return tags.allSatisfy(said.tags.contains)
    }
}
