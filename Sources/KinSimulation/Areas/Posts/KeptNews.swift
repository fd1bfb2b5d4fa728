import KinModel

/// News from outside, as a client keeps them: their sources, and what members say to them. News themselves are in no event,
/// so that a client lists them again when there are others.
struct KeptNews: KeptList {
    private var sources: [Identifier: NewsSource] = [:]
    private var items: [Identifier: NewsItem] = [:]
    private var seen: Instant?
    private var unread: Int64

    init?(_ result: JSON) {
        // The rest is on the next page.
        guard result["next"] == nil, let news = result["news"]?.array, let all = result["sources"]?.array,
            let unread = result["unread"]?.int
        else { return nil }
        for source in all.compactMap(NewsSource.init) { sources[source.id] = source }
        for item in news.compactMap(NewsItem.init) { items[item.id] = item }
        seen = result["seen"]?.instant
        self.unread = unread
    }

    var lines: [String: JSON] {
        var lines: [String: JSON] = ["unread": .int(unread)]
        for source in sources.values { lines["source \(source.id)"] = source.json }
        for item in items.values { lines["news \(item.id)"] = item.json }
        if let seen { lines["seen"] = .time(seen) }
        return lines
    }

    var isEmpty: Bool { sources.isEmpty }

    mutating func apply(_ event: Event) -> Bool {
        if event[NewsSource.added] != nil || event[NewsSource.read] != nil { return false }
        if let source = event[NewsSource.changed]?.source {
            sources[source.id] = source
        } else if let source = (event[NewsSource.hidden] ?? event[NewsSource.removed])?.source {
            sources[source] = nil
            items = items.filter { $0.value.source != source }
            count()
        } else if let data = event[NewsItem.liked] {
            let likes = items[data.item]?.likes.with(data.reaction, of: data.member)
            items[data.item]?.likes = likes ?? []
        } else if let data = event[NewsItem.starred] {
            items[data.item]?.stars = data.stars
        } else if let data = event[NewsItem.seen] {
            seen = data.upTo
            count()
        }
        return true
    }

    /// All news are listed, and so those that are unread.
    private mutating func count() { unread = Int64(items.values.count { $0.read > seen ?? .earliest }) }
}
