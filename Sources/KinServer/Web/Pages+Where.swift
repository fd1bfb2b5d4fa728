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
            case .success(let shown): .show(page(visit.words, of: shown, now: visit.now).answer)
            case .failure(let rejection) where rejection.kind == .notFound || rejection.kind == .params:
                show(
                    .sorry(
                        visit.words, 404, visit.words.text("page.where.gone.title"),
                        visit.words.paragraph("page.where.gone")))
            case .failure(let rejection): show(.sorry(visit.words, rejection))
            }
        }
    }

    private static func page(_ words: PageWords, of shown: JSON, now: Instant) -> Page {
        Page(
            words: words, title: words.text("page.where.title"), headers: ["Refresh": String(whereRefreshSeconds)],
            content: content(words, shown, now))
    }

    private static func content(_ words: PageWords, _ shown: JSON, _ now: Instant) -> HTML {
        let end: HTML? = shown["until"]?.instant.map {
            "<p class=\"note\">\(words("page.where.ends", ["time": words.time($0)]))</p>"
        }
        guard let lat = shown["lat"]?.double, let lon = shown["lon"]?.double, let at = shown["at"]?.instant else {
            return "\(words.paragraph("page.where.nothing"))\(end)"
        }
        let isCoarse = shown["precision"]?.string == Precision.coarse.rawValue
        let place = "\(degrees(lat)),\(degrees(lon))"
        // RFC 5870 §3.4.3: the uncertainty in metres.
        let address = isCoarse ? "geo:\(place);u=750" : "geo:\(place)"
        let around: HTML? = isCoarse ? words.paragraph("page.where.coarse") : nil
        let northing = lat < 0 ? "page.where.south" : "page.where.north"
        let easting = lon < 0 ? "page.where.west" : "page.where.east"
        return """
            \(around)<p class="dot"><strong>\(degrees(abs(lat)))° \(words(northing)), \
            \(degrees(abs(lon)))° \(words(easting))</strong></p>
            <p><time datetime="\(at.description)">\(age(words, at, now: now))</time>.</p>
            \(Page.link(words.text("page.where.open"), to: address))
            \(end)
            """
    }

    /// To five places, a metre.
    private static func degrees(_ number: Double) -> String { JSON.double((number * 100_000).rounded() / 100_000).text }

    private static func age(_ words: PageWords, _ at: Instant, now: Instant) -> HTML {
        let minutes = max(0, now.milliseconds(since: at)) / 60_000
        switch minutes {
        case 0: return words("page.where.seconds")
        case 1: return words("page.where.minute")
        case ..<120: return words("page.where.minutes", ["count": .number(minutes)])
        case ..<2880: return words("page.where.hours", ["count": .number(minutes / 60)])
        default: return words("page.where.days", ["count": .number(minutes / 1440)])
        }
    }
}
