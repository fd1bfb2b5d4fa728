import KinCodec
import KinFamily
import KinKeeper
import KinMap
import KinModel
import KinStore

/// What is asked of the daemon beside what everybody does, and must be answered so that nobody learns too much.
extension SharingWorld {
    /// After a command that was carried out.
    func check(_ deed: SharingDeed, _ before: SharingFacts) throws(Finding) {
        try checkMachine(deed)
        if deed.method == "guestLink.open" { try checkLink(deed) }
        if deed.method == "position.forget" { try checkForgotten(deed) }
        let falling = facts.people.filter { person in
            before.sight[person.id]?.contains { $0.value.precision > facts.seeing($0.key, of: person.id).precision }
                ?? false
        }
        for person in falling {
            for (viewer, was) in (before.sight[person.id] ?? [:]).sorted(by: { $0.key < $1.key })
            where was.precision > facts.seeing(viewer, of: person.id).precision {
                try checkRows(of: viewer)
                try checkInbox(of: viewer)
            }
        }
        if facts.sight != before.sight { try checkAnswers() }
    }

    /// Now and then.
    func checkNow() throws(Finding) {
        try checkAnswers()
        for key in book.keys where SharingBook.isWaiting(key, at: clock) { try checkWaiting(key) }
        if let viewer = facts.people.randomElement(using: &dice) {
            try checkRows(of: viewer.id)
            try checkInbox(of: viewer.id)
            try checkMarks(of: viewer)
        }
    }

    // MARK: Answers

    /// What everybody is told of everybody is what may be told, and places are those that were agreed to.
    private func checkAnswers() throws(Finding) {
        for viewer in facts.people {
            let seen = try ask { (database) throws(StoreFailure) in
                try Registry.family.snapshot(for: viewer.id, view: Self.map(viewer.id), in: database)?.snapshot
            }
            guard let seen else { continue }
            for (watched, position) in seen.positions.sorted(by: { $0.key < $1.key }) where watched != viewer.id {
                if position.precision > facts.seeing(viewer.id, of: watched).precision {
                    try heed("answers", "\(short(viewer.id)) is told \(position.json.text)")
                }
            }
            for (watched, presence) in seen.presences.sorted(by: { $0.key < $1.key }) {
                if presence.precision > facts.seeing(viewer.id, of: watched).precision {
                    try heed("answers", "\(short(viewer.id)) is told \(presence.json.text)")
                }
                try checkPlace(presence, to: viewer.id)
            }
        }
    }

    private static func map(_ member: Identifier) -> View {
        (try? View.read("map", of: Registry.family.views, for: member).0) ?? .all(for: member)
    }

    private func checkPlace(_ presence: Presence, to viewer: Identifier) throws(Finding) {
        let place: SharingFacts.Place?
        if let name = presence.place {
            place = facts.places.first { $0.name == name }
        } else if presence.isHome != nil, let household = facts[presence.member]?.household {
            place = facts.places.first { $0.circle.homeOf == household }
        } else {
            return
        }
        guard let place else { return }
        let agreed = book.agreements[presence.member]?.circles[place.id]
        if agreed.map({ place.circle.isAgreed(by: $0) }) != true {
            try heed("places", "\(short(viewer)) is told \(presence.json.text), and nobody agreed to that place")
        }
    }

    /// A session that waits is told of nobody.
    private func checkWaiting(_ key: SharingBook.Key) throws(Finding) {
        let deed = try say(.key(key), "position.latest", [:])
        for seen in deed.result?["positions"]?.array ?? []
        where seen["member"]?.identifier.map({ $0 != key.member }) ?? false {
            try heed("waiting", "\(deed.speaker.words) is told \(seen.text)")
        }
        let shown = facts.people.first { facts.seeing(key.member, of: $0.id).history != .off }
        guard !key.isAppPassword, let shown else { return }
        let history = try say(
            .key(key), "position.history",
            ["member": .id(shown.id), "from": .time(clock.adding(days: -20)), "to": .time(clock)])
        if let positions = history.result?["positions"]?.array, !positions.isEmpty {
            try heed("waiting", "\(history.speaker.words) is told \(positions.count) points of a history")
        }
    }

    private func checkLink(_ deed: SharingDeed) throws(Finding) {
        guard deed.result?["lat"] != nil else { return }
        let link = book.links.first { $0.secret == deed.params["secret"]?.string }
        guard let link else { return try heed("links", "a link shows somebody that is not good any more") }
        if !link.isOwn { try heed("links", "somebody else's link shows \(short(link.member))") }
        if !facts.sharing.contains(link.member) { try heed("links", "a link shows \(short(link.member)), who is off") }
    }

    // MARK: The log

    private static let whereabouts = ["position", "place.entered", "place.left"]

    private func rows(of viewer: Identifier, _ types: [String]?) throws(Finding) -> [LogRow] {
        guard let number = facts[viewer]?.number else { return [] }
        return try ask { (database) throws(StoreFailure) in
            var rows: [LogRow] = []
            var after: Int64 = 0
            while true {
                let page = try Log.read(
                    database, after: after, through: nil, member: number, types: types, bytesMax: 1 << 20)
                rows += page.rows
                after = page.through
                if !page.more { return rows }
            }
        }
    }

