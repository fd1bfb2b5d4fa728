public import KinLoop

/// An `http` or `https` address that may be asked (RFC 3986, RFC 9110 §4.2), without credentials and without fragment.
///
/// Its description is its origin alone: the secret address of a calendar is not to be read in a log.
public struct FetchURL: Sendable, Hashable {
    /// Whom it names.
    public enum Host: Sendable, Hashable {
        /// Lower case, without a final dot.
        case name(String)
        /// An address, written as one.
        case address(IPAddress)
    }

    /// Scheme, host and port (RFC 6454).
    public struct Origin: Sendable, Hashable {
        /// `https`.
        public let isEnciphered: Bool
        /// Whom it names.
        public let host: Host
        /// 1 to 65535.
        public let port: UInt16
    }

    /// Bytes of an address at most.
    public static let bytesMax = 4096

    /// Scheme, host and port.
    public let origin: Origin
    /// Path and query as the request line has them: begins with `/`.
    public let target: String

    /// Reads `https://host/path?query`. The fragment is dropped; spaces and what is not ASCII are percent-encoded in path
    /// and query, as browsers do. Credentials, other schemes, host names that are none and numbers in disguise
    /// (`0x7f.1`, `2130706433`) are refused.
    public init(_ text: some StringProtocol) throws(FetchFailure) {
        let bytes = try Self.cleaned(text)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes.dropFirst(colon + 1).starts(with: [0x2F, 0x2F])
        else { throw .badRequest("An address begins with https://.") }
        try self.init(scheme: bytes[..<colon], hierarchy: bytes[(colon + 3)...])
    }

    init(origin: Origin, target: String) {
        self.origin = origin
        self.target = target
    }

    /// From what stands before `://` and behind it.
    init(scheme: ArraySlice<UInt8>, hierarchy: ArraySlice<UInt8>) throws(FetchFailure) {
        let isEnciphered: Bool
        switch String(decoding: scheme, as: UTF8.self).lowercased() {
        case "https": isEnciphered = true
        case "http": isEnciphered = false
        default: throw .badRequest("Only https:// and http:// addresses are asked.")
        }
        let end = hierarchy.firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? hierarchy.endIndex
        let (host, port) = try Self.authority(hierarchy[..<end])
        origin = Origin(isEnciphered: isEnciphered, host: host, port: port ?? (isEnciphered ? 443 : 80))
        target = Self.target(hierarchy[end...])
    }

    /// Whole, for who has to keep it.
    public var text: String { "\(origin)\(target)" }

    // MARK: Reading

    /// Printable ASCII without spaces: other bytes are percent-encoded, control characters and backslashes refused.
    static func cleaned(_ text: some StringProtocol) throws(FetchFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case ..<0x20, 0x7F, UInt8(ascii: "\\"):
                throw .badRequest("An address holds no control characters and no backslash.")
            case 0x20, 0x22, 0x3C, 0x3E, 0x5E, 0x60, 0x7B...0x7D, 0x80...:
                bytes += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
            default: bytes.append(byte)
            }
            guard bytes.count <= bytesMax else {
                throw .badRequest("An address has at most \(bytesMax) bytes.")
            }
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

    private static func authority(_ bytes: ArraySlice<UInt8>) throws(FetchFailure) -> (Host, UInt16?) {
        guard !bytes.contains(UInt8(ascii: "@")) else {
            throw .badRequest("An address with a user name or password in it is not asked; leave them out.")
        }
        var name = bytes
        var digits: ArraySlice<UInt8> = []
        let isBracketed = bytes.first == UInt8(ascii: "[")
        let after = isBracketed ? bytes.firstIndex(of: UInt8(ascii: "]")) ?? bytes.endIndex : bytes.startIndex
        if let colon = bytes[after...].firstIndex(of: UInt8(ascii: ":")) {
            name = bytes[..<colon]
            digits = bytes[(colon + 1)...]
        }
        let host = try Self.host(name, isBracketed: isBracketed)
        if digits.isEmpty { return (host, nil) }
        guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { throw .badRequest("The port of an address is a number from 1 to 65535.") }
        return (host, port)
    }

    /// RFC 1123 §2.1 with underscores; a last label of digits makes it a number that only looks like a name.
    static func host(_ bytes: ArraySlice<UInt8>, isBracketed: Bool) throws(FetchFailure) -> Host {
        if isBracketed {
            guard bytes.last == UInt8(ascii: "]"), bytes.contains(UInt8(ascii: ":")),
                let address = IPAddress(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self))
            else { throw .badRequest("What stands in brackets is no IPv6 address.") }
            return .address(address)
        }
        var name = String(decoding: bytes, as: UTF8.self).lowercased()
        if let address = IPAddress(name) { return .address(address) }
        if name.hasSuffix(".") { name.removeLast() }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName =
            name.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
                    && label.allSatisfy { byte in
                        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
                    }
            }
        guard isName, let last = labels.last, !isNumber(last) else {
            throw .badRequest(
                "The host of this address is neither a name nor an address; write international names as xn--….")
        }
        return .name(name)
    }

    /// As the C library and browsers take it: `127`, `0177`, `0x7f`.
    private static func isNumber(_ label: some Collection<UInt8>) -> Bool {
        label.allSatisfy { (0x30...0x39).contains($0) } || label.starts(with: [0x30, 0x78])
    }

    /// Path and query without dot segments and without the fragment.
    private static func target(_ bytes: ArraySlice<UInt8>) -> String {
        let whole = bytes.prefix { $0 != UInt8(ascii: "#") }
        let path = whole.prefix { $0 != UInt8(ascii: "?") }
        return String(decoding: withoutDots(path) + whole[path.endIndex...], as: UTF8.self)
    }

    /// RFC 3986 §5.2.4; begins with `/` whatever the input.
    static func withoutDots(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var segments: [ArraySlice<UInt8>] = []
        let all = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let given = path.first == UInt8(ascii: "/") ? all.dropFirst() : all[...]
        for (index, segment) in given.enumerated() {
            let isLast = index == given.count - 1
            switch Array(segment) {
            case [0x2E]: if isLast { segments.append([]) }
            case [0x2E, 0x2E]:
                _ = segments.popLast()
                if isLast { segments.append([]) }
            default: segments.append(segment)
            }
        }
        return segments.isEmpty ? [0x2F] : segments.flatMap { [0x2F] + $0 }
    }
}

extension FetchURL.Origin: CustomStringConvertible {
    /// Host and port as the field `Host` has them: the scheme's own port is left out.
    public var authority: String { port == (isEnciphered ? 443 : 80) ? "\(host)" : "\(host):\(port)" }

    /// `https://host:8443`.
    public var description: String { "\(isEnciphered ? "https" : "http")://\(authority)" }
}

extension FetchURL.Host: CustomStringConvertible {
    /// IPv6 in its brackets.
    public var description: String {
        switch self {
        case .name(let name): name
        case .address(let address): address.isV6 ? "[\(address)]" : "\(address)"
        }
    }
}

extension FetchURL: CustomStringConvertible, CustomReflectable {
    /// The origin: what follows it may be a secret.
    public var description: String { "\(origin)" }
    /// The origin alone.
    public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
