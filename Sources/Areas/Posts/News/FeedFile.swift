import KinKeeper
import KinModel
import KinXML

/// The contents of a feed: Atom (RFC 4287), RSS 2.0 and its predecessors, or RSS 1.0. All of it is a stranger's. Markup
/// becomes plain text, nothing is fetched, and what does not fit is cut or left out.
struct FeedFile: Sendable, Equatable {
    struct NoFeed: Error, Equatable {
        let trouble: NewsSource.Trouble
    }

    /// The feed's own name.
    private(set) var title: String?
    /// The feed's page.
    private(set) var site: String?
    /// Its news, each with a key of its own. If there are too many, the newest are taken.
    private(set) var items: [FeedItem] = []
    /// Seconds after which the feed asks to be read again.
    private(set) var everySeconds: Int64?

    /// `address` is the address at which it was read. Only its host may be passed on.
    init(_ bytes: [UInt8], at address: String) throws(NoFeed) {
        guard !Self.isPage(bytes) else { throw NoFeed(trouble: .notFeed) }
        let root: XMLElement
        do throws(XMLFailure) { root = try XMLReader.read(FeedText.mended(bytes)) } catch {
            if case .tooMuch(.elements) = error { throw NoFeed(trouble: .tooLarge) }
            throw NoFeed(trouble: .broken)
        }
        let base = FeedLink.origin(of: address).map { $0 + "/" }
        switch root.name.local.lowercased() {
        case "feed": atom(root, at: base)
        case "rss":
            guard let channel = root.first(local: "channel") else { throw NoFeed(trouble: .notFeed) }
            rss(channel, channel.all(local: "item"), at: root.base ?? base)
        case "rdf":
            guard let channel = root.first(local: "channel") else { throw NoFeed(trouble: .notFeed) }
            rss(channel, root.all(local: "item"), at: root.base ?? base)
        default: throw NoFeed(trouble: .notFeed)
        }
        // A feed need not be in order. If there are too many news, those without a time are taken in the feed's order.
        if items.count > Limits.newsOfReadingMax {
            let known = items.enumerated().sorted { one, other in
                (other.element.published ?? .earliest, one.offset) < (one.element.published ?? .earliest, other.offset)
            }
            items = known.prefix(Limits.newsOfReadingMax).sorted { $0.offset < $1.offset }.map(\.element)
        }
        // The feed's own address may be a secret, even if the feed names it as its page.
        if site?.hasSameBytes(as: address) == true { site = nil }
    }

