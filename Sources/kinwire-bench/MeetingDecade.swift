import KinCodec
import KinFamily
import KinKeeper
import KinModel
import KinStore

/// Twelve members who met five thousand times in ten years: proposed, voted on, confirmed and over, through the keeper
/// itself, with its clock going along.
enum MeetingDecade {
    static let meetings = 5_000
    private static let members = 12
    private static let titles = [
        "Dinner at grandma's", "Football practice", "Board games", "Hike up the hill", "Cinema", "Piano lesson",
        "Garden day", "Birthday",
    ]

    static func build(_ directory: String, meetings: Int) throws(Trouble) {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        let begin = now.adding(days: -3_650)
        let store = try attempt { try Store(directory: directory, migrations: Registry.family.migrations, now: begin) }
        let founder = try Founding(store, now: begin).member
        let family = try attempt {
            try Crowd.add(members - 1, role: .member, store, founder: founder, at: begin)
        }
        let keeper = try attempt { try Keeper(store: store, registry: .family) }
        let step = 3_650 * 86_400_000 / Int64(max(meetings, 1) + 1)
        for index in 0..<meetings {
            let at = Instant(milliseconds: begin.milliseconds + step * Int64(index + 1))
            try meeting(index, keeper, family, at)
            keeper.afterTurn(isIdle: true, clock: at)
        }
        // What fell due since.
        _ = keeper.turn([], clock: now)
    }

    private static func meeting(
        _ index: Int, _ keeper: Keeper, _ family: [Identifier], _ at: Instant
    ) throws(Trouble) {
        let host = family[index % family.count]
        let invitees = (1...5).map { family[(index + $0 * 2) % family.count] }.filter { $0 != host }
        let slots: [JSON] = (1...3).map { day in
            let start = at.adding(days: Int64(day))
            return ["start": .time(start), "end": .time(start.adding(seconds: 7200))]
        }
        let reply = try Founding.ask(
            keeper, at, .machineAs(host), "meeting.propose",
            [
                "title": .string("\(titles[index % titles.count]) \(index)"),
                "kind": index % 10 == 0 ? "public" : "group", "zone": "Europe/Vienna", "slots": .array(slots),
                "invitees": .array(invitees.map { .id($0) }),
            ])
        guard case .success(let bytes) = reply.result, let made = try? JSON.parse(bytes)["meeting"],
            let id = made["id"], let slot = made["slots"]?.array?.first?["id"]
        else { throw Trouble("The keeper proposed no meeting.") }
        for invitee in invitees.dropLast() {
            try Founding.ask(
                keeper, at, .machineAs(invitee), "meeting.vote",
                ["meeting": id, "votes": [["slot": slot, "answer": "yes"]]])
        }
        try Founding.ask(keeper, at, .machineAs(host), "meeting.confirm", ["meeting": id, "slot": slot])
    }
}
