extension HTTPHeaders {
    /// The values of all cookies of that name (RFC 6265 §4.2), in order; names are case-sensitive. Quotes around a
    /// value stay. More than one means that somebody else set one too.
    public func cookies(_ name: String) -> [String] {
        values("Cookie").flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.compactMap { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            guard ASCII.trimmed(pair[..<equals]).utf8.elementsEqual(name.utf8) else { return nil }
            return ASCII.trimmed(pair[pair.index(after: equals)...])
        }
    }
}