    /// Whether a page of HTML begins here.
    private static func isPage(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(256), as: UTF8.self).lowercased().drop {
            $0.isWhitespace || $0 == "\u{FEFF}"
        }
        return head.hasPrefix("<!doctype html") || head.hasPrefix("<html")
    }

    // MARK: Atom

    private mutating func atom(_ feed: XMLElement, at base: String?) {
        let base = feed.base(at: base)
        title = Self.construct(feed.first(local: "title"), max: Limits.nameCharactersMax)
        site = Self.alternate(feed, at: base)
        everySeconds = Self.period(feed)
        var known: Set<String> = []
        for entry in feed.all(local: "entry") {
            let base = entry.base(at: base)
            let content = entry.first(local: "summary") ?? entry.first(local: "content")
            let words = content.flatMap { Self.text($0) } ?? Self.mediaText(entry)
            let author = (entry.first(local: "author") ?? feed.first(local: "author"))?.first(local: "name")
            let date = ["published", "issued", "updated", "modified"].lazy.compactMap { entry.date($0) }.first
            take(
                FeedItem(
                    id: entry.first(local: "id")?.trimmedText,
                    title: Self.construct(entry.first(local: "title"), max: Limits.newsTitleCharactersMax), text: words,
                    link: Self.alternate(entry, at: base), author: author.flatMap { Self.name($0.text) },
                    published: date), &known)
        }
    }

    /// A text of Atom, in one line.
    private static func construct(_ element: XMLElement?, max most: Int) -> String? {
        element.flatMap { element in
            let (text, isMarkup) = raw(element)
            return StrangersText.line(bounded(text), max: most, isMarkup: isMarkup)
        }
    }

    private static func text(_ element: XMLElement) -> String? {
        // The content is a page elsewhere, or data in base64.
        if let type = element["type"], !["text", "html", "xhtml"].contains(type), !type.hasPrefix("text/"),
            type != "application/xhtml+xml"
        {
            return nil
        }
        let (text, isMarkup) = raw(element)
        return markup(text, isMarkup: isMarkup)
    }

    private static func raw(_ element: XMLElement) -> (text: String, isMarkup: Bool) {
        let type = element["type"] ?? "text"
        guard element.children.isEmpty else {
            let inner = element.flowingText { inLine.contains($0.local) ? "" : "\n" }
            return (inner, false)
        }
        return (element.text, type == "html" || type == "text/html")
    }

    private static let inLine: Set = [
        "a", "abbr", "b", "cite", "code", "em", "i", "img", "q", "s", "small", "span", "strong", "sub", "sup", "time",
        "u",
    ]

    /// The page that shows it.
    private static func alternate(_ element: XMLElement, at base: String?) -> String? {
        let links = element.all(local: "link").filter { (($0["rel"]) ?? "alternate") == "alternate" }
        let best = links.first { ($0["type"] ?? "text/html").contains("html") } ?? links.first
        return best.flatMap { link in link["href"].flatMap { FeedLink.read($0, at: link.base(at: base)) } }
    }

    // MARK: RSS

    private mutating func rss(_ channel: XMLElement, _ all: [XMLElement], at base: String?) {
        let base = channel.base(at: base)
        title = channel.first(local: "title").flatMap {
            StrangersText.line(Self.bounded($0.text), max: Limits.nameCharactersMax, isMarkup: true)
        }
        // An `atom:link` in the channel has no text; it says where the feed itself is.
        site = channel.all(local: "link").lazy.compactMap { FeedLink.read($0.text, at: base) }.first
        let minutes = channel.first(local: "ttl").flatMap { Int64($0.trimmedText) }
        everySeconds = minutes.map { max(0, min($0, 1_000_000)) * 60 } ?? Self.period(channel)
        let from = site ?? base
        var known: Set<String> = []
        for item in all {
            let base = item.base(at: from)
            let guid = item.first(local: "guid") ?? item.first(local: "identifier")
            let id = guid?.trimmedText ?? item.attributes.first { $0.key.local == "about" }?.value
            var link = item.all(local: "link").lazy.compactMap { link in
                FeedLink.read(link.text, at: base) ?? link["href"].flatMap { FeedLink.read($0, at: base) }
            }.first
            if link == nil, let guid, guid["isPermaLink"] != "false" {
                link = FeedLink.checked(guid.trimmedText)
            }
            let words =
                ["description", "encoded", "summary"].lazy.compactMap { item.first(local: $0) }
                .compactMap { Self.markup($0.text, isMarkup: true) }.first ?? Self.mediaText(item)
            let author = ["creator", "author"].lazy.compactMap { item.first(local: $0) }.first
            let date = ["pubDate", "date", "published", "updated"].lazy.compactMap { item.date($0) }.first
            let title = item.first(local: "title").flatMap {
                StrangersText.line(Self.bounded($0.text), max: Limits.newsTitleCharactersMax, isMarkup: true)
            }
            take(
                FeedItem(
                    id: id, title: title, text: words, link: link, author: author.flatMap { Self.name($0.text) },
                    published: date), &known)
        }
    }

    // MARK: Both

    private mutating func take(_ item: FeedItem?, _ known: inout Set<String>) {
        // A second item with the same key is the same piece of news.
        guard let item, known.insert(item.key).inserted else { return }
        items.append(item)
    }

    private static func name(_ text: String) -> String? {
        StrangersText.line(bounded(text), max: Limits.nameCharactersMax, isMarkup: true)
    }

    /// The text beside a film or a picture (Media RSS).
    private static func mediaText(_ item: XMLElement) -> String? {
        let group = item.first(local: "group") ?? item
        return group.children.first { $0.name == XMLName("http://search.yahoo.com/mrss/", "description") }
            .flatMap { markup($0.text, isMarkup: $0["type"] == "html") }
    }

    private static func markup(_ text: String, isMarkup: Bool) -> String? {
        let text = bounded(text)
        guard isMarkup, StrangersText.hasMarkup(text) else {
            return StrangersText.text(text, max: Limits.newsTextCharactersMax, isMarkup: isMarkup)
        }
        return StrangersText.text(
            StrangersText.withoutMarkup(text, keepsLines: false), max: Limits.newsTextCharactersMax)
    }

    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > Limits.newsMarkupCharactersMax else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(Limits.newsMarkupCharactersMax)))
    }

    /// The interval of the module Syndication: a number of updates in a period.
    private static func period(_ channel: XMLElement) -> Int64? {
        let space = "http://purl.org/rss/1.0/modules/syndication/"
        guard let word = channel.first(XMLName(space, "updatePeriod"))?.trimmedText.lowercased() else { return nil }
        let periods: [String: Int64] = [
            "hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000,
        ]
        let times = channel.first(XMLName(space, "updateFrequency")).flatMap { Int64($0.trimmedText) } ?? 1
        return periods[word].map { $0 / max(1, min(times, 1000)) }
    }
}

