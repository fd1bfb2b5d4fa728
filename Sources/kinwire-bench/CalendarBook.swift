import KinCodec
import KinFamily
import KinKeeper
import KinModel
import KinStore

/// Five members with many entries in the family's calendar: a tenth of them repeats for ten years (every week, every other
/// week, every month, every year by turns), the others stand once, over the same ten years. Made by the keeper itself.
enum CalendarBook {
    private static let members = 5
    private static let repeats = ["FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=MONTHLY", "FREQ=YEARLY"]
    private static let subjects = [
        "Piano lesson", "Dentist", "Choir", "Parents' evening", "Swimming", "Dinner at grandma's", "Chess club",
    ]
    private static let categories = ["music", "medical", "club", "education", "sport", "celebration", "none"]
    private static let years: Int64 = 5

    /// Answers the family's calendar.
    @discardableResult
    static func build(_ directory: String, entries: Int, repeating: Int, now: Instant) throws(Trouble) -> Identifier {
        // What one member may write in a day takes some days.
        let begin = now.adding(days: -Int64(entries / 1_500 + 2))
        let store = try attempt { try Store(directory: directory, migrations: Registry.family.migrations, now: begin) }
        let founder = try Founding(store, now: begin).member
        let family = try attempt {
            try Crowd.add(members - 1, role: .member, store, founder: founder, at: begin)
        }
        let keeper = try attempt { try Keeper(store: store, registry: .family) }
        let shown = try Founding.ask(keeper, begin, .machineAs(founder), "calendar.list", [:])
        guard case .success(let bytes) = shown.result,
            let calendar = (try? JSON.parse(bytes))?["calendars"]?.array?.first(where: { $0["kind"] == "family" })?[
                "id"]?
                .identifier
        else { throw Trouble("The family has no calendar.") }
        let every = max(1, entries / max(1, repeating))
        for index in 0..<entries {
            let at = begin.adding(days: Int64(index / 1_500))
            try Founding.ask(
                keeper, at, .machineAs(family[index % family.count]), "entry.add",
                entry(
                    index, of: entries, repeats: index % every == 0, in: calendar, invitee: family[(index + 1) % 5], now
                ))
            if index % 500 == 0 { keeper.afterTurn(isIdle: true, clock: at) }
        }
        // What fell due since.
        _ = keeper.turn([], clock: now)
        keeper.afterTurn(isIdle: true, clock: now)
        return calendar
    }

    private static func entry(
        _ index: Int, of count: Int, repeats: Bool, in calendar: Identifier, invitee: Identifier, _ now: Instant
    ) -> JSON.Object {
        let first = now.adding(days: -years * 365)
        // In a step that has nothing to do with the number, so that each month has as many of them as the next.
        let day = Int64(index * 7_919 % 3_650)
        let start = repeats ? first.adding(days: day % 365) : first.adding(days: day)
        let hour = 6 + index % 14
        let subject = "\(subjects[index % subjects.count]) \(index)"
        var made: JSON.Object = [
            "subject": .string(subject), "calendar": .id(calendar), "zone": "Europe/Vienna", "minutes": 45,
            "start": .string("\("\(start)".prefix(10))T\(hour < 10 ? "0" : "")\(hour):15"),
            "category": .string(categories[index % categories.count]),
        ]
        if index % 3 == 0 { made["place"] = "Music school, room 12" }
        if index % 4 == 0 { made["note"] = "Bring the blue folder, and be there five minutes early." }
        if index % 5 == 0 { made["invitees"] = [.id(invitee)] }
        if repeats {
            let end = "\(now.adding(days: years * 365))".prefix(10).filter { $0 != "-" }
            // A tenth repeats; by turns in each manner.
            made["repeat"] = .string("\(Self.repeats[index / 10 % Self.repeats.count]);UNTIL=\(end)T235959Z")
        }
        return made
    }
}
