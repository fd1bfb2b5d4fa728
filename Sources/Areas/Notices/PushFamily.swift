import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// The family's permission for push services, the one use for which the daemon speaks to machines outside. It is off
/// until an admin allows it.
struct PushFamily {
    var isOn: Bool
    /// The address to which a push service writes if something is wrong (RFC 8292 §2.1): `mailto:` or `https:`.
    var contact: String?
    /// Hosts that are asked besides the known ones.
    var hosts: [String]
    /// The family's key. Browsers accept only pushes that are signed with it.
    let key: P256Key

    /// The hosts of the push services of Chromium and its kin, of Firefox, of Safari, and of Edge.
    static let known = [
        "fcm.googleapis.com", "jmt17.google.com", "updates.push.services.mozilla.com",
        "*.push.services.mozilla.com", "web.push.apple.com", "*.push.apple.com", "*.notify.windows.com",
    ]

    /// `nil` if no admin has decided yet.
    static func find(_ act: Act) throws(Rejection) -> PushFamily? {
        try act.first("SELECT is_on, contact, hosts, key FROM notice_push") { row in
            P256Key(scalar: row.blob("key")).map { key in
                PushFamily(
                    isOn: row.bool("is_on"), contact: row.optionalText("contact"),
                    hosts: row.text("hosts").split(separator: " ").map { String($0) }, key: key)
            }
        } ?? nil
    }

    func save(_ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR REPLACE INTO notice_push (one, is_on, contact, hosts, key) VALUES (1, ?, ?, ?, ?)", .bool(isOn),
            Value(contact), .text(hosts.joined(separator: " ")), .blob(key.scalar))
    }

    /// Whether the daemon sends pushes to a host.
    func asks(_ host: String) -> Bool {
        let name = host.split(separator: ":").first.map { String($0) } ?? host
        return Self.known.contains { $0 == name || $0.hasPrefix("*.") && name.hasSuffix($0.dropFirst()) }
            || hosts.contains { $0 == host || $0.hasPrefix("*.") && name.hasSuffix($0.dropFirst()) }
    }

    // MARK: Signing

    /// The field of a push that identifies its sender (RFC 8292), valid for half a day at one push service.
    func authorization(for origin: String, now: Instant) -> String {
        let head = #"{"typ":"JWT","alg":"ES256"}"#
        let claims = JSON.object(leavingOut: [
            "aud": .string(origin), "exp": .int(now.milliseconds / 1000 + 12 * 3600),
            "sub": contact.map { .string($0) },
        ])
        let text = Base64.urlEncode(Array(head.utf8)) + "." + Base64.urlEncode(Self.bytes(claims))
        let token = text + "." + Base64.urlEncode(key.sign(Array(text.utf8)))
        return "vapid t=\(token), k=\(Base64.urlEncode(key.point))"
    }

    static func bytes(_ json: JSON) -> [UInt8] { json.bytes }

    // MARK: Endpoints

    /// An endpoint's scheme, host and port, and its host with a port that is not the usual one; `nil` if it cannot be
    /// asked.
    static func origin(of endpoint: String) -> (text: String, host: String)? {
        guard endpoint.hasPrefix("https://"), endpoint.utf8.count <= Limits.pushEndpointBytesMax,
            endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C })
        else { return nil }
        let host = endpoint.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty, !host.contains("@") else { return nil }
        let name = host.lowercased()
        return ("https://" + name, name.hasSuffix(":443") ? String(name.dropLast(4)) : name)
    }

    /// Whether a browser can have the family's page at this address: scheme, host and port, and nothing after them.
    static func isPage(_ text: String) -> Bool {
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            return isHost(String(text.dropFirst(scheme.count)))
        }
        return false
    }

    /// Whether an admin may add the text: a host, all hosts below a name, or a host within the house.
    static func isHost(_ text: String) -> Bool {
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        return !name.isEmpty && text.utf8.count <= 255
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
