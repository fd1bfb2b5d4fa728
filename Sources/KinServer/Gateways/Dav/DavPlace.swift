import KinCodec
import KinModel

/// An address of the door. What stands behind it is for the areas to say.
enum DavPlace: Equatable {
    /// Where clients begin.
    case root
    /// All principals (RFC 3744, 5.8). Oneself and the family are listed; other people are found by a search.
    case principals
    case principal(Identifier)
    /// Whom the things belong to that are everybody's.
    case family
    /// The address books (RFC 6352, 7.1.1).
    case addressBooks
    /// The family's contacts.
    case contacts
    /// One of them, by the name that a client gave it.
    case contact(String)
    /// A member's calendars (RFC 4791, 6.2.1).
    case calendars(Identifier)
    /// One of them, by its name.
    case calendar(Identifier, String)
    /// One thing of it, by the name that a client gave it.
    case event(Identifier, String, String)
    /// A list that a member sees, as a collection of tasks.
    case list(Identifier, DavListName)
    /// One task of it, by the name that a client gave it.
    case todo(Identifier, DavListName, String)
    /// The inbox at which a member's invitations would arrive (RFC 6638, 2.2). In fact they stand in the calendars at
    /// once.
    case inbox(Identifier)
    /// The outbox at which a member's clients ask when others are free (RFC 6638, 2.1).
    case outbox(Identifier)

    /// The first part of every address.
    static let top = "dav"

    /// Reads an address; `nil` where nothing can stand.
    init?(_ path: [String]) {
        var parts = path[...]
        if parts.last == "" { parts.removeLast() }
        guard parts.popFirst() == Self.top else { return nil }
        if parts.first == "calendars" {
            guard let place = Self(calendars: Array(parts.dropFirst())) else { return nil }
            self = place
            return
        }
        switch (parts.popFirst(), parts.popFirst(), parts.popFirst(), parts.isEmpty) {
        case (nil, nil, nil, true): self = .root
        case ("principals", nil, nil, true): self = .principals
        case ("principals", "family", nil, true): self = .family
        case ("principals", let id?, nil, true):
            guard let id = Identifier(id) else { return nil }
            self = .principal(id)
        case ("contacts", nil, nil, true): self = .addressBooks
        case ("contacts", "family", nil, true): self = .contacts
        case ("contacts", "family", let name?, true):
            guard DavPlace.isName(name) else { return nil }
            self = .contact(name)
        default: return nil
        }
    }

    /// Reads what stands behind `calendars`.
    private init?(calendars parts: [String]) {
        guard let first = parts.first, let member = Identifier(first), parts.dropFirst().allSatisfy(Self.isName) else {
            return nil
        }
        if parts.count > 1, let list = DavListName(parts[1]) {
            switch parts.count {
            case 2: self = .list(member, list)
            case 3: self = .todo(member, list, parts[2])
            default: return nil
            }
            return
        }
        switch parts.count {
        case 1: self = .calendars(member)
        case 2 where parts[1] == "inbox": self = .inbox(member)
        case 2 where parts[1] == "outbox": self = .outbox(member)
        case 2: self = .calendar(member, parts[1])
        case 3 where parts[1] != "inbox" && parts[1] != "outbox": self = .event(member, parts[1], parts[2])
        default: return nil
        }
    }

    /// Reads an address as it stands in a document: a path, or all of a URL.
    init?(href: String) {
        var text = href[...]
        if let scheme = text.range(of: "://") {
            guard let slash = text[scheme.upperBound...].firstIndex(of: "/") else { return nil }
            text = text[slash...]
        }
        guard text.first == "/" else { return nil }
        var path: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let part = Percent.decoded(part), part != ".", part != ".." else { return nil }
            path.append(part)
        }
        self.init(path)
    }

    /// The path, as answers have it.
    var href: String {
        switch self {
        case .root: "/dav/"
        case .principals: "/dav/principals/"
        case .principal(let id): "/dav/principals/\(id)/"
        case .family: "/dav/principals/family/"
        case .addressBooks: "/dav/contacts/"
        case .contacts: "/dav/contacts/family/"
        case .contact(let name): "/dav/contacts/family/" + Percent.encoded(name)
        case .calendars(let member): "/dav/calendars/\(member)/"
        case .calendar(let member, let name): "/dav/calendars/\(member)/\(Percent.encoded(name))/"
        case .event(let member, let calendar, let name):
            "/dav/calendars/\(member)/\(Percent.encoded(calendar))/\(Percent.encoded(name))"
        case .list(let member, let list): "/dav/calendars/\(member)/\(Percent.encoded(list.name))/"
        case .todo(let member, let list, let name):
            "/dav/calendars/\(member)/\(Percent.encoded(list.name))/\(Percent.encoded(name))"
        case .inbox(let member): "/dav/calendars/\(member)/inbox/"
        case .outbox(let member): "/dav/calendars/\(member)/outbox/"
        }
    }

    /// The member and the list, of a list or of a task on one.
    var list: (member: Identifier, list: DavListName)? {
        switch self {
        case .list(let member, let list), .todo(let member, let list, _): (member, list)
        default: nil
        }
    }

    /// The name in the place of a calendar: that of a calendar, or of a thing in one.
    var shelfName: (member: Identifier, name: String)? {
        switch self {
        case .calendar(let member, let name), .event(let member, let name, _): (member, name)
        default: nil
        }
    }

    /// The same address, once it is known that a list has the name.
    func ofTasks(_ list: Identifier) -> DavPlace {
        switch self {
        case .calendar(let member, let name): .list(member, DavListName(list, as: name))
        case .event(let member, let name, let item): .todo(member, DavListName(list, as: name), item)
        default: self
        }
    }

    /// Whether it is one thing, and no collection of things.
    var isItem: Bool { itemName != nil }

    /// The name of one thing; `nil` for a collection.
    var itemName: String? {
        switch self {
        case .contact(let name), .event(_, _, let name), .todo(_, _, let name): name
        default: nil
        }
    }

    /// What can be the name of a thing.
    private static func isName(_ text: String) -> Bool {
        (1...200).contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }
}

/// A list with its name in an address: the name that its client gave it, or its identifier.
struct DavListName: Equatable {
    let list: Identifier
    let name: String

    init(_ list: Identifier, as name: String? = nil) {
        self.list = list
        self.name = name ?? Self.head + list.description
    }

    /// Reads the name that a list has of itself.
    fileprivate init?(_ name: String) {
        guard name.hasPrefix(Self.head), let list = Identifier(name.dropFirst(Self.head.count)) else { return nil }
        self.init(list, as: name)
    }

    private static let head = "list-"
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).first }
}

/// Percent encoding of one part of a path (RFC 3986, 2.1).
enum Percent {
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var out = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "@"):
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                out.append("%")
                out.append(digits[Int(byte >> 4)])
                out.append(digits[Int(byte & 15)])
            }
        }
        return out
    }

    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
