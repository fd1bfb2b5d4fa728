import KinCodec
import KinLoop

/// A proxy's word on its client, from the one header that is believed.
struct Forwarding: Equatable {
    /// The header cannot be read.
    struct Unreadable: Error {}

    /// The rightmost address that is no trusted proxy: each proxy appends its own client. `nil` where that place holds
    /// no address, since everything to the left of it was written by nobody who is trusted.
    var client: IPAddress?
    /// Whether that client came by https; `nil` where it is not said.
    var isSecure: Bool?

    /// The first header in a head that comes from a proxy.
    static func name(in headers: HTTPHeaders) -> String? {
        let names: Set<String> = ["forwarded", "x-real-ip", "true-client-ip", "cf-connecting-ip", "via"]
        return headers.fields.lazy.map(\.name).first { name in
            let name = name.lowercased()
            return name.hasPrefix("x-forwarded-") || names.contains(name)
        }
    }

    /// Reads the header of this form; `nil` when there is none.
    static func read(
        _ word: ProxyWord, _ headers: HTTPHeaders, isProxy: (IPAddress) -> Bool
    ) throws(Unreadable) -> Forwarding? {
        switch word {
        case .xForwardedFor: xForwardedFor(headers, isProxy)
        case .forwarded: try forwarded(headers, isProxy)
        case .proxy: nil
        }
    }

    private static func xForwardedFor(_ headers: HTTPHeaders, _ isProxy: (IPAddress) -> Bool) -> Forwarding? {
        func list(_ name: String) -> [Substring] {
            headers.values(name).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        }
        let hops = list("X-Forwarded-For")
        // The last one is from the nearest proxy. For WebSockets some proxies write `wss` or `ws`.
        let scheme = list("X-Forwarded-Proto").last.map { trimmed($0).lowercased() }
        guard !hops.isEmpty || scheme != nil else { return nil }
        var found = Forwarding(client: nil, isSecure: scheme.map { $0 == "https" || $0 == "wss" })
        for hop in hops.reversed() {
            found.client = address(ofNode: trimmed(hop))
            guard let client = found.client, isProxy(client) else { break }
        }
        return found
    }

    private static func forwarded(
        _ headers: HTTPHeaders, _ isProxy: (IPAddress) -> Bool
    ) throws(Unreadable) -> Forwarding? {
        let lines = headers.values("Forwarded")
        if lines.isEmpty { return nil }
        var elements: [[String: String]] = []
        for line in lines {
            var reader = ForwardedReader(line)
            elements += try reader.elements()
        }
        var found = Forwarding()
        for element in elements.reversed() {
            found.client = element["for"].flatMap { address(ofNode: $0) }
            // The proxy that names a client also says how that client came.
            found.isSecure = element["proto"].map { $0.lowercased() == "https" } ?? false
            guard let client = found.client, isProxy(client) else { return found }
        }
        guard !elements.isEmpty else { throw Unreadable() }
        return found
    }

    /// An address with or without a port: `203.0.113.9:47`, `[2001:db8::9]:47`, `2001:db8::9`. Obfuscated and unknown
    /// nodes have none.
    static func address(ofNode node: String) -> IPAddress? {
        if node.hasPrefix("[") {
            guard let end = node.firstIndex(of: "]") else { return nil }
            let rest = node[end...].dropFirst()
            guard rest.isEmpty || rest.hasPrefix(":"), let address = IPAddress(node[..<end].dropFirst()) else {
                return nil
            }
            return node[..<end].contains(":") ? address : nil
        }
        let parts = node.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? IPAddress(parts[0]) : IPAddress(node)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}

/// Reads a line of `Forwarded` (RFC 7239 §4): elements between commas, of pairs between semicolons, whose values may
/// stand in quotes and hold commas there.
private struct ForwardedReader {
    private var rest: Substring.UTF8View

    init(_ line: String) { rest = Substring(line).utf8 }

    /// The elements that are not empty, their names in lower case.
    mutating func elements() throws(Forwarding.Unreadable) -> [[String: String]] {
        var elements: [[String: String]] = []
        var element: [String: String] = [:]
        while true {
            skipSpace()
            switch rest.first {
            case nil, UInt8(ascii: ","):
                if !element.isEmpty { elements.append(element) }
                element = [:]
                if rest.popFirst() == nil { return elements }
            case UInt8(ascii: ";"): rest.removeFirst()
            default:
                let name = try token().lowercased()
                guard rest.popFirst() == UInt8(ascii: "="), element[name] == nil else { throw Forwarding.Unreadable() }
                element[name] = try value()
                skipSpace()
                // After a value, a pair or an element must begin.
                guard rest.first.map({ $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }) ?? true else {
                    throw Forwarding.Unreadable()
                }
            }
        }
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    /// At least one character that is no separator. Colons and brackets must be quoted, but often are not.
    private mutating func token() throws(Forwarding.Unreadable) -> String {
        let separators = Array(" \t,;\"=\\".utf8)
        let found = rest.prefix { !separators.contains($0) && $0 > 0x20 && $0 != 0x7F }
        guard !found.isEmpty else { throw Forwarding.Unreadable() }
        rest = rest.dropFirst(found.count)
        return String(Substring(found))
    }

    private mutating func value() throws(Forwarding.Unreadable) -> String {
        guard rest.first == UInt8(ascii: "\"") else { return try token() }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { throw Forwarding.Unreadable() }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        throw Forwarding.Unreadable()
    }
}
