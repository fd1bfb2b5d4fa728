import Glibc
import KinFamily
import KinKeeper
import KinModel
import KinStore

/// A family of twelve whose phones have reported for ten years and whose log is as full as a quarter of a year of
/// announcements makes it. Written through the store, in large transactions.
enum Decade {
    static let events = 50_000
    static let positions = 1_000_000
    private static let members = 12
    private static let batch = 25_000

    static func build(_ directory: String, events: Int = events, positions: Int = positions) throws(Trouble) {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        // Younger than what retention takes away.
        let begin = now.adding(days: -80)
        let store = try attempt { try Store(directory: directory, migrations: Registry.family.migrations, now: begin) }
        let founder = try Founding(store, now: begin).member
        try attempt {
            let family = try Crowd.add(members - 1, role: .member, store, founder: founder, at: begin)
            try announcements(store, founder, events, from: begin, to: now, members: members)
            try write(positions, store, family, now)
            store.afterTurn(idle: true, now: now)
        }
    }

    static var migrations: [Migration] { Registry.family.migrations }

    /// So many announcements of the founder, evenly over the time.
    static func announcements(
        _ store: Store, _ founder: Identifier, _ events: Int, from begin: Instant, to now: Instant, members: Int = 1
    ) throws(StoreFailure) {
        let everyone = Audience((1...Int32(members)))
        let step = now.milliseconds(since: begin) / Int64(events + 1)
        var written = 0
        while written < events {
            try store.beginTurn()
            for _ in 0..<min(batch, events - written) {
                written += 1
                let at = Instant(milliseconds: begin.milliseconds + step * Int64(written))
                let id = Identifier(at: at, random: (UInt64(written), UInt64(written)))
                let text = "Announcement \(written): dinner is at seven, bring the good knives and the long table."
                try store.database.run(
                    "INSERT INTO announcements (id, by, at, text) VALUES (?, ?, ?, ?)", .id(id), .id(founder),
                    .time(at),
                    .text(text))
                let about = "announcement/\(id)"
                _ = try store.log.append(
                    at: at, type: "activity.announced", by: founder, about: about, key: nil, audience: everyone,
                    salt: UInt64(written),
                    payload: Event.payload(
                        type: "activity.announced", at: at, by: founder, about: about, data: ["text": .string(text)]))
            }
            try store.commitTurn()
            store.afterTurn(idle: true, now: now)
        }
    }

    private static func write(
        _ positions: Int, _ store: Store, _ family: [Identifier], _ now: Instant
    ) throws(StoreFailure) {
        let decade: Int64 = 3_650 * 86_400_000
        let each = positions / family.count + 1
        let step = decade / Int64(each + 1)
        try store.beginTurn()
        for (index, member) in family.enumerated() {
            try store.database.run(
                "INSERT INTO sharing (track, member, is_on, since, history_days) VALUES (?, ?, 1, 0, 36500)",
                Value(index + 1), .id(member))
            try store.database.run(
                "INSERT INTO position_devices (device, track, name) VALUES (?, ?, 'phone')", Value(index + 1),
                Value(index + 1))
            for shown in 0...1 {
                try store.database.run(
                    """
                    INSERT INTO latest_positions (member, shown, lat, lon, at, accuracy, battery)
                    VALUES (?, ?, 48.2, 16.4, ?, 12, 80)
                    """, .id(member), Value(shown), .time(now.adding(seconds: -60)))
            }
        }
        var written = 0
        for index in family.indices {
            for point in 1...each where written < positions {
                written += 1
                try store.database.run(
                    """
                    INSERT INTO positions
                    (track, at, device, digest, lat, lon, accuracy, altitude, speed, course, battery)
                    VALUES (?, ?, ?, 0, ?, ?, 12, 171, 1.5, 90, 80)
                    """, Value(index + 1), .int(now.milliseconds - decade + step * Int64(point)), Value(index + 1),
                    .double(48 + Double(point % 1000) / 5000), .double(16 + Double(point % 777) / 4000))
                if written % batch == 0 {
                    try store.commitTurn()
                    store.afterTurn(idle: true, now: now)
                    try store.beginTurn()
                }
            }
        }
        try store.commitTurn()
    }
}
