import KinCodec
import KinModel
import KinWords

/// The page of a guest link, for people outside the family: it shows a person, by the name chosen for the link, and
/// where they are.
///
/// Opening the address shows nothing: messengers fetch it for a preview, and scanners open it. The answer to GET is the
/// same for every address, valid or not, and does not count as a look. The page then asks by POST: by
/// script, or by its button without script. With what it got it opens its stream (``GuestStreamDoor``), and where that
/// fails it asks again and again. What stands there already is not sent again. It asks no other server for anything: its map is drawn here, and the visitor
/// opens one with streets by a tap.
extension Pages {
    /// Seconds after which the page asks again where it has no stream: a dot that moves is seen to move.
    static let whereRefreshSeconds = 3

    /// The page before anything is asked.
    static func whereaboutsDoor(_ words: PageWords) -> HTTPAnswer {
        linkPage(
            words, title: words.text("page.where.title"), hasScript: true,
            """
            <div class="card" data-live="\(HTML.number(whereRefreshSeconds))">
            \(words.paragraph("page.where.door"))\
            \(lookForm(words, "page.where.look"))\(away(words))
            </div>
            """
        ).answer
    }

    static func whereabouts(_ secret: String, _ typed: FormFields, _ visit: Visit) -> Step {
        var params: JSON.Object = ["secret": .string(secret)]
        if let seen = typed["seen"], !seen.isEmpty { params["seen"] = .string(String(seen.prefix(64))) }
        if typed["whole"] != nil { params["whole"] = true }
        return askAsNobody("guestLink.open", params) { result in
            if case .success(let shown) = result, shown["same"]?.bool == true {
                return .show(HTTPAnswer(204, ["Cache-Control": "no-store"]))
            }
            return answer(result, visit.words, gone: gone(visit.words), hasScript: true) {
                whereaboutsPage(of: $0, visit)
            }
        }
    }

    private static func gone(_ words: PageWords) -> (title: String, text: HTML) {
        (words.text("page.where.gone.title"), words.paragraph("page.where.gone"))
    }

    /// The page of a link that is over.
    static func whereaboutsGone(_ words: PageWords) -> Page {
        let gone = gone(words)
        return linkPage(words, 404, title: gone.title, hasScript: true, gone.text)
    }

    private static func lookForm(_ words: PageWords, _ key: String, isQuiet: Bool = false) -> HTML {
        "<form method=\"post\"><button\(isQuiet ? " class=\"quiet\"" as HTML : nil) name=\"look\" value=\"yes\">\(words(key))</button></form>\n"
    }

    /// The text that the script shows while the daemon is not reached.
    private static func away(_ words: PageWords) -> HTML {
        "<p class=\"wrong\" role=\"status\" data-away hidden>\(words("page.where.away"))</p>"
    }

    /// The page with what a link shows.
    static func whereaboutsPage(of shown: JSON, _ visit: Visit) -> Page {
        let words = visit.words
        let name = shown["name"]?.string
        return linkPage(
            words,
            title: name.map { words.text("page.where.of", ["name": Unseen.cleaned($0)]) }
                ?? words.text("page.where.title"), hasScript: true,
            """
            <div class="card" data-live="\(HTML.number(whereRefreshSeconds))" data-seen="\(shown["state"]?.string ?? "")">
            \(content(shown, visit))\(away(words))
            </div>
            \(shown["until"]?.instant.map { end(words, $0, now: visit.now) })\
            \(lookForm(words, "page.where.again", isQuiet: true))
            """)
    }

    private static func end(_ words: PageWords, _ until: Instant, now: Instant) -> HTML {
        // A time that is shown in hours is rounded to hours.
        let left = max(0, until.milliseconds(since: now) / 1000)
        let seconds = left < 3600 ? left : left + 1800
        let span = words.reader.span(seconds: seconds, isAfterPreposition: true)
        return "<p class=\"note\">\(words("page.where.ends", ["span": "\(span)", "time": words.time(until)]))</p>\n"
    }

    private static func content(_ shown: JSON, _ visit: Visit) -> HTML {
        let words = visit.words
        guard let lat = shown["lat"]?.double, let lon = shown["lon"]?.double, let at = shown["at"]?.instant else {
            return words.paragraph("page.where.nothing")
        }
        let isCoarse = shown["precision"]?.string == Precision.coarse.rawValue
        let northing = lat < 0 ? "page.where.south" : "page.where.north"
        let easting = lon < 0 ? "page.where.west" : "page.where.east"
        let numbers: HTML =
            "\(written(abs(lat), words))° \(words(northing)), \(written(abs(lon), words))° \(words(easting))"
        let around: HTML? = isCoarse ? words.paragraph("page.where.coarse") : nil
        // The script counts on, and has no words of its own.
        let age = "data-now=\"\(words.text("age.now"))\" datetime=\"\(at.description)\"" as HTML
        let old = words(
            "page.where.age",
            ["age": "<time class=\"age\" \(age)>\(words.reader.age(at, now: visit.now))</time>"])
        return """
            <p class="dot"><strong>\(place(words, shown) ?? numbers)</strong></p>
            <p>\(old)</p>
            \(whereaboutsMap(words, shown, lat: lat, lon: lon, isCoarse: isCoarse))\(around)<p class="hint">\(numbers)</p>
            \(maps(words, lat, lon, isCoarse: isCoarse, visit))
            """
    }

    /// The position in words: a place that was ticked for this link, and the town.
    private static func place(_ words: PageWords, _ shown: JSON) -> HTML? {
        let town = shown["town"]?["name"]?.string.map { HTML.written($0) }
        guard let place = shown["place"]?.string.map({ HTML.written($0) }) else {
            return town.map { words("page.where.near", ["town": $0]) }
        }
        return town.map { words("page.where.at-near", ["place": place, "town": $0]) }
            ?? words("page.where.at", ["place": place])
    }

    /// Links to maps that any device can open. A position that is only known as a cell gets no mark. Android's own map
    /// takes `geo:` (RFC 5870).
    private static func maps(_ words: PageWords, _ lat: Double, _ lon: Double, isCoarse: Bool, _ visit: Visit) -> HTML {
        let (lat, lon) = (degrees(lat), degrees(lon))
        let mark = isCoarse ? "" : "?mlat=\(lat)&mlon=\(lon)"
        let map = "https://www.openstreetmap.org/\(mark)#map=\(isCoarse ? 14 : 16)/\(lat)/\(lon)"
        let isAndroid = visit.head.headers["User-Agent"]?.hasBytes(of: "Android") ?? false
        // RFC 5870 §3.4.3: the uncertainty in metres.
        let own: HTML? =
            isAndroid
            ? Page.link(words.text("page.where.open-own"), to: "geo:\(lat),\(lon)" + (isCoarse ? ";u=750" : "")) : nil
        return """
            <p><a class="button" href="\(map)" target="_blank" rel="noreferrer noopener">\
            \(words("page.where.open"))</a></p>
            \(own)
            """
    }

    /// The same, with the point or comma of the reader's language.
    private static func written(_ number: Double, _ words: PageWords) -> HTML {
        "\(degrees(number).split(separator: ".").joined(separator: words.text("number.point")))"
    }

    /// Rounded to five decimal places, about a metre.
    private static func degrees(_ number: Double) -> String { JSON.double((number * 100_000).rounded() / 100_000).text }
}
