import KinCalendar
import KinCodec
import KinModel
import KinWords

/// The texts of a page in the visitor's language and zone. They are in the files of `KinWords`, and none is here.
struct PageWords: Sendable {
    let reader: Reader
    private let zone: Zone

    init(_ language: Language, _ zone: Zone, clock: Reader.Clock = .hours24) {
        reader = Reader(language, zone, clock: clock)
        self.zone = zone
    }

    /// For a browser: in the language and with the clock that the member set, otherwise as the browser has them.
    init(_ head: HTTPRequestHead, in zone: Zone) {
        let (language, range) = Language.accepted(head.headers.values("Accept-Language").joined(separator: ","))
        let own = head.headers.cookies(Policy.languageCookie).first.flatMap { Language(rawValue: $0) }
        let clock: Reader.Clock =
            switch head.headers.cookies(Policy.clockCookie).first.flatMap({ Settings.Clock(rawValue: $0) }) {
            case .hours12?: .hours12
            case .hours24?: .hours24
            case nil: Reader.Clock(locale: range)
            }
        self.init(own ?? language, zone, clock: clock)
    }

    /// The language's tag (RFC 5646), for `lang` and `Content-Language`.
    var tag: String { reader.language.rawValue }

    /// A text with its markup, which is ours. The values filled in are HTML, and so escaped already.
    func callAsFunction(_ key: String, _ values: KeyValuePairs<String, HTML> = [:]) -> HTML {
        guard let phrase = reader.language.phrases[key] else { return "\(key)" }
        func value(_ name: String) -> String { values.first { $0.key == name }?.value.markup ?? name }
        let markup = phrase.parts.map { part in
            switch part {
            case .text(let text): text
            case .value(let name): value(name)
            case .form(let name, let one, let other): reader.language.form(of: value(name)) == .one ? one : other
            }
        }
        return HTML(stringLiteral: markup.joined())
    }

    /// A text without markup: a title, a label, a button.
    func text(_ key: String, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]) -> String {
        reader.phrase(key, values)
    }

    /// A text in a paragraph of its own.
    func paragraph(_ key: String, _ values: KeyValuePairs<String, HTML> = [:]) -> HTML {
        "<p>\(self(key, values))</p>\n"
    }

    /// A heading with this text.
    func heading(_ key: String) -> HTML { "<h2>\(self(key))</h2>\n" }

    /// Why the keeper refused.
    func refusal(_ rejection: Rejection) -> String { reader.refusal(rejection) }

    // MARK: Times and names

    /// `2026-11-20 18:04 CET`: with the zone's name, since the reader may be in another zone.
    func minute(_ instant: Instant) -> String { "\(reader.long(instant)) \(abbreviation(at: instant))" }

    /// The same, for programs too.
    func time(_ instant: Instant) -> HTML { "<time datetime=\"\(instant.description)\">\(minute(instant))</time>" }

    /// What the zone's time is called at a moment.
    func abbreviation(at instant: Instant) -> String { zone.abbreviation(at: instant) }

    /// `Ada, Ben and Cleo`.
    func list(_ names: [String]) -> HTML { list(names.map { HTML.written($0) }, "several.and") }

    /// The same, joined by `several.and` or `several.or`.
    func list(_ names: [HTML], _ key: String) -> HTML {
        let strong = names.map { "<strong>\($0)</strong>" as HTML }
        guard let last = strong.last, strong.count > 1 else { return strong.first ?? "" }
        let others = strong.dropLast().map(\.markup).joined(separator: ", ")
        return self(key, ["names": HTML(stringLiteral: others), "last": last])
    }

    /// How precisely somebody sees a position.
    func sees(_ precision: String) -> String {
        switch Precision(rawValue: precision) {
        case .exact: text("page.sees.exact")
        case .coarse: text("page.sees.coarse")
        case .place: text("page.sees.place")
        case .home: text("page.sees.home")
        case .off, nil: text("page.sees.nothing")
        }
    }
}
