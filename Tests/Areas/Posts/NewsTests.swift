import KinModel
import KinStore
import Synchronization
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinPosts

/// A server of feeds, as far as the daemon sees one: it shows what a test says.
final class FeedServer: OutsideDesk, Sendable {
    private let looks = Mutex<[OutsideLook]>([])
    private let answer = Mutex<OutsideSight>(.failed(OutsideFailure(.unreachable, "nothing")))

    /// What was looked at since somebody asked.
    func looked() -> [OutsideLook] {
        looks.withLock { looks in
            defer { looks = [] }
            return looks
        }
    }
    func shows(_ sight: OutsideSight) { answer.withLock { $0 = sight } }
    func shows(_ text: String, validators: String? = nil, fresh: Int64? = nil) {
        shows(.shown(OutsidePage(status: 200, content: Array(text.utf8), validators: validators, freshSeconds: fresh)))
    }

    func send(_ letter: OutsideLetter) -> OutsideAnswer { .failed("no letters") }
    func look(_ look: OutsideLook) -> OutsideSight {
        looks.withLock { $0.append(look) }
        return answer.withLock { $0 }
    }
}

/// News from outside: who reads which, what is said to them, and how they are read.
@Suite struct NewsTests {
    static let address = "https://feeds.example.org/town.xml?key=s3cret-of-ada"

