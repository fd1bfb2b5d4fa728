import KinCodec
import KinCrypto
import KinModel
import KinWords

/// A configuration profile, which sets up an iPhone, an iPad or a Mac for the family's calendars and contacts. Apple's
/// Device Management documentation describes the payloads `Configuration`, `com.apple.security.root`,
/// `com.apple.caldav.account` and `com.apple.carddav.account`.
struct SetUpProfile {
    private let answer: JSON
    private let site: Site
    private let words: PageWords

    /// - Parameter answer: Of `appPassword.take`.
    init(_ answer: JSON, _ site: Site) {
        self.answer = answer
        self.site = site
        let language = answer["language"]?.string.flatMap { Language(name: $0) } ?? .english
        words = PageWords(language, site.zone)
    }

    static let mediaType = "application/x-apple-aspen-config"

    private func text(_ name: String) -> String { answer[name]?.string ?? "" }

    /// As a property list.
    var text: String {
        let family = text("family")
        var payloads: [PropertyList] = []
        if let der = rootDER {
            payloads.append(
                payload(
                    "com.apple.security.root", "root", words.text("page.profile.root", ["family": family]),
                    [
                        ("PayloadCertificateFileName", .text("kinwire-root.cer")), ("PayloadContent", .data(der)),
                    ]))
        }
        payloads.append(account("CalDAV", "caldav", words.text("page.profile.calendars", ["family": family])))
        payloads.append(account("CardDAV", "carddav", words.text("page.profile.contacts", ["family": family])))
        let profile = payload(
            "Configuration", "profile", words.text("page.profile.title", ["family": family]),
            [
                ("PayloadContent", .list(payloads)), ("PayloadOrganization", .text(family)),
                ("PayloadRemovalDisallowed", .truth(false)),
            ], description: words.text("page.profile.what", ["name": text("name"), "device": text("device")]))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            \(profile.xml)
            </plist>

            """
    }

    /// An account at this daemon; `prefix` is what its keys begin with.
    private func account(_ prefix: String, _ kind: String, _ title: String) -> PropertyList {
        let url = site.canonicalURL
        let host = Site.host(ofURL: url)
        let name = Site.name(ofHost: host)
        let isEnciphered = url.hasPrefix("https:")
        let port = host.split(separator: ":").last.flatMap { host.hasSuffix("]") ? nil : Int64($0) }
        // Guests have no username that they know; the app password alone says who it is.
        let username = text("username").isEmpty ? "kin" : text("username")
        return payload(
            "com.apple.\(kind).account", kind, title,
            [
                ("\(prefix)AccountDescription", .text(title)), ("\(prefix)HostName", .text(name)),
                ("\(prefix)Port", .number(port ?? (isEnciphered ? 443 : 80))),
                ("\(prefix)UseSSL", .truth(isEnciphered)),
                ("\(prefix)Username", .text(username)), ("\(prefix)Password", .text(text("password"))),
                ("\(prefix)PrincipalURL", .text("/dav/principals/\(text("member"))/")),
            ])
    }

    /// The part that every payload has. The same member's profile of the same family replaces the one before it.
    private func payload(
        _ type: String, _ kind: String, _ title: String, _ more: [(String, PropertyList)], description: String? = nil
    ) -> PropertyList {
        let identifier = "kinwire.\(text("member")).\(kind)"
        var parts: [(String, PropertyList)] = [
            ("PayloadType", .text(type)), ("PayloadVersion", .number(1)), ("PayloadIdentifier", .text(identifier)),
            ("PayloadUUID", .text(Self.uuid(identifier + Site.host(ofURL: site.canonicalURL)))),
            ("PayloadDisplayName", .text(title)),
        ]
        if let description { parts.append(("PayloadDescription", .text(description))) }
        return .dictionary(parts + more)
    }

    /// A UUID made of a name (RFC 9562, 5.8).
    private static func uuid(_ name: String) -> String {
        var bytes = Array(Digest.sha256(Array(name.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = Array(Hex.encode(bytes).uppercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
    }

    /// The family's root, where devices have to be told to trust it.
    private var rootDER: [UInt8]? {
        guard site.pinnedRoot != nil, let pem = site.rootPEM else { return nil }
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").map { $0.filter { $0 != "\r" } }
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN CERTIFICATE") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END CERTIFICATE") })
        else { return nil }
        return Base64.decode(lines[(begin + 1)..<end].joined())
    }
}

/// A property list, as Apple's DTD has it.
private enum PropertyList {
    case text(String)
    case number(Int64)
    case truth(Bool)
    case data([UInt8])
    case list([PropertyList])
    case dictionary([(String, PropertyList)])

    var xml: String {
        switch self {
        case .text(let text): "<string>\(Self.escaped(text))</string>"
        case .number(let number): "<integer>\(number)</integer>"
        case .truth(let isTrue): isTrue ? "<true/>" : "<false/>"
        case .data(let bytes): "<data>\(Base64.encode(bytes))</data>"
        case .list(let all): "<array>\n\(all.map(\.xml).joined(separator: "\n"))\n</array>"
        case .dictionary(let all):
            "<dict>\n\(all.map { "<key>\($0.0)</key>\($0.1.xml)" }.joined(separator: "\n"))\n</dict>"
        }
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            // XML 1.0 has no way to write the others.
            case _ where scalar.value >= 0x20 || scalar == "\n" || scalar == "\t": out.unicodeScalars.append(scalar)
            default: break
            }
        }
        return out
    }
}
