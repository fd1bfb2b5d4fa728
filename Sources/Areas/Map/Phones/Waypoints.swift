import KinKeeper
import KinModel
import KinStore

/// The places that a member sees, as regions of the member's phones with OwnTracks (`cmd setWaypoints`). The phone
/// watches them itself, and its reports about them are evidence.
///
/// The app merges a list into what it has. So a place keeps its `tst` and `rid` for as long as the phone knows it:
/// Android tells regions apart by the one, iOS by the other. A region with impossible coordinates is removed by both,
/// by iOS since 2019 and by Android since 2024. `clearWaypoints` would also remove regions that the member made there.
///
/// The list is made when the phone posts, so it is never out of date. `phone_waypoints` is what the phone may have:
/// `sent` is what went out last, null when it was removed; `said` is what went out before the phone posted again, which
/// shows that it arrived.
enum Waypoints {
    /// The key of the command.
    static let key = "waypoints"

    // MARK: When something changes

    /// The places that some members see may be others than before.
    static func changed(for audience: Audience, _ act: Act) throws(Rejection) {
        let phones = try act.rows(
            "SELECT id, member FROM phones WHERE app = ? AND waypoints = 1", .text(PhoneApp.owntracks.rawValue)
        ) { row in (id: row.identifier("id"), member: row.identifier("member")) }
        guard !phones.isEmpty else { return }
        let roster = try act.roster
        for phone in phones where roster[phone.member].map({ audience.contains($0.number) }) ?? false {
            try queue(phone.id, act)
        }
    }

    /// Queues what a phone has not been told yet.
    static func queue(_ phone: Identifier, _ act: Act) throws(Rejection) {
        try PhoneCommands.put(.null, key: key, on: phone, act)
    }

    // MARK: Telling

    private struct Known {
        let place: Identifier
        let tst: Int64
        let sent: Int64?
        let said: Int64?
    }

    /// The command with the list of now; `nil` when the phone has it. `isAgain`: the answer it went with may be lost.
    static func message(for phone: Phone, isAgain: Bool, _ act: Act) throws(Rejection) -> JSON? {
        let known = try known(phone, act)
        var stamps = Set(known.map(\.tst))
        var list: [JSON] = []
        var isNews = isAgain
        let places = phone.takesWaypoints ? try regions(of: phone.member, act) : []
        for place in places {
            let old = known.first { $0.place == place.id }
            let tst = old?.tst ?? stamp(place.id, besides: &stamps)
            let region = json(place, tst: tst)
            let digest = PhonePoint.digest(region.text)
            list.append(region)
            guard old?.said != digest || old?.sent != digest else { continue }
            isNews = true
            try act.run(
                """
                INSERT INTO phone_waypoints (phone, place, tst, sent) VALUES (?,?,?,?)
                ON CONFLICT (phone, place) DO UPDATE SET sent = excluded.sent
                """, .id(phone.id), .id(place.id), .int(tst), .int(digest))
        }
        let seen = Set(places.map(\.id))
        for (index, gone) in known.filter({ !seen.contains($0.place) }).enumerated() {
            isNews = true
            // A member who makes and removes places while a phone repeats the same post cannot fill the table.
            guard index < Limits.phoneWaypointsMax else {
                try act.run(
                    "DELETE FROM phone_waypoints WHERE phone = ? AND place = ?", .id(phone.id), .id(gone.place))
                continue
            }
            list.append(json(gone: gone))
            try act.run(
                "UPDATE phone_waypoints SET sent = NULL, said = NULL WHERE phone = ? AND place = ?", .id(phone.id),
                .id(gone.place))
        }
        guard isNews, !list.isEmpty else { return nil }
        return [
            "_type": "cmd", "action": "setWaypoints",
            "waypoints": ["_type": "waypoints", "waypoints": .array(list)],
        ]
    }

    /// The phone posted again after the answer with the list: so it has the list.
    static func arrived(_ phone: Phone, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM phone_waypoints WHERE phone = ? AND sent IS NULL", .id(phone.id))
        try act.run("UPDATE phone_waypoints SET said = sent WHERE phone = ?", .id(phone.id))
    }

    /// The place that a phone calls by a `tst`.
    static func place(stamped tst: Int64?, on phone: Phone, _ act: Act) throws(Rejection) -> Identifier? {
        guard let tst else { return nil }
        return try act.first(
            "SELECT place FROM phone_waypoints WHERE phone = ? AND tst = ?", .id(phone.id), .int(tst)
        ) { row in row.identifier(0) }
    }

    /// Forgets what the phone was told, because it did not take it.
    static func forget(_ phone: Phone, _ act: Act) throws(Rejection) {
        try act.run("UPDATE phone_waypoints SET said = NULL WHERE phone = ?", .id(phone.id))
        try queue(phone.id, act)
    }

    // MARK: Inside

    private static func known(_ phone: Phone, _ act: Act) throws(Rejection) -> [Known] {
        try act.rows(
            "SELECT place, tst, sent, said FROM phone_waypoints WHERE phone = ? ORDER BY place", .id(phone.id)
        ) { row in
            Known(
                place: row.identifier("place"), tst: row.int("tst"), sent: row.optionalInt("sent"),
                said: row.optionalInt("said"))
        }
    }

    /// The circles a member sees: the own home, then the own places, then the others, the oldest first.
    private static func regions(of member: Identifier, _ act: Act) throws(Rejection) -> [StoredPlace] {
        let household = try act.roster[member]?.household
        let places = try act.ask { (database) throws(StoreFailure) in try StoredPlace.seen(by: member, database) }
        let circles = places.filter { $0.circle != nil }
        func rank(_ place: StoredPlace) -> Int {
            if let home = place.homeOf, home == household { return 0 }
            return place.owner == member ? 1 : 2
        }
        return Array(
            circles.sorted { (rank($0), $0.id) < (rank($1), $1.id) }.prefix(Limits.phoneWaypointsMax))
    }

    /// The second a place was made in, or the next that no other region of the phone has.
    private static func stamp(_ place: Identifier, besides stamps: inout Set<Int64>) -> Int64 {
        var tst = Int64(place.high >> 16) / 1000
        while !stamps.insert(tst).inserted { tst += 1 }
        return tst
    }

    private static func json(_ place: StoredPlace, tst: Int64) -> JSON {
        [
            "_type": "waypoint",
            // In the app's descriptions a colon begins a beacon's numbers.
            "desc": .string(place.name.map { $0 == ":" ? "∶" : String($0) }.joined()),
            "lat": .double(place.lat), "lon": .double(place.lon),
            "rad": .int(Int64((place.radius ?? Limits.placeRadius).rounded(.up))), "tst": .int(tst),
            "rid": .id(place.id),
        ]
    }

    private static func json(gone: Known) -> JSON {
        [
            "_type": "waypoint", "desc": "", "lat": .int(-1_000_000), "lon": .int(-1_000_000), "rad": 0,
            "tst": .int(gone.tst), "rid": .id(gone.place),
        ]
    }
}