    private static func data(_ row: LogRow) -> JSON {
        (try? JSON.parse(Array("{\"cursor\":\"\",".utf8) + row.payload + Array("}".utf8)))?["data"] ?? .null
    }

    /// Who comes back with an old cursor is not told of anybody what may no longer be known.
    private func checkRows(of viewer: Identifier) throws(Finding) {
        for row in try rows(of: viewer, Self.whereabouts) {
            let data = Self.data(row)
            guard let member = data["member"]?.identifier, member != viewer, facts[member] != nil else { continue }
            let seeing = facts.seeing(viewer, of: member).precision
            let isRight: Bool
            if row.type == "position" {
                let told = Presence(data)?.precision ?? Position(data)?.precision ?? .exact
                isRight = told <= seeing
            } else {
                isRight = seeing == .exact || seeing == .place
            }
            if !isRight {
                try heed(
                    "log",
                    "\(short(viewer)), who sees \(short(member)) \(seeing.rawValue), still reads \(row.type) \(data.text)"
                )
            }
        }
    }

    private func checkForgotten(_ deed: SharingDeed) throws(Finding) {
        guard let member = deed.speaker.member, let from = deed.params["from"]?.instant,
            let to = deed.params["to"]?.instant
        else { return }
        for viewer in facts.people where viewer.id != member {
            for row in try rows(of: viewer.id, Self.whereabouts) {
                let data = Self.data(row)
                guard data["member"]?.identifier == member, let at = data["at"]?.instant, at >= from, at <= to,
                    row.type != "position"
                else { continue }
                try heed("log", "\(short(viewer.id)) still reads \(row.type) \(data.text). \(deed.words)")
            }
        }
    }

    /// Lines that nobody has read yet tell no arrivals that may no longer be known.
    private func checkInbox(of viewer: Identifier) throws(Finding) {
        let lines = try ask { (database) throws(StoreFailure) in
            try database.rows(
                """
                SELECT l.kind, l.by, l.name FROM inbox i JOIN inbox_lines l ON l.entry = i.id
                WHERE i.member = ? AND i.state < 2 AND l.kind IN ('arrived', 'left')
                """, .id(viewer)
            ) { row in (kind: row.text("kind"), by: row.optionalIdentifier("by"), name: row.optionalText("name")) }
        }
        for line in lines {
            guard let by = line.by, by != viewer, facts[by] != nil else { continue }
            let seeing = facts.seeing(viewer, of: by).precision
            if seeing != .exact, seeing != .place {
                try heed("inbox", "\(short(viewer)) has not read yet that \(short(by)) \(line.kind) \(line.name ?? "")")
            }
        }
    }

    // MARK: The record

    /// What the machine does in somebody's name says so.
    private func checkMachine(_ deed: SharingDeed) throws(Finding) {
        guard case .machineAs(let member) = deed.speaker else { return }
        for row in deed.events where row.by == member {
            let text = String(decoding: row.payload, as: UTF8.self)
            if !text.contains("\"atMachine\":true") {
                try heed("record", "root's event does not say so: \(row.type). \(deed.words)")
            }
        }
        let watched: [Identifier]
        switch deed.method {
        case "position.latest":
            watched = (deed.result?["positions"]?.array ?? []).compactMap { $0["member"]?.identifier }
        case "position.history": watched = [deed.params["member"]?.identifier].compactMap(\.self)
        default: return
        }
        for person in watched {
            let isNoted = try ask { (database) throws(StoreFailure) in
                try database.first(
                    """
                    SELECT 1 FROM looks l JOIN sharing s ON s.track = l.track
                    WHERE s.member = ? AND l.viewer = ? AND l.at_machine = 1
                    """, .id(person), .id(member)
                ) { _ in true } ?? false
            }
            let isThere = try ask { (database) throws(StoreFailure) in
                try database.first("SELECT 1 FROM sharing WHERE member = ?", .id(person)) { _ in true } ?? false
            }
            if isThere, !isNoted { try heed("record", "root's look at \(short(person)) is not noted. \(deed.words)") }
        }
    }

    // MARK: Marks

    /// Where nothing was written that somebody may read, no cursor tells that something was.
    private func checkMarks(of viewer: SharingFacts.Person) throws(Finding) {
        guard let life, let key = book.keys.first(where: { $0.member == viewer.id && !$0.isAppPassword }) else {
            return
        }
        let deed = try say(.key(key), "live.at", ["time": .time(clock.adding(seconds: 1))])
        guard let cursor = deed.result?["cursor"]?.string, let position = life.store.epochs.position(of: cursor)
        else { return }
        let rows = try rows(of: viewer.id, nil).map(\.position)
        if let before = marks[viewer.id], before.rows == rows, before.position != position {
            try heed("marks", "\(short(viewer.id)) learns from live.at that something hidden was written")
        }
        marks[viewer.id] = (position, rows)
    }
}
