import KinCodec
import KinCrypto
import KinKeeper
import KinModel

/// A message that is published by ntfy's interface (docs.ntfy.sh/publish): the content is the text, and the rest is in
/// fields of the head or the query; or all of it is JSON.
struct NtfyPublication {
    /// The fault of a publication, with ntfy's number where it has one.
    struct Fault: Error {
        let status: Int
        let code: Int64?
        let sentence: String

        init(_ status: Int, _ code: Int64?, _ sentence: String) {
            self.status = status
            self.code = code
            self.sentence = sentence
        }
    }

    /// As the keeper takes it.
    var params: JSON.Object
    /// The topic as it was named.
    let topic: String

    /// The text that ntfy's server uses where none is given.
    private static let nothing = "triggered"
    private static let words = ["min": 1, "low": 2, "default": 3, "high": 4, "max": 5, "urgent": 5] as [String: Int64]
    /// Fields that ask for more than telling the member, which is not supported.
    private static let others: [([String], Fault)] = [
        (["delay", "at", "in"], Fault(400, nil, "messages are not delayed here")),
        (["email", "e-mail", "mail", "e"], Fault(400, 40001, "e-mail notifications are not enabled")),
        (["call"], Fault(400, nil, "phone calls are not made here")),
        (["attach", "a"], Fault(400, 40014, "invalid request: attachments not allowed")),
        (["filename", "file", "f"], Fault(400, 40014, "invalid request: attachments not allowed")),
    ]

    /// A request to a topic's own address.
    init(topic: String, _ head: HTTPRequestHead, _ body: [UInt8]) throws(Fault) {
        self.topic = topic
        params = ["topic": .string(topic)]
        try takeFields(head)
        let field = Self.field(head, ["message", "m"])
        if let field {
            try say(NtfyActions.replaced("\\n", by: "\n", in: Self.decoded(field)))
        } else {
            try say(try Self.text(of: body))
        }
    }

    /// A request to the address of the server, as JSON.
    init(json: JSON, _ head: HTTPRequestHead) throws(Fault) {
        topic = json["topic"]?.string ?? ""
        params = ["topic": .string(topic)]
        try takeFields(head)
        for (names, fault) in Self.others where names.contains(where: { json[$0] ?? .null != .null }) { throw fault }
        if let title = json["title"]?.string { try put(title: title) }
        if let priority = json["priority"], priority != .null, priority != .int(0) {
            try put(priority: priority.int.map { String($0) } ?? priority.string ?? "?")
        }
        if let tags = json["tags"]?.array?.compactMap(\.string) { put(tags: tags) }
        if let click = json["click"]?.string, !click.isEmpty { try put(click: click) }
        if let actions = json["actions"], actions != .null {
            try put(actions: actions.string.map { (text) throws(Fault) in try NtfyActions.read(text) } ?? actions)
        }
        try say(json["message"]?.string ?? "")
    }

    // MARK: Fields

    /// A field by any of its names: in the head, with or without `X-`, or in the query.
    private static func field(_ head: HTTPRequestHead, _ names: [String]) -> String? {
        for name in names { if let value = head.headers["X-" + name] ?? head.headers[name] { return value } }
        return names.lazy.compactMap { head.query[$0] }.first
    }

    /// Refuses a request that asks for more than telling the member, however long its content is.
    static func refuseOthers(_ head: HTTPRequestHead) throws(Fault) {
        for (names, fault) in others where isThere(head, names) { throw fault }
    }

    private mutating func takeFields(_ head: HTTPRequestHead) throws(Fault) {
        try Self.refuseOthers(head)
        if let title = Self.field(head, ["title", "ti", "t"]) { try put(title: Self.decoded(title)) }
        if let priority = Self.field(head, ["priority", "prio", "p"]), !priority.isEmpty {
            // A browser's own field of that name (RFC 9218) is not the priority of a message.
            if !priority.contains("u=") { try put(priority: priority) }
        }
        if let tags = Self.field(head, ["tags", "tag", "ta"]) {
            put(tags: Self.decoded(tags).split(separator: ",").map { String($0) })
        }
        if let click = Self.field(head, ["click"]), !click.isEmpty { try put(click: click) }
        if let actions = Self.field(head, ["actions", "action"]), !actions.isEmpty {
            try put(actions: try NtfyActions.read(Self.decoded(actions)))
        }
    }

    /// Whether a field has a value. The short names count only with `X-` or in the query: `From`, `In` and the like are
    /// fields of HTTP.
    private static func isThere(_ head: HTTPRequestHead, _ names: [String]) -> Bool {
        names.contains { name in
            let own = name.utf8.count > 2 ? head.headers[name] : nil
            return !(head.headers["X-" + name] ?? own ?? head.query[name] ?? "").isEmpty
        }
    }

