extension FetchURL {
    /// Where a reference leads from here (RFC 3986 §5.2), as the field `Location` has it.
    public func following(_ reference: String) throws(FetchFailure) -> FetchURL {
        let bytes = try Self.cleaned(reference)
        if let colon = Self.endOfScheme(bytes) {
            guard bytes.dropFirst(colon + 1).starts(with: [0x2F, 0x2F]) else {
                throw .badRequest("Only https:// and http:// addresses are asked.")
            }
            return try FetchURL(scheme: bytes[..<colon], hierarchy: bytes[(colon + 3)...])
        }
        if bytes.starts(with: [0x2F, 0x2F]) {
            return try FetchURL(
                scheme: Array((origin.isEnciphered ? "https" : "http").utf8)[...], hierarchy: bytes[2...])
        }
        let whole = bytes.prefix { $0 != UInt8(ascii: "#") }
        let path = whole.prefix { $0 != UInt8(ascii: "?") }
        let query = whole[path.endIndex...]
        let here = Array(target.utf8)
        let ownPath = here.prefix { $0 != UInt8(ascii: "?") }
        let target: [UInt8]
        if path.isEmpty {
            target = Array(ownPath) + (query.isEmpty ? here[ownPath.endIndex...] : query)
        } else if path.first == 0x2F {
            target = Self.withoutDots(path) + query
        } else {
            let folder = ownPath[...(ownPath.lastIndex(of: 0x2F) ?? 0)]
            target = Self.withoutDots((folder + path)[...]) + query
        }
        guard target.count <= Self.bytesMax else {
            throw .badRequest("An address has at most \(Self.bytesMax) bytes.")
        }
        return FetchURL(origin: origin, target: String(decoding: target, as: UTF8.self))
    }

    /// Where the colon stands, when the text begins with a scheme (RFC 3986 §3.1).
    private static func endOfScheme(_ bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, isLetter(first),
            let end = bytes.firstIndex(where: { byte in
                !(isLetter(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte))
            }), bytes[end] == UInt8(ascii: ":")
        else { return nil }
        return end
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
