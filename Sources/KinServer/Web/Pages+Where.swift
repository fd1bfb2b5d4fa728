import KinCodec
import KinModel

/// What a guest link shows to people outside the family: one dot and how old it is. It comes again by itself, runs no
/// script and asks no other server for anything; a map is what the visitor's own device opens with `geo:` (RFC 5870).
extension Pages {
    /// Seconds after which the page comes again.
    static let whereRefreshSeconds = 30

    static func whereabouts(_ secret: String, _ visit: Visit) -> Step {
        askAsNobody("guestLink.open", ["secret": .string(secret)]) { result in
            switch result {
            case .success(let shown): .show(page(of: shown, now: visit.now).answer)
            case .failure(let rejection) where rejection.kind == .notFound || rejection.kind == .params:
                show(
                    .sorry(
                        404, "This link is not good", "<p>It may have ended, or its owner took it back.</p>"))
            case .failure(let rejection): show(.sorry(rejection))
            }
        }
    }

    private static func page(of shown: JSON, now: Instant) -> Page {
        Page(
            title: "Where they are", headers: ["Refresh": String(whereRefreshSeconds)], content: content(shown, now))
    }

    private static func content(_ shown: JSON, _ now: Instant) -> HTML {
        let end: HTML? = shown["until"]?.instant.map {
            "<p class=\"note\">This link ends <time datetime=\"\($0.description)\">\(minute($0))</time>.</p>"
        }
        guard let lat = shown["lat"]?.double, let lon = shown["lon"]?.double, let at = shown["at"]?.instant else {
            return "<p>Nothing is shared just now. This page looks again by itself.</p>\n\(end)"
        }
        let isCoarse = shown["precision"]?.string == Precision.coarse.rawValue
        let place = "\(degrees(lat)),\(degrees(lon))"
        // RFC 5870 §3.4.3: the uncertainty in metres.
        let address = isCoarse ? "geo:\(place);u=750" : "geo:\(place)"
        let around: HTML? = isCoarse ? "<p>Somewhere within about a kilometre of:</p>" : nil
        return """
            \(around)<p class="dot"><strong>\(degrees(abs(lat)))° \(lat < 0 ? "S" : "N"), \
            \(degrees(abs(lon)))° \(lon < 0 ? "W" : "E")</strong></p>
            <p><time datetime="\(at.description)">\(age(at, now: now))</time>.</p>
            \(Page.link("Open in your map", to: address))
            \(end)
            """
    }

    /// To five places, a metre.
    private static func degrees(_ number: Double) -> String { JSON.double((number * 100_000).rounded() / 100_000).text }

    private static func age(_ at: Instant, now: Instant) -> String {
        let minutes = max(0, now.milliseconds(since: at)) / 60_000
        switch minutes {
        case 0: return "Less than a minute ago"
        case 1: return "A minute ago"
        case ..<120: return "\(minutes) minutes ago"
        case ..<2880: return "\(minutes / 60) hours ago"
        default: return "\(minutes / 1440) days ago"
        }
    }
}