    private static func text(of body: [UInt8]) throws(Fault) -> String {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Fault(400, 40011, "invalid message: message must be UTF-8 encoded")
        }
        return text
    }

    /// The text of a field that may be an encoded word (RFC 2047 §2), as programs write text that is not ASCII.
    static func decoded(_ text: String) -> String {
        var out = ""
        var rest = Substring(text)
        while let start = rest.indices.first(where: { rest[$0...].hasPrefix("=?") }) {
            let parts = rest[start...].dropFirst(2).split(
                separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].hasPrefix("="), parts[0].lowercased() == "utf-8",
                let bytes = decoded(String(parts[2]), by: parts[1].lowercased()),
                let word = String(validating: bytes, as: UTF8.self)
            else { break }
            let before = rest[..<start]
            // White space between two encoded words is not part of the text (§6.2).
            if out.isEmpty || !before.allSatisfy({ $0.isWhitespace }) { out += before }
            out += word
            rest = parts[3].dropFirst()
        }
        return out + rest
    }

    private static func decoded(_ text: String, by coding: String) -> [UInt8]? {
        if coding == "b" { return Base64.decode(text) ?? Base64.decode(text, padding: false) }
        guard coding == "q" else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), rest.count >= 2 {
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "_") ? 0x20 : byte)
            }
        }
        return bytes
    }

    // MARK: Putting together

    private mutating func say(_ text: String) throws(Fault) {
        // Scripts end their text with a line end.
        var text = Substring(text)
        while text.last?.isNewline ?? false { text.removeLast() }
        guard text.unicodeScalars.count <= Limits.noticeTextCharactersMax else {
            throw Fault(413, 41301, "a message has at most \(Limits.noticeTextCharactersMax) characters here")
        }
        params["text"] = .string(text.isEmpty ? Self.nothing : String(text))
    }

    private mutating func put(title: String) throws(Fault) {
        guard !title.isEmpty else { return }
        guard title.unicodeScalars.count <= Limits.noticeTitleCharactersMax else {
            throw Fault(400, nil, "a title has at most \(Limits.noticeTitleCharactersMax) characters here")
        }
        params["title"] = .string(title)
    }

    private mutating func put(priority: String) throws(Fault) {
        let word = priority.lowercased()
        guard let value = Self.words[word] ?? Int64(word), Limits.noticePriorities.contains(value) else {
            throw Fault(400, 40007, "invalid priority parameter")
        }
        params["priority"] = .int(value)
    }

    /// Adds the tags that can be shown. Those beyond the limit are left out, as nothing depends on them.
    private mutating func put(tags: [String]) {
        let good = tags.map { $0.filter { !$0.isWhitespace } }.filter { tag in
            (1...32).contains(tag.utf8.count) && tag.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
        if !good.isEmpty { params["tags"] = .array(good.prefix(Limits.noticeTagsMax).map { .string($0) }) }
    }

    private mutating func put(click: String) throws(Fault) {
        guard NtfyActions.isAddress(click) else { throw Fault(400, nil, "invalid request: click URL is invalid") }
        params["click"] = .string(click)
    }

    private mutating func put(actions: JSON) throws(Fault) {
        params["actions"] = .array(try NtfyActions.checked(actions))
    }
}

/// Buttons that a script gives its message, as ntfy has them (docs.ntfy.sh/publish, "Action buttons").
enum NtfyActions {
    typealias Fault = NtfyPublication.Fault

    private static func fault(_ what: String) -> Fault {
        Fault(400, 40018, "invalid request: actions invalid, \(what)")
    }

