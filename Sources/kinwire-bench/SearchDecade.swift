import KinClient
import KinFamily
import KinKeeper
import KinModel
import KinStore

/// What a search costs after ten years: 200,000 messages in two rooms of which the asker is in one, 40,000 pictures, 5,000
/// posts and 300 lists of twenty items, beside the same questions of a family that has hardly anything.
enum SearchDecade {
    /// How much there is of everything.
    struct Amount {
        var messages = 200_000
        var pictures = 40_000
        var posts = 5_000
        var lists = 300
    }

    private static let words = [
        "dinner", "Sunday", "grandma", "train", "late", "bring", "bread", "milk", "school", "garden", "football",
        "birthday", "please", "thanks", "tomorrow", "Zürich", "Straße", "lake", "holiday", "ticket",
    ]
    static let queries: [(name: String, params: JSON)] = [
        ("a common word", ["words": "dinner"]), ("two common words", ["words": "dinner sunday"]),
        ("a beginning", ["words": "g"]), ("a rare word", ["words": "number4711"]),
        ("a rare and a common word", ["words": "number47 milk"]), ("no hit", ["words": "submarine"]),
        ("only pictures", ["words": "garden", "kinds": ["picture"]]),
        ("mostly in a room of others", ["words": "secretword"]),
        ("five years ago", ["words": "lake", "until": "2021-06-01T00:00:00Z"]),
        ("a page of 50", ["words": "lake", "limit": 50]),
    ]

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = if let keep = options.keep { try Place(keeping: keep) } else { try Place(in: options.directory) }
        say("Making a family of ten years; this takes some minutes.")
        let filled = try build(place.path + "/ten-years", Amount())
        _ = try build(place.path + "/young", Amount(messages: 20, pictures: 2, posts: 2, lists: 1))
        let old = try House(place.path + "/ten-years", options)
        let young = try House(place.path + "/young", options)
        // Answers are read and not parsed, so that a client's work is no part of it.
        let asked = try old.client(.lines, token: try old.signIn(), follows: false)
        let compared = try young.client(.lines, token: try young.signIn(), follows: false)
        let count = options.count ?? 500
        var report = Report("search after ten years, p99 in microseconds, best of \(options.rounds)")
        report.add("taken into the index after an upgrade, things/s", filled.rounded(0))
        for query in queries {
            var best: (ours: Double, middle: Double, floor: Double)?
            for _ in 0..<options.rounds {
                var (ours, floor): ([Double], [Double]) = ([], [])
                for _ in 0..<count {
                    floor.append(try compared.time("search.find", query.params))
                    ours.append(try asked.time("search.find", query.params))
                }
                if ours.percentile(0.99) < best?.ours ?? .infinity {
                    best = (ours.percentile(0.99), ours.percentile(0.5), floor.percentile(0.99))
                }
            }
            guard let best else { continue }
            report.add(
                query.name, "\(best.ours.rounded(0)) (p50 \(best.middle.rounded(0)))",
                floor: "young family: \(best.floor.rounded(0))", verdict: "goal: at most 10000")
        }
        return report
    }

    private static func text(_ index: Int) -> String {
        let some = (0..<6).map { words[(index * 7 + $0 * $0 * 3 + index / 20) % words.count] }
        return some.joined(separator: " ") + " number\(index)"
    }

    /// Writes a family through the store, and has the keeper take it into the index as after an upgrade. Answers how many
    /// things it took in a second.
    static func build(_ directory: String, _ amount: Amount) throws(Trouble) -> Double {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        let begin = now.adding(days: -3_650)
        let store = try attempt { try Store(directory: directory, migrations: Registry.family.migrations, now: begin) }
        let founder = try Founding(store, now: begin).member
        let others = try attempt {
            try Crowd.add(11, role: .member, store, founder: founder, at: begin)
        }
        try attempt {
            try store.beginTurn()
            try fill(store.database, founder, others, amount, begin, now)
            try store.due.add(at: begin, kind: "search.fill", about: "all")
            try store.commitTurn()
            store.afterTurn(idle: true, now: now)
        }
        let keeper = try attempt { try Keeper(store: store, registry: .family) }
        let start = Clock.microseconds
        var turns = 0
        while try attempt({ try store.due.next() }).map({ $0 <= now }) ?? false, turns < 100_000 {
            _ = keeper.turn([], clock: now)
            keeper.afterTurn(isIdle: true, clock: now)
            turns += 1
        }
        let things = try attempt {
            try store.database.first("SELECT count(*) FROM searched") { row in row.int(0) } ?? 0
        }
        return Double(things) / (Clock.microseconds - start) * 1e6
    }

    private static func fill(
        _ database: Database, _ founder: Identifier, _ others: [Identifier], _ amount: Amount, _ begin: Instant,
        _ now: Instant
    ) throws(StoreFailure) {
        func moment(_ index: Int, of count: Int) -> Instant {
            begin.adding(milliseconds: now.milliseconds(since: begin) / Int64(count + 1) * Int64(index + 1))
        }
        let family = try database.first("SELECT number FROM rooms WHERE kind = 'family'") { row in row.int(0) } ?? 1
        try database.run(
            """
            INSERT INTO rooms (number, id, owner, kind, name, last, audience) VALUES
            (1000, ?, zeroblob(16), 'group', 'Others', zeroblob(16), 'members')
            """, .id(Identifier(at: begin, random: (7, 7))))
        for other in others.dropFirst() {
            try database.run("INSERT INTO room_sight (member, room) VALUES (?, 1000)", .id(other))
            try database.run(
                "INSERT INTO room_own (room, member, since, unread, shows_read) VALUES (1000, ?, zeroblob(16), 0, 0)",
                .id(other))
            try database.run("INSERT OR IGNORE INTO room_sight (member, room) VALUES (?, ?)", .id(other), .int(family))
        }
        for index in 0..<amount.messages {
            let at = moment(index, of: amount.messages)
            let isHidden = index % 20 == 0
            try database.run(
                "INSERT INTO messages (in_room, id, owner, author, at, text) VALUES (?, ?, ?, ?, ?, ?)",
                .int(isHidden ? 1000 : family), .id(Identifier(at: at, random: (UInt64(index), 1))),
                .id(others[index % others.count]), .id(others[index % others.count]), .time(at),
                .text(text(index) + (isHidden ? " secretword" : "")))
        }
        try database.run(
            "UPDATE rooms SET last = coalesce((SELECT max(id) FROM messages WHERE in_room = rooms.number), last)")
        try database.run("UPDATE room_own SET counted = (SELECT last FROM rooms WHERE number = room)")
        for index in 0..<amount.posts {
            let at = moment(index, of: amount.posts)
            let author = Value.id(others[index % others.count])
            try database.run(
                """
                INSERT INTO posts (number, id, owner, author, at, text, pinned, comments, plain, audience)
                VALUES (?, ?, ?, ?, ?, ?, 0, 0, '', 'everyone')
                """, Value(index + 1), .id(Identifier(at: at, random: (UInt64(index), 2))), author, author, .time(at),
                .text((0..<5).map { text(index * 5 + $0) }.joined(separator: ". ")))
            try database.run("INSERT INTO post_sight (member, post) VALUES (?, ?)", .id(founder), Value(index + 1))
        }
        for index in 0..<amount.lists {
            let at = moment(index, of: amount.lists)
            try database.run(
                """
                INSERT INTO lists (number, id, kind, name, plain, owner, sections, audience)
                VALUES (?, ?, 'shopping', ?, '', ?, '', 'everyone')
                """, Value(index + 1), .id(Identifier(at: at, random: (UInt64(index), 3))), .text("List \(index)"),
                .id(founder))
            try database.run("INSERT INTO list_sight (member, list) VALUES (?, ?)", .id(founder), Value(index + 1))
            for item in 0..<20 {
                try database.run(
                    "INSERT INTO list_items (owner_list, id, text, plain, ticked) VALUES (?, ?, ?, '', 0)",
                    Value(index + 1), .id(Identifier(at: at, random: (UInt64(item), 4))),
                    .text(words[(index + item) % words.count]))
            }
        }
        for index in 0..<amount.pictures {
            let at = moment(index, of: amount.pictures)
            let author = Value.id(others[index % others.count])
            try database.run(
                """
                INSERT INTO pictures (number, id, owner, author, at, moment, day, width, height, caption, large, middle,
                small, bytes, digest, audience) VALUES (?, ?, ?, ?, ?, ?, 101, 1, 1, ?, '', '', '', 0, '', 'everyone')
                """, Value(index + 1), .id(Identifier(at: at, random: (UInt64(index), 5))), author, author, .time(at),
                .time(at), .text(text(index)))
            try database.run(
                "INSERT INTO picture_sight (member, picture) VALUES (?, ?)", .id(founder), Value(index + 1))
        }
    }
}
