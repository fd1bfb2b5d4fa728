import KinClient
import KinCodec
import KinLoop
import KinModel
import KinWords

/// The address at which a family is reached from outside, for links and phones, with the root certificate that belongs
/// to it.
struct Site {
    /// The address, such as `https://kin.local:5469`, without a slash at the end.
    let url: String
    /// `nil` if a public authority signed the certificate, or if there is no encryption.
    let fingerprint: Fingerprint?

    /// The site of the daemon behind a door. Over the Unix socket the daemon gives it; otherwise it is the door's
    /// address.
    init(_ door: Door) throws(Problem) {
        guard door.isUnix else {
            var text = door.address.description
            for (scheme, web) in [("wss:", "https:"), ("ws:", "http:")] where text.hasPrefix(scheme) {
                text = web + text.dropFirst(scheme.count)
            }
            url = text
            fingerprint = door.login?.pin
            return
        }
        let (description, root) = try client { () throws(ClientFailure) in
            let wire = try Wire.open(door.address)
            let web = WebConversation(over: wire)
            let description = try web.ask(.get, "/api/openapi.json")
            let root = try web.ask(.get, "/ca.crt")
            return (description, root)
        }
        guard let json = try? JSON.parse(description.body, depthMax: 200),
            let first = json["servers"]?.array?.first?["url"]?.string
        else { throw Problem(.notReachable, phrase("site.nowhere")) }
        url = first.hasSuffix("/") ? String(first.dropLast()) : first
        let isEncrypted = url.hasPrefix("https:")
        fingerprint = isEncrypted && root.head.status == 200 ? PinnedAuthority(root.body)?.fingerprint : nil
    }

    /// Says from where the address can be reached, unless it is from everywhere. `isForStrangers` means that people
    /// outside the home will open it.
    func sayReach(_ call: Invocation, isForStrangers: Bool = false) {
        let key: String? =
            switch AddressReach(url: url) {
            case .thisMachine: "reach.here"
            case .ownNetwork: isForStrangers ? "reach.home" : nil
            case .anywhere: nil
            }
        guard let key else { return }
        call.output.say(Plain.wrapped(phrase(key), call.output.width, indent: 2))
    }

    /// Prints a link that people outside the family open, and says from where it can be reached.
    func say(linkForStrangers link: String, _ call: Invocation) {
        call.output.say("  \(link)")
        draw(qr: link, call)
        sayReach(call, isForStrangers: true)
    }

    /// Draws a link for a camera, unless the link would lead a phone to itself.
    func draw(qr link: String, _ call: Invocation) {
        guard AddressReach(url: url) != .thisMachine else { return }
        call.output.draw(qr: link)
    }

    /// A link into the family that carries the root's fingerprint.
    func link(_ path: String) -> String { "\(url)/\(path)" + (fingerprint.map { "#sha256=\($0.hex)" } ?? "") }
}