    /// Whether a phone can open an address: it has a scheme and no spaces. An address that runs code in a browser is
    /// refused.
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= Limits.noticeAddressBytesMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let scheme = text.split(separator: ":", maxSplits: 1).first, scheme.utf8.count < text.utf8.count,
            scheme.utf8.allSatisfy({ byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || [0x2B, 0x2D, 0x2E].contains(byte)
            })
        else { return false }
        return !["javascript", "data", "vbscript"].contains(scheme.lowercased())
    }

    /// Buttons as a text: JSON, or the short form.
    static func read(_ text: String) throws(Fault) -> JSON {
        let trimmed = text.drop(while: \.isWhitespace)
        if trimmed.hasPrefix("[") {
            guard let json = try? JSON.parse(Array(trimmed.utf8)) else { throw fault("they are no JSON") }
            return json
        }
        return .array(try short(text))
    }

    /// Buttons as they are kept.
    static func checked(_ json: JSON) throws(Fault) -> [JSON] {
        guard let list = json.array else { throw fault("they are no list") }
        guard list.count <= Limits.noticeAnswersMax else {
            throw fault("only \(Limits.noticeAnswersMax) actions allowed")
        }
        return try list.map { (one) throws(Fault) in
            let word = (one["action"]?.string ?? "").lowercased()
            guard let deed = HouseAction.Deed(rawValue: word) else {
                throw fault("action '\(word.prefix(20))' unknown")
            }
            guard let label = one["label"]?.string, (1...64).contains(label.unicodeScalars.count) else {
                throw fault("parameter 'label' is required, of at most 64 characters")
            }
            guard let url = one["url"]?.string, isAddress(url) else {
                throw fault("parameter 'url' is required for action '\(word)'")
            }
            let method = one["method"]?.string.flatMap { $0.isEmpty ? nil : $0.uppercased() }
            let body = one["body"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            guard method?.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) ?? true, method?.utf8.count ?? 0 <= 16,
                body?.unicodeScalars.count ?? 0 <= 1024
            else { throw fault("method or body are not taken") }
            guard body == nil || !["GET", "HEAD"].contains(method) else {
                throw fault("parameter 'body' cannot be set if method is \(method ?? "")")
            }
            let headers = try headers(one["headers"]?.object)
            return HouseAction(
                action: deed, label: label, url: url, method: method, headers: headers, body: body,
                clears: one["clear"]?.bool ?? false
            ).json
        }
    }

    /// The header fields that a button sends; `nil` where there are none.
    private static func headers(_ object: JSON.Object?) throws(Fault) -> [HouseHeader]? {
        guard let members = object?.members, !members.isEmpty else { return nil }
        guard members.count <= Limits.noticeHeadersMax else { throw fault("there are too many headers") }
        return try members.map { (member) throws(Fault) in
            let value = member.value.string ?? ""
            guard (1...64).contains(member.name.utf8.count),
                member.name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...500).contains(value.utf8.count),
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { throw fault("a header is not taken") }
            return HouseHeader(name: member.name, value: value)
        }
    }

    /// The short form: buttons separated by semicolons, their parts by commas. A part is `key=value`, or its place
    /// tells its key. A quoted value may hold both separators.
    private static func short(_ text: String) throws(Fault) -> [JSON] {
        var all: [JSON] = []
        for button in try split(text, at: ";") where !button.allSatisfy(\.isWhitespace) {
            var found: JSON.Object = [:]
            var headers: JSON.Object = [:]
            for (index, part) in try split(button, at: ",").enumerated() {
                let (key, value) = keyed(part)
                let places = ["action", "label", "url"]
                guard let key = key ?? (places.indices.contains(index) ? places[index] : nil) else {
                    throw fault("term '\(value.prefix(40))' unknown")
                }
                // Of a broadcast, which no phone is sent from here; that is said of the action itself.
                if key.hasPrefix("extras.") || key == "intent" { continue }
                if key.hasPrefix("headers.") {
                    headers[String(key.dropFirst("headers.".count))] = .string(value)
                } else if key == "clear" {
                    guard ["true", "yes", "1", "false", "no", "0"].contains(value.lowercased()) else {
                        throw fault("'clear=\(value.prefix(20))' not allowed")
                    }
                    found[key] = .bool(["true", "yes", "1"].contains(value.lowercased()))
                } else if places.contains(key) || key == "method" || key == "body" {
                    found[key] = .string(value)
                } else {
                    throw fault("key '\(key.prefix(20))' unknown")
                }
            }
            if !headers.members.isEmpty { found["headers"] = .object(headers) }
            all.append(.object(found))
        }
        return all
    }

    /// Splits a text at a separator that is outside of quotes.
    private static func split(_ text: String, at separator: Character) throws(Fault) -> [String] {
        var parts = [""]
        var quote: Character?
        var isEscaped = false
        for character in text {
            if let open = quote {
                if character == open, !isEscaped { quote = nil }
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" || character == "'", isAtValue(parts[parts.count - 1]) {
                quote = character
            } else if character == separator {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        guard quote == nil else { throw fault("a quote is not closed") }
        return parts
    }

    /// Whether a quote here would begin a value: an apostrophe within a word does not.
    private static func isAtValue(_ before: String) -> Bool {
        guard let last = before.last(where: { !$0.isWhitespace }) else { return true }
        return [",", ";", "="].contains(last)
    }

    /// A text with every one of some signs replaced.
    static func replaced(_ signs: String, by other: String, in text: String) -> String {
        var out = ""
        var rest = Substring(text)
        while !rest.isEmpty {
            if rest.hasPrefix(signs) {
                out += other
                rest = rest.dropFirst(signs.count)
            } else {
                out.append(rest.removeFirst())
            }
        }
        return out
    }

    /// A part's key, where it names one, and its value without quotes.
    private static func keyed(_ part: String) -> (key: String?, value: String) {
        var rest = Substring(part).drop(while: \.isWhitespace)
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        var key: String?
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" }
        let behind = rest[name.endIndex...].drop(while: \.isWhitespace)
        if !name.isEmpty, behind.first == "=" {
            key = String(name)
            rest = behind.dropFirst().drop(while: \.isWhitespace)
        }
        if let quote = rest.first, quote == "\"" || quote == "'", rest.count >= 2, rest.last == quote {
            let inside = rest.dropFirst().dropLast()
            return (key, replaced("\\\(quote)", by: String(quote), in: String(inside)))
        }
        return (key, String(rest))
    }
}