/// One piece of news as a feed has it.
struct FeedItem: Sendable, Equatable {
    /// The name by which it is recognised after its words were changed: the feed's identifier, or its link.
    let key: String
    let title: String
    let text: String?
    let link: String?
    let author: String?
    let published: Instant?

    /// `nil` if it has no content.
    fileprivate init?(
        id: String?, title: String?, text: String?, link: String?, author: String?, published: Instant?
    ) {
        let first = text.flatMap { StrangersText.line($0, max: Limits.newsTitleCharactersMax) }
        guard let title = title ?? first ?? link.flatMap({ StrangersText.line($0, max: Limits.newsTitleCharactersMax) })
        else { return nil }
        self.title = title
        self.text = text?.hasSameBytes(as: title) == true ? nil : text
        self.link = link
        self.author = author
        self.published = published
        let name = id.flatMap { $0.isEmpty ? nil : "id " + $0 } ?? link.map { "link " + $0 }
        key = name ?? "words \(title) \(published?.description ?? "")"
    }
}

extension XMLElement {
    /// The first child with this name in any namespace: feeds are not strict about them.
    fileprivate func first(local: String) -> XMLElement? { children.first { $0.name.local == local } }
    fileprivate func all(local: String) -> [XMLElement] { children.filter { $0.name.local == local } }

    fileprivate func date(_ local: String) -> Instant? { first(local: local).flatMap { FeedDate.read($0.text) } }

    fileprivate var base: String? { attributes[XMLName("http://www.w3.org/XML/1998/namespace", "base")] }
    /// The address from which links in the element start.
    fileprivate func base(at outer: String?) -> String? { base.flatMap { FeedLink.read($0, at: outer) } ?? outer }
}

extension FeedFile {
    /// Holds a feed against what is promised; for the fuzzer.
    static let judge: @Sendable ([UInt8], Bool) -> Void = { input, isPlanted in
        guard let file = try? FeedFile(input, at: "https://feeds.example.org/s3cret") else { return }
        precondition(file.items.count <= Limits.newsOfReadingMax, "so many at most")
        precondition(Set(file.items.map(\.key)).count == file.items.count, "each by another key")
        for item in file.items {
            precondition(!isPlanted || item.title != "planted", "a planted bug")
            let nobody = Identifier(high: 0, low: 0)
            let wire = NewsItem(
                id: nobody, source: nobody, title: item.title, text: item.text, link: item.link, author: item.author,
                at: item.published ?? .earliest, read: .latest)
            precondition((try? NewsItem.shape.check(wire.json, field: "item")) != nil, "what is taken is within bounds")
        }
        let source = NewsSource(id: Identifier(high: 0, low: 0), name: file.title, site: file.site)
        precondition((try? NewsSource.shape.check(source.json, field: "source")) != nil, "and so is the feed itself")
    }
}
