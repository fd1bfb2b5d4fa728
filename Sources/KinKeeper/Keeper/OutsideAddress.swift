package import KinModel

/// An address outside that a member hands in, to be read again and again: a calendar's, a feed's. Whether its host may be
/// asked is judged by the daemon each time.
package enum OutsideAddress {
    /// Bytes of an address.
    package static let bytesMax = Limits.outsideAddressBytesMax

    /// The address as it is asked. `secure`: words that stand for `https`, such as `webcal`. `wrong`: the refusal of what is
    /// no address. `http://` is taken for a machine of the house of which an admin said so.
    package static func read(
        _ text: String, secure: Set<String>, wrong: String, _ act: Act
    ) throws(Rejection) -> String {
        let wrong = Rejection(.invalid, wrong, field: "address")
        guard let (scheme, rest) = parts(text), text.utf8.count <= bytesMax,
            rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
        else { throw wrong }
        let host = rest.prefix { !"/?#".contains($0) }
        guard !host.isEmpty else { throw wrong }
        guard !host.contains("@") else {
            throw Rejection(
                .invalid, "An address with a user name or a password in it is not read; ask for one without.",
                field: "address")
        }
        let word = scheme.lowercased()
        if word == "https" || secure.contains(word) { return "https://" + rest }
        guard word == "http" else { throw wrong }
        guard try act.mayAskPlain(String(host)) else {
            throw Rejection(
                .invalid,
                "What comes by http:// can be read and changed on its way; take https://. If it is a machine of the house, an admin types: kin outside allow \(host.lowercased()) --plain",
                field: "address")
        }
        return "http://" + rest
    }

    private static func parts(_ text: String) -> (Substring, Substring)? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = text[text.utf8.index(after: colon)...]
        return rest.hasPrefix("//") ? (text[..<colon], rest.dropFirst(2)) : nil
    }
}
