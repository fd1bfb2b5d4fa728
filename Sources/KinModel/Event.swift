/// One entry of the family's log, as a client receives it in `params` of the `event` notification.
public struct Event: Sendable, Hashable {
    /// The position of the log after this event: an opaque resume point.
    public let cursor: String
    /// What happened, such as `member.joined`.
    public let type: String
    /// When it was committed.
    public let at: Instant
    /// The member who did it; `nil` for the daemon itself and for an administrator at the machine.
    public let by: Identifier?
    /// Whether it was at the machine, in that member's name.
    public let isAtMachine: Bool
    /// What it is about, such as `member/0198…`.
    public let about: String
    /// The event's own data, by its type.
    public let data: JSON

    /// An event from its parts.
    public init(
        cursor: String, type: String, at: Instant, by: Identifier?, isAtMachine: Bool = false, about: String, data: JSON
    ) {
        self.cursor = cursor
        self.type = type
        self.at = at
        self.by = by
        self.isAtMachine = isAtMachine
        self.about = about
        self.data = data
    }

    /// Reads the `params` of an `event` notification.
    public init?(_ params: JSON) {
        guard let cursor = params["cursor"]?.string, let type = params["type"]?.string,
            let at = params["at"]?.instant, let about = params["about"]?.string, let data = params["data"]
        else { return nil }
        self.init(
            cursor: cursor, type: type, at: at, by: params["by"]?.identifier,
            isAtMachine: params["atMachine"]?.bool ?? false, about: about, data: data)
    }

    /// The moment under a name in a payload, at its first occurrence: the event's own is `at`. With `after`, the first
    /// occurrence after that name. Text that people write cannot be taken for a name, because quotes within a text are
    /// escaped.
    public static func moment(_ name: String, in payload: [UInt8], after: String? = nil) -> Instant? {
        var rest = payload[...]
        for word in [after.map { "\"\($0)\":" }, "\"\(name)\":\""].compactMap(\.self) {
            let bytes = Array(word.utf8)
            while !rest.starts(with: bytes) { if rest.popFirst() == nil { return nil } }
            rest = rest.dropFirst(bytes.count)
        }
        return Instant(String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
    }

    /// The event's bytes without its cursor and braces: `"type":…,"at":…,"by":…,"about":…,"data":…`, and after `by`
    /// `"atMachine":true` where it was so. Written once, at commit; every transport wraps the same bytes.
    public static func payload(
        type: String, at: Instant, by: Identifier?, isAtMachine: Bool = false, about: String, data: JSON
    ) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(512)
        out += "\"type\":".utf8
        JSON.write(type, to: &out)
        out += ",\"at\":\"".utf8
        out += at.description.utf8
        out += "\",\"by\":".utf8
        if let by { JSON.write(by.description, to: &out) } else { out += "null".utf8 }
        if isAtMachine { out += ",\"atMachine\":true".utf8 }
        out += ",\"about\":".utf8
        JSON.write(about, to: &out)
        out += ",\"data\":".utf8
        data.write(to: &out)
        return out
    }
}