    let box: FamilyBox
    let ada, ben: FamilyBox.Person
    let server = FeedServer()

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        let server = server
        box.substitute = { work in (work as? NewsWork)?.run(at: Workplace(store: nil, outside: server)) }
        try box.call(ada, "news.allowOutside", ["on": true])
    }

    static func item(_ id: String, _ title: String, _ date: String? = nil) -> String {
        "<item><guid>\(id)</guid><title>\(title)</title>" + (date.map { "<pubDate>\($0)</pubDate>" } ?? "") + "</item>"
    }
    static func feed(_ items: String..., ttl: Int? = nil) -> String {
        "<rss><channel><title>Town News</title>\(ttl.map { "<ttl>\($0)</ttl>" } ?? "")\(items.joined())</channel></rss>"
    }
    static let two = feed(
        item("1", "Bridge closed", "Mon, 15 Jun 2026 10:00:00 GMT"),
        item("2", "Pool opens", "Tue, 16 Jun 2026 10:00:00 GMT"))

    /// Subscribes, and has the daemon read it.
    @discardableResult
    func subscribe(_ more: JSON.Object = [:], address: String = address) throws -> JSON {
        var params: JSON.Object = ["address": .string(address)]
        for member in more.members { params[member.name] = member.value }
        let made = try box.call(ada, "news.subscribe", params)
        try wait(seconds: 15)
        return try #require(made["source"]?["id"])
    }

    func wait(seconds: Int64) throws {
        box.clock = box.clock.adding(seconds: seconds)
        try box.callOwn()
    }

    func news(_ person: FamilyBox.Person, _ params: JSON.Object = [:]) throws -> [NewsItem] {
        (try box.call(person, "news.list", params)["news"]?.array ?? []).compactMap(NewsItem.init)
    }
    func titles(_ person: FamilyBox.Person, _ params: JSON.Object = [:]) throws -> [String] {
        try news(person, params).map(\.title)
    }
    /// What an admin is told of the one source.
    func state() throws -> JSON { try box.call(ada, "news.sources")["sources"]?.array?.first ?? .null }

    func stopped(_ person: FamilyBox.Person) throws -> [JSON] {
        try box.fresh(person.id).inbox.entries.flatMap(\.lines).filter { $0["kind"] == "newsStopped" }
    }

    // MARK: Who

    @Test func `nothing is read until an admin allows it, and only admins name sources`() throws {
        try box.call(ada, "news.allowOutside", ["on": false])
        let refused = try box.refusal(ada, "news.subscribe", ["address": .string(Self.address)])
        #expect(refused?.kind == .forbidden && refused?.message.contains("an admin can allow it") == true)
        try box.call(ada, "news.allowOutside", ["on": true])
        server.shows(Self.two)
        let source = try subscribe()
        #expect(server.looked().count == 1)
        for (method, params) in [
            ("news.allowOutside", ["on": true]), ("news.subscribe", ["address": "https://a.example/"]),
            ("news.update", ["source": source, "name": "Mine"]), ("news.remove", ["source": source]),
            ("news.refresh", ["source": source]),
        ] as [(String, JSON.Object)] {
            #expect(try box.refusal(ben, method, params)?.kind == .forbidden, "\(method)")
        }
        // What was read stays when it is forbidden again, and nothing is asked any more.
        try box.call(ada, "news.allowOutside", ["on": false])
        try wait(seconds: 86_400)
        #expect(try box.refusal(ada, "news.refresh", ["source": source])?.kind == .forbidden)
        #expect(try server.looked().isEmpty && titles(ben).count == 2)
    }

    @Test func `everybody of the audience sees the same, newest first, and nobody but admins the address`() throws {
        let gil = try box.join("gil", role: .guest, by: ada)
        server.shows(Self.two, validators: "m1")
        try subscribe()
        let look = try #require(server.looked().first)
        #expect(look.address == Self.address && look.isPrivate && look.hosts == nil && look.validators == nil)
        #expect(look.bytesMax == 4 << 20)
        #expect(try titles(ada) == ["Pool opens", "Bridge closed"] && titles(ben) == titles(ada))
        #expect(try titles(gil) == [])
        let shown = try box.call(ben, "news.show", ["item": .id(try #require(try news(ben).first).id)])
        #expect(shown["item"]?["title"] == "Pool opens" && shown["source"]?["name"] == "Town News")
        let (own, others) = (try state(), try box.call(ben, "news.sources")["sources"]?.array?.first ?? .null)
        #expect(own["address"] == .string(Self.address) && own["audience"] == "everyone" && own["every"] == 3600)
        #expect(others["name"] == "Town News" && others["address"] == nil && others["audience"] == nil)
        server.shows(.unchanged)
        try wait(seconds: 3600)
        #expect(server.looked().map(\.validators) == ["m1"])
        for person in [ada, ben] {
            let told = box.allHeard(person).map { String(decoding: $0.data.bytes, as: UTF8.self) }.joined()
            #expect(!told.contains("s3cret"))
        }
        #expect(!box.notes.joined().contains("s3cret"))
    }

    @Test func `guests see news only where they are named, and whoever is left out sees nothing more`() throws {
        let gil = try box.join("gil", role: .guest, by: ada)
        server.shows(Self.two)
        let source = try subscribe(["audience": "household"])
        #expect(try titles(gil).isEmpty && !titles(ada).isEmpty)
        let item = JSON.id(try #require(try news(ada).first).id)
        try box.call(ada, "news.like", ["item": item, "reaction": "love"])
        try box.call(ada, "news.update", ["source": source, "audience": [.id(gil.id), .id(ben.id)]])
        #expect(try titles(gil) == ["Pool opens", "Bridge closed"] && titles(ben) == titles(gil))
        #expect(try news(gil).first?.likes == [Like(member: ada.id, reaction: .love)])
        // The admin knows the source and sees no news of it.
        #expect(try titles(ada).isEmpty && state()["name"] == "Town News")
        #expect(try box.refusal(ada, "news.show", ["item": item])?.kind == .notFound)
        _ = box.heard(ben)
        try box.call(ada, "news.update", ["source": source, "audience": [.id(gil.id)]])
        #expect(box.types(ben) == ["news.sourceHidden"])
        for (method, params) in [
            ("news.show", ["item": item]), ("news.like", ["item": item, "reaction": "sad"]),
            ("news.star", ["item": item, "on": true]),
        ] as [(String, JSON.Object)] {
            #expect(try box.refusal(ben, method, params)?.kind == .notFound, "\(method)")
        }
        #expect(try titles(ben).isEmpty && box.call(ben, "news.list")["sources"] == [])
        #expect(try box.call(ben, "news.list")["unread"] == 0)
        _ = box.heard(ben)
        try box.call(gil, "news.like", ["item": item, "reaction": "wow"])
        #expect(box.types(ben).isEmpty)
    }

    // MARK: What is said

    @Test func `likes and interest are the same in list and detail, for everybody at once`() throws {
        server.shows(Self.two)
        try subscribe()
        let item = JSON.id(try #require(try news(ada).first).id)
        _ = (box.heard(ada), box.heard(ben))
        try box.call(ben, "news.like", ["item": item, "reaction": "laugh"])
        try box.call(ben, "news.star", ["item": item, "on": true])
        try box.call(ada, "news.star", ["item": item, "on": true])
        #expect(box.types(ada) == ["news.liked", "news.starred", "news.starred"])
        for person in [ada, ben] {
            let listed = try #require(try news(person).first)
            let shown = try box.call(person, "news.show", ["item": item])["item"].flatMap(NewsItem.init)
            #expect(listed == shown && listed.likes == [Like(member: ben.id, reaction: .laugh)])
            #expect(listed.stars == [ada.id, ben.id].sorted())
        }
        #expect(try titles(ben, ["starred": true]) == ["Pool opens"])
        // Said twice, told once.
        _ = box.heard(ada)
        try box.call(ben, "news.star", ["item": item, "on": true])
        try box.call(ben, "news.like", ["item": item, "reaction": "laugh"])
        #expect(box.types(ada).isEmpty)
        try box.call(ben, "news.like", ["item": item, "reaction": .null])
        #expect(try news(ada).first?.likes == [])
        // Whoever leaves takes it along.
        try box.call(ben, "news.like", ["item": item, "reaction": "wow"])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        #expect(try news(ada).first?.likes == [] && news(ada).first?.stars == [ada.id])
        #expect(try box.count("SELECT count(*) FROM news_likes") == 0)
    }

    @Test func `so many likes a day are given, those to news among them`() throws {
        server.shows(Self.two)
        try subscribe()
        let item = JSON.id(try #require(try news(ben).first).id)
        try box.call(ben, "news.like", ["item": item, "reaction": "laugh"])
        try box.store.database.run(
            "UPDATE used_today SET used = ? WHERE what = 'likes'", .int(Limits.likesPerDayMax))
        #expect(try box.refusal(ben, "news.like", ["item": item, "reaction": "sad"])?.kind == .slowDown)
        #expect(try box.refusal(ben, "news.star", ["item": item, "on": true])?.kind == .slowDown)
    }

    @Test func `what is unread is what was read in after the member looked last, on every client`() throws {
        server.shows(Self.two)
        try subscribe()
        var list = try box.call(ben, "news.list")
        #expect(list["unread"] == 2 && list["seen"] == nil)
        let newest = try #require(try news(ben).map(\.read).max())
        _ = box.heard(ben)
        try box.call(ben, "news.see", ["upTo": .time(newest)])
        list = try box.call(ben, "news.list")
        #expect(list["unread"] == 0 && list["seen"] == .time(newest) && box.types(ben) == ["news.seen"])
        #expect(try box.call(ada, "news.list")["unread"] == 2)
        // It never goes back, nor ahead of now.
        try box.call(ben, "news.see", ["upTo": .time(newest.adding(seconds: -60))])
        #expect(try box.call(ben, "news.list")["seen"] == .time(newest))
        server.shows(Self.feed(Self.item("3", "Old and new", "Mon, 01 Jun 2026 10:00:00 GMT")))
        try wait(seconds: 3600)
        list = try box.call(ben, "news.list")
        #expect(list["unread"] == 1)
        try box.call(ben, "news.see", ["upTo": .time(box.clock.adding(days: 400))])
        #expect(try box.call(ben, "news.list")["seen"] == .time(box.clock))
    }

    // MARK: Reading

    @Test func `news stay the same when they change, and what came is told once for a whole reading`() throws {
        server.shows(Self.two)
        try subscribe()
        let before = try news(ben)
        try box.call(ben, "news.like", ["item": .id(before[1].id), "reaction": "love"])
        _ = box.heard(ben)
        var items = [Self.item("1", "Bridge open again", "Mon, 15 Jun 2026 10:00:00 GMT")]
        for number in 10..<60 { items.append(Self.item("\(number)", "News \(number)")) }
        server.shows(Self.feed(items.joined()))
        try wait(seconds: 3600)
        let heard = box.heard(ben)
        #expect(heard.map(\.type) == ["news.added"], "\(heard.map(\.type))")
        #expect(heard.first?[NewsSource.read].map { [$0.added, $0.changed] } == [50, 1])
        let bridge = try #require(try news(ben, ["limit": 50, "words": "bridge"]).first)
        #expect(bridge.id == before[1].id && bridge.title == "Bridge open again" && bridge.changed == box.clock)
        #expect(bridge.likes.map(\.member) == [ben.id] && bridge.at == before[1].at && bridge.read == before[1].read)
        // What the source shows no longer is still there.
        #expect(try titles(ben, ["words": "pool"]) == ["Pool opens"])
        // The same again changes nothing, and only the newest of such events stays in the log.
        try wait(seconds: 3600)
        #expect(box.types(ben).isEmpty)
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'news.added'") == 1)
    }

    @Test func `pages follow each other without a gap, by source and by words`() throws {
        server.shows(
            Self.feed(
                (1...45).map { Self.item("\($0)", "News \($0)", "\($0 % 28 + 1) Jan 2026 10:\(10 + $0):00 GMT") }
                    .joined()))
        let source = try subscribe()
        server.shows(Self.feed(Self.item("x", "Elsewhere 7", "01 Jan 2026 00:00:00 GMT")))
        try subscribe(address: "https://other.example.org/feed")
        var found: [NewsItem] = []
        var next: JSON?
        repeat {
            let page = try box.call(ben, "news.list", next.map { ["before": $0] } ?? [:])
            found += (page["news"]?.array ?? []).compactMap(NewsItem.init)
            next = page["next"]
        } while next != nil
        #expect(found.count == 46 && found.map(\.at) == found.map(\.at).sorted(by: >))
        #expect(Set(found.map(\.id)).count == 46)
        #expect(try news(ben, ["source": source, "limit": 50]).count == 45)
        #expect(try titles(ben, ["words": "ELSEwhere"]) == ["Elsewhere 7"])
    }

    @Test func `what a source dates ahead stands where it was read`() throws {
        server.shows(
            Self.feed(Self.item("1", "Tomorrow", "Mon, 01 Jan 2035 10:00:00 GMT"), Self.item("2", "No date")))
        try subscribe()
        #expect(try news(ben).allSatisfy { $0.at == $0.read && $0.at <= box.clock })
    }

    static let periods: [(Int?, Int64?, Int64)] = [
        (nil, nil, 3600), (1, nil, 900), (120, nil, 7200), (100_000, nil, 86_400), (nil, 1800, 1800), (nil, 5, 900),
        (60, 1800, 3600),
    ]
    @Test(arguments: periods)
    func `how often it wants to be read counts within a quarter of an hour and a day`(
        ttl: Int?, fresh: Int64?, seconds: Int64
    ) throws {
        server.shows(Self.feed(ttl: ttl), fresh: fresh)
        try subscribe()
        #expect(try state()["every"] == .int(seconds))
        _ = server.looked()
        try wait(seconds: seconds - 1)
        #expect(server.looked().isEmpty)
        try wait(seconds: 1)
        #expect(server.looked().count == 1)
    }

    @Test func `a source that fails keeps its news, is tried ever more seldom, and admins are told once`() throws {
        server.shows(Self.two)
        try subscribe()
        _ = server.looked()
        server.shows(.shown(OutsidePage(status: 500, content: [])))
        try wait(seconds: 3600)
        #expect(try state()["trouble"] == "failing" && titles(ben).count == 2)
        #expect(try box.call(ben, "news.list")["sources"]?.array?.first?["trouble"] == "failing")
        var waits: [Int64] = []
        for _ in 0..<12 {
            let next = try #require(try state()["next"]?.instant)
            let wait = next.milliseconds(since: box.clock) / 1000
            waits.append(wait)
            try self.wait(seconds: wait)
        }
        #expect(waits.prefix(5) == [900, 1800, 3600, 7200, 14_400] && waits.max() == 86_400)
        #expect(try stopped(ada).map { $0["trouble"] } == ["failing"] && stopped(ben).isEmpty)
        server.shows(Self.two)
        try wait(seconds: 86_400)
        #expect(try state()["trouble"] == nil && stopped(ada).isEmpty)
    }

    static let troubles: [(OutsideSight, String)] = [
        (.shown(OutsidePage(status: 404, content: [])), "gone"),
        (.shown(OutsidePage(status: 401, content: [])), "closed"),
        (.shown(OutsidePage(status: 200, content: Array("<!doctype html>".utf8))), "notFeed"),
        (.shown(OutsidePage(status: 200, content: Array("<rss".utf8))), "broken"),
        (.failed(OutsideFailure(.tooLarge, "")), "tooLarge"), (.failed(OutsideFailure(.slow, "")), "slow"),
        (.failed(OutsideFailure(.refused, "")), "refused"), (.failed(OutsideFailure(.redirected, "")), "redirected"),
        (.failed(OutsideFailure(.untrusted, "")), "untrusted"),
        (.failed(OutsideFailure(.unreachable, "")), "unreachable"),
        (.failed(OutsideFailure(.notUnderstood, "")), "failing"),
    ]
    @Test(arguments: troubles)
    func `why one cannot be read is told apart, and the reading before is not lost`(sight: OutsideSight, word: String)
        throws
    {
        server.shows(Self.two)
        let source = try subscribe()
        server.shows(sight)
        box.clock = box.clock.adding(seconds: 11)
        let read = try box.call(ada, "news.refresh", ["source": source])
        #expect(read["source"]?["trouble"] == .string(word) && read["source"]?["since"] == .time(box.clock))
        #expect(try titles(ben).count == 2)
    }

    @Test
    func `it is read at once when an admin asks, and not twice in ten seconds; too much at once is nobody's fault`()
        throws
    {
        server.shows(Self.two)
        let source = try subscribe()
        let soon = try box.refusal(ada, "news.refresh", ["source": source])
        #expect(soon?.kind == .slowDown && soon?.retryAfter == 10)
        box.clock = box.clock.adding(seconds: 11)
        server.shows(.failed(OutsideFailure(.later, "busy")))
        #expect(try box.refusal(ada, "news.refresh", ["source": source])?.kind == .unavailable)
        #expect(try state()["trouble"] == nil)
    }

    // MARK: Sources

    @Test func `a source is named, moved and removed, and leaves nothing in the files`() throws {
        server.shows(Self.two)
        let source = try subscribe(["name": "The paper"])
        #expect(try state()["name"] == "The paper")
        try box.call(ada, "news.update", ["source": source, "name": .null])
        #expect(try state()["name"] == "Town News")
        #expect(
            try box.refusal(ada, "news.subscribe", ["address": .string(Self.address)])?.field == "address", "twice")
        try box.call(ada, "news.update", ["source": source, "address": "feed://feeds.example.org/new.xml"])
        #expect(try state()["address"] == "https://feeds.example.org/new.xml" && titles(ben).count == 2)
        _ = server.looked()
        try wait(seconds: 15)
        #expect(server.looked().map(\.address) == ["https://feeds.example.org/new.xml"])
        let item = JSON.id(try #require(try news(ben).first).id)
        try box.call(ben, "news.star", ["item": item, "on": true])
        _ = box.heard(ben)
        try box.call(ada, "news.remove", ["source": source])
        #expect(box.types(ben) == ["news.sourceRemoved"])
        #expect(try titles(ben).isEmpty && box.count("SELECT count(*) FROM news_items") == 0)
        #expect(try box.count("SELECT count(*) FROM log WHERE about LIKE 'news/%'") == 0)
        #expect(try box.refusal(ada, "news.show", ["item": item])?.kind == .notFound)
        for text in ["s3cret-of-ada", "Bridge closed"] { #expect(try !box.holds(text), "\(text)") }
    }

    @Test(arguments: [
        ("ftp://a.example/", "begins with https://"), ("a.example/feed", "begins with https://"),
        ("https:///feed", "begins with https://"), ("https://u:p@a.example/", "user name or a password"),
        ("http://a.example/feed", "can be read and changed on its way"),
    ])
    func `what is no address is refused with a sentence`(address: String, words: String) throws {
        let refusal = try box.refusal(ada, "news.subscribe", ["address": .string(address)])
        #expect(refusal?.field == "address" && refusal?.message.contains(words) == true, "\(refusal?.message ?? "")")
    }

    @Test func `a machine of the house is read by http only by an admin's word for it`() throws {
        try box.call(ada, "outside.allow", ["place": "nas.local", "plain": true])
        server.shows(Self.two)
        try subscribe(address: "http://nas.local/feed.xml")
        #expect(server.looked().map(\.address) == ["http://nas.local/feed.xml"])
    }

    @Test func `a family has so many sources`() throws {
        for number in 0..<Limits.newsSourcesMax {
            try box.call(ada, "news.subscribe", ["address": .string("https://a.example/\(number)")])
        }
        #expect(try box.refusal(ada, "news.subscribe", ["address": "https://a.example/more"])?.kind == .tooLarge)
    }

    @Test func `a source stays when the admin leaves who added it`() throws {
        let cleo = try box.join("cleo", by: ada)
        try box.call(ada, "member.setRole", ["member": .id(cleo.id), "role": "admin"])
        server.shows(Self.two)
        try subscribe()
        try box.call(cleo, "member.remove", ["member": .id(ada.id), "keep": "delete"])
        #expect(try titles(ben).count == 2)
        #expect(try box.call(cleo, "news.sources")["sources"]?.array?.first?["address"] == .string(Self.address))
    }

    // MARK: Years

    @Test func `what its source shows no longer goes after months, and later where somebody is interested`() throws {
        server.shows(Self.two)
        try subscribe()
        let items = try news(ben)
        try box.call(ben, "news.star", ["item": .id(items[0].id), "on": true])
        try box.call(ben, "news.like", ["item": .id(items[1].id), "reaction": "love"])
        server.shows(Self.feed(Self.item("3", "Fair")))
        try wait(seconds: 3600)
        func upkeep(afterDays days: Int64) throws {
            try box.store.database.run(
                "UPDATE news_items SET gone_at = ? WHERE gone_at IS NOT NULL", .time(box.clock.adding(days: -days)))
            box.clock = box.clock.adding(days: 1)
            try box.callOwn()
        }
        try upkeep(afterDays: 80)
        #expect(try titles(ben) == ["Fair", "Pool opens", "Bridge closed"])
        try upkeep(afterDays: 90)
        #expect(try titles(ben) == ["Fair", "Pool opens"])
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'news.liked'") == 0)
        try upkeep(afterDays: 366)
        #expect(try titles(ben) == ["Fair"])
    }

    @Test func `a feed that is another each time keeps a bounded number`() throws {
        for round in 0..<5 {
            server.shows(Self.feed((0..<200).map { Self.item("\(round)-\($0)", "Round \(round)") }.joined()))
            if round == 0 { try subscribe() } else { try wait(seconds: 3600) }
        }
        #expect(try box.count("SELECT count(*) FROM news_items") == Limits.newsOfSourceMax)
        #expect(try titles(ben, ["limit": 1]) == ["Round 4"])
        #expect(try box.count("SELECT count(*) FROM news_items WHERE title = 'Round 0'") == 0)
    }

    @Test func `each question is answered by an index`() throws {
        func plan(_ sql: String) throws -> String {
            try box.store.database.rows("EXPLAIN QUERY PLAN " + sql) { row in row.text(3) }.joined(separator: "\n")
        }
        let page = try plan(
            """
            SELECT n.number FROM news_items n CROSS JOIN news_sources o CROSS JOIN news_sight s
            WHERE o.number = n.source AND s.member = x'00' AND s.source = n.source AND n.id < x'01'
            ORDER BY n.id DESC LIMIT 20
            """)
        #expect(!page.contains("SCAN n") && !page.contains("TEMP B-TREE"), "\(page)")
        let one = try plan(
            """
            SELECT n.number FROM news_items n CROSS JOIN news_sources o CROSS JOIN news_sight s
            WHERE o.number = n.source AND s.member = x'00' AND s.source = n.source
            AND n.source = (SELECT number FROM news_sources WHERE id = x'02') ORDER BY n.id DESC LIMIT 20
            """)
        #expect(one.contains("news_items_by_source") && !one.contains("TEMP B-TREE"), "\(one)")
        let unread = try plan(
            """
            SELECT 1 FROM news_items n CROSS JOIN news_sight s
            WHERE n.read_at > 1 AND s.member = x'00' AND s.source = n.source LIMIT 100
            """)
        #expect(unread.contains("news_items_by_reading"), "\(unread)")
        let gone = try plan("SELECT number FROM news_items WHERE gone_at < 5")
        #expect(gone.contains("news_items_gone"), "\(gone)")
    }
}
