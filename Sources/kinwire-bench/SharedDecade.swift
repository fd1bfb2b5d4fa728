import Glibc
import KinClient
import KinFamily
import KinKeeper
import KinModel

/// What a family shares, after ten years: 200,000 messages, 40,000 pictures, 5,000 posts and 300 lists. The parts of a
/// snapshot beside their bounds, the newest page of each list beside that of a family that has nothing and of one that has
/// one page, and searches.
enum SharedDecade {
    private typealias Amount = SearchDecade.Amount

    /// As many of everything as the largest page of the questions below has.
    private static let page = Amount(messages: 120, pictures: 120, posts: 60, lists: 300)

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = if let keep = options.keep { try Place(keeping: keep) } else { try Place(in: options.directory) }
        say("Making a family of ten years; this takes some minutes.")
        let old = try Asked(place.path + "/shared", Amount(), options)
        let one = try Asked(place.path + "/page", page, options)
        let empty = try Asked(place.path + "/empty", Amount(messages: 0, pictures: 0, posts: 0, lists: 0), options)
        var report = Report(
            "200,000 messages, 40,000 pictures, 5,000 posts, 300 lists; p99 in microseconds, best of \(options.rounds)")
        try addSnapshot(old, empty, &report)
        try addPages(old, one, empty, options, &report)
        try addSearch(old, empty, options, &report)
        return report
    }

    /// A family with its daemon, and its founder, who asks.
    private struct Asked {
        let house: House
        /// Answers are read and not parsed, so that a client's work is no part of it.
        let line: LeanClient
        let room: JSON
        /// The newest list, if there is one.
        let list: JSON?

        init(_ directory: String, _ amount: Amount, _ options: Options) throws(Trouble) {
            if access(directory + "/built", F_OK) != 0 {
                Place.remove(directory)
                _ = try SearchDecade.build(directory, amount)
                close(open(directory + "/built", O_WRONLY | O_CREAT, 0o600))
            }
            house = try House(directory, options)
            line = try house.client(.lines, token: try house.signIn(), follows: false)
            let conversation = try house.conversation(as: House.username)
            let rooms = try attempt { try conversation.call("room.list") }["rooms"]?.array ?? []
            let family = rooms.lazy.compactMap { $0["room"] }.first { $0["kind"] == "family" }
            guard let id = family?["id"] else { throw Trouble("The family has no room.") }
            room = id
            list = try attempt { try conversation.call("list.list") }["lists"]?.array?.first?["id"]
        }

        /// The members of a snapshot, by their names.
        func snapshot() throws(Trouble) -> JSON {
            let conversation = try house.conversation(as: House.username)
            let follow = try attempt { try conversation.call("live.follow", ["since": .null]) }
            guard let snapshot = follow["snapshot"] else { throw Trouble("The daemon gave no snapshot.") }
            return snapshot
        }
    }

    /// What each area has of a snapshot, beside its bound. An area that passes its bound ends the run: a client may rely on
    /// it.
    private static func addSnapshot(_ old: Asked, _ empty: Asked, _ report: inout Report) throws(Trouble) {
        let (ours, floor) = (try old.snapshot(), try empty.snapshot())
        func bytes(_ area: Area, _ snapshot: JSON) -> Int {
            (area.snapshot + area.everySnapshot).reduce(0) { sum, field in
                guard let value = snapshot[field.name] else { return sum }
                // With its quotes, its colon and its comma.
                return sum + field.name.utf8.count + 4 + value.bytes.count
            }
        }
        for area in Registry.family.areas where !area.snapshot.isEmpty {
            let (own, bound) = (bytes(area, ours), area.snapshotBytesMax)
            report.add(
                "snapshot, \(area.name), bytes", "\(own)", floor: "empty \(bytes(area, floor))",
                verdict: "within \(bound)")
            guard own <= bound else {
                throw Trouble("\(area.name) has \(own) bytes of a snapshot, and may have \(bound).")
            }
        }
        report.add("snapshot, all, bytes", "\(ours.bytes.count)", floor: "empty \(floor.bytes.count)")
    }

    private static func addPages(
        _ old: Asked, _ one: Asked, _ empty: Asked, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        let pages: [(name: String, method: String, params: (Asked) -> JSON?)] = [
            ("the newest post", "post.list", { _ in ["limit": 1] }), ("posts, a page", "post.list", { _ in [:] }),
            ("the newest picture", "picture.list", { _ in ["limit": 1] }),
            ("pictures, a page", "picture.list", { _ in [:] }),
            ("the newest message", "message.list", { ["room": $0.room, "limit": 1] }),
            ("messages, a page", "message.list", { ["room": $0.room] }), ("rooms", "room.list", { _ in [:] }),
            ("lists, all of them", "list.list", { _ in [:] }),
            ("a list and its items", "list.show", { asked in asked.list.map { ["list": $0] } }),
        ]
        for page in pages {
            var best: (ratio: Double, ours: [Double], one: [Double], empty: [Double])?
            for _ in 0..<options.rounds {
                var times: [[Double]] = [[], [], []]
                for _ in 0..<(options.count ?? 500) {
                    for (index, asked) in [empty, one, old].enumerated() {
                        guard let params = page.params(asked) else { continue }
                        times[index].append(try asked.line.time(page.method, params))
                    }
                }
                let floor = times[0].isEmpty ? times[1] : times[0]
                let ratio = times[2].percentile(0.99) / floor.percentile(0.99)
                if ratio < best?.ratio ?? .infinity { best = (ratio, times[2], times[1], times[0]) }
            }
            guard let best else { continue }
            let ours = best.ours.percentile(0.99)
            let (one, empty) = (best.one.percentile(0.99), best.empty.percentile(0.99))
            report.add(
                page.name, "\(ours.rounded(0)) (p50 \(best.ours.median.rounded(0)))",
                floor: (best.empty.isEmpty ? "" : "empty \(empty.rounded(0)), ") + "one page \(one.rounded(0))",
                verdict: best.empty.isEmpty
                    ? "\((ours / one).rounded(2)) x one page"
                    : "\((ours / empty).rounded(2)) x (goal: at most 3), \((ours / one).rounded(2)) x one page")
        }
    }

    private static func addSearch(
        _ old: Asked, _ empty: Asked, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        for query in SearchDecade.queries {
            var best: (ours: [Double], floor: [Double])?
            for _ in 0..<options.rounds {
                var (ours, floor): ([Double], [Double]) = ([], [])
                for _ in 0..<(options.count ?? 500) {
                    floor.append(try empty.line.time("search.find", query.params))
                    ours.append(try old.line.time("search.find", query.params))
                }
                if ours.percentile(0.99) < best?.ours.percentile(0.99) ?? .infinity { best = (ours, floor) }
            }
            guard let best else { continue }
            let ours = best.ours.percentile(0.99)
            report.add(
                "search, \(query.name)", "\(ours.rounded(0)) (p50 \(best.ours.median.rounded(0)))",
                floor: "empty \(best.floor.percentile(0.99).rounded(0))",
                verdict: ours <= 10_000 ? "met (10000)" : "missed (10000)")
        }
    }
}
