import KinKeeper
import KinModel
import KinPosts
import KinStore

/// News from outside, of servers that tell something else each time, or fail.
final class NewsLife {
    /// Sources and news that answers told of; they may be gone.
    private var sources: [Identifier] = []
    private var items: [Identifier] = []
    /// Whether anybody was told that news may be read outside.
    private var isAllowed = false
    /// Readings so far.
    private var readings = 0

    /// A source that everybody but guests sees.
    static let stock: [(method: String, params: JSON)] = [
        ("news.allowOutside", ["on": true]),
        ("news.subscribe", ["address": "https://town.example/stock", "audience": "everyone"]),
    ]

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let (source, item) = (pick(world, sources), pick(world, items))
        if !isAllowed { return (0, "news.allowOutside", ["on": true]) }
        // Without a source there is little to say.
        switch sources.isEmpty && !world.dice.once(in: 4) ? 1 : world.dice.below(16) {
        case 0: return (0, "news.allowOutside", ["on": .bool(!world.dice.once(in: 4))])
        case 1...2:
            return (
                0, "news.subscribe",
                ["address": .string("https://town.example/\(op)"), "audience": SharedSight.audience(world)]
            )
        case 3: return (0, "news.remove", ["source": .id(source)])
        case 4...5: return (0, "news.update", ["source": .id(source), "audience": SharedSight.audience(world)])
        case 6: return (0, "news.refresh", ["source": .id(source)])
        case 7: return (who, "news.sources", [:])
        case 8...9:
            let reaction: JSON =
                world.dice.once(in: 3) ? .null : .string(world.dice.pick(Like.Reaction.allCases).rawValue)
            return (who, "news.like", ["item": .id(item), "reaction": reaction])
        case 10: return (who, "news.star", ["item": .id(item), "on": .bool(!world.dice.once(in: 3))])
        case 11:
            let now = Instant(milliseconds: world.time.wallMilliseconds())
            return (who, "news.see", ["upTo": .time(now)])
        default: return (who, "news.list", ["limit": 10])
        }
    }

    private func pick(_ world: World, _ known: [Identifier]) -> Identifier {
        known.isEmpty ? Identifier(high: 1, low: 1) : world.dice.pick(known)
    }

    func answered(_ method: String, _ result: JSON) {
        if method == "news.subscribe", let id = result["source"]?["id"]?.identifier, !sources.contains(id) {
            sources = sources.suffix(7) + [id]
        }
        if method == "news.allowOutside" { isAllowed = result["on"]?.bool ?? false }
        guard method == "news.list" else { return }
        for id in (result["news"]?.array ?? []).compactMap({ $0["id"]?.identifier }) where !items.contains(id) {
            items = items.suffix(20) + [id]
        }
    }

    /// What a worker would be shown.
    func quick(_ work: any SlowWork) -> SlowResult? {
        guard let work = work as? NewsWork else { return nil }
        readings += 1
        return work.run(at: Workplace(store: nil, outside: Town(reading: readings)))
    }

    /// A server outside: what it shows is made from how often somebody asked.
    private struct Town: OutsideDesk {
        let reading: Int

        func send(_ letter: OutsideLetter) -> OutsideAnswer { .failed("no letters") }
        func look(_ look: OutsideLook) -> OutsideSight {
            switch reading % 7 {
            case 0: return .unchanged
            case 1: return .failed(OutsideFailure(.unreachable, "nobody"))
            case 2: return .shown(OutsidePage(status: 500, content: []))
            case 3: return .shown(OutsidePage(status: 200, content: Array("<rss><channel><item>".utf8)))
            default:
                let items = (0..<(reading % 5)).map { number in
                    "<item><guid>\(reading / 2 + number)</guid><title>News \(reading + number)</title></item>"
                }
                return .shown(
                    OutsidePage(
                        status: 200,
                        content: Array("<rss><channel><title>Town</title>\(items.joined())</channel></rss>".utf8)))
            }
        }
    }

    // MARK: What is checked

    private static let shared = SharedSight(
        "news_sources", column: "source", named: "news_named", seen: "news_sight", isForGuestsByName: true)

    /// News are seen by the audience of their source. Of a source admins know, who are told why it cannot be read.
    static func isSeen(_ daemon: SimulatedDaemon) throws(StoreFailure) -> (Onlooker, Identifier) -> Bool {
        let isSeen = try shared.isSeen(daemon)
        let known = Set(try daemon.reader.rows("SELECT id FROM news_sources") { row in row.identifier(0) })
        return { reader, id in known.contains(id) && reader.role == "admin" || isSeen(reader, id) }
    }

    /// What is written down of who sees what is what the rules say; nothing is dated ahead of its reading, and no likes are of
    /// somebody who left.
    static func books(_ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        if let fault = try shared.fault(daemon, "news") { return fault }
        let early = try daemon.reader.first("SELECT id FROM news_items WHERE at > read_at") { row in row.identifier(0) }
        if let early { return Finding(checker: "news", what: "\(early) was published after it was read") }
        let many = try daemon.reader.first(
            "SELECT source FROM news_items GROUP BY source HAVING count(*) > \(Limits.newsOfSourceMax)"
        ) { row in row.int(0) }
        if let many { return Finding(checker: "news", what: "the source \(many) keeps too many news") }
        let left = try daemon.reader.first(
            """
            SELECT member FROM (SELECT member FROM news_likes UNION SELECT member FROM news_stars
            UNION SELECT member FROM news_seen) WHERE member NOT IN (SELECT id FROM members)
            """
        ) { row in row.identifier(0) }
        return left.map { Finding(checker: "news", what: "\($0) left and is interested in news") }
    }
}
