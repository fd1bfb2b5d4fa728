import KinCodec
import KinKeeper
import KinModel
import KinServer
import KinStore

/// Where the members of the box are, and who is shown it.
final class MapLife: SimulatedArea {
    let weight = 6
    let lists = [
        // Notes are in no snapshot.
        ListQuestion(
            method: "place.list", part: "places", trim: { $0.places = $0.places.mapValues(\.brief) }),
        ListQuestion(method: "position.latest", part: "positions"),
    ]
    fileprivate var truth = MapTruth()
    /// What the fault ``Fault/exactForCoarse`` needs to know.
    private var fineCells = FineCells()
    /// Secrets of guest links.
    private var links: [String] = []
    /// How often somebody was shown another's exact coordinate, with a right to it.
    var counts: [String: Int] { ["coordinates": truth.shown, "stays": truth.staysTold] }

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea { world.mapIdea(who, op) }

    func answered(_ method: String, _ result: JSON) {
        if method == "guestLink.create", let secret = result["secret"]?.string { links.append(secret) }
    }

    func page(_ world: World, for browser: Browser) -> String? {
        guard !browser.isStranger else {
            return links.isEmpty ? nil : "/where/\(world.dice.pick(links))"
        }
        let format = world.dice.pick(["gpx", "geojson"])
        return "/api/positions/\(world.dice.pick(world.people).id)/export?format=\(format)"
    }

    // MARK: Who sees what

    /// A turn of the keeper is on disk: what it changed of who may see whom.
    func committed(
        _ world: World, _ daemon: SimulatedDaemon, _ requests: [Request], isClockNews: Bool
    ) {
        let isMixed = isClockNews || requests.contains { Self.changesRules($0) }
        do throws(StoreFailure) {
            let (points, latest) = (try daemon.points(), try daemon.shown())
            if world.fault == .exactForCoarse { try daemon.showCells(to: &fineCells, latest) }
            truth.learn(points: points, latest: latest, rights: try daemon.rights(), isMixed: isMixed)
            truth.lend(try daemon.lendings())
            truth.learn(placeSeers: try daemon.placeSeers())
        } catch {
            truth.lookedAway(world.people.map(\.id))
            fineCells.lookedAway()
        }
    }

    func follow(_ row: LogRow) throws(Finding) { truth.lend(row) }

    /// Whether a request may change who sees whom.
    private static func changesRules(_ request: Request) -> Bool {
        ["sharing.", "member.", "household.", "family."].contains { request.method.hasPrefix($0) }
    }

    /// Nobody is told where somebody is who did not choose so.
    func check(_ message: [UInt8], to reader: Identifier?, _ name: String) throws(Finding) {
        if let leak = truth.leak(in: message, to: reader) {
            let bytes = String(decoding: message.prefix(400), as: UTF8.self)
            throw Finding(checker: "precision", what: "\(name) was told \(leak): \(bytes)")
        }
        guard let reader, let json = try? JSON.parse(message, depthMax: 64),
            let told = truth.cell(in: json, to: reader) ?? truth.stay(in: json, to: reader)
        else { return }
        throw Finding(checker: "precision", what: "\(name) was told \(told)")
    }

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    {
        var seers: [Identifier: Set<Identifier>] = [:]
        _ = try daemon.reader.rows("SELECT p.id, s.member FROM place_sight s JOIN places p ON p.number = s.place") {
            row in _ = seers[row.identifier("id"), default: []].insert(row.identifier("member"))
        }
        return [
            "position": { (owner, id) in id == owner.id },
            "place": { (reader, id) in seers[id]?.contains(reader.id) ?? false },
        ]
    }

    func belongings(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [Belongings] {
        var points = Belongings(what: "the point", takers: ["position.forget", "member.", "sharing.", "family."])
        _ = try daemon.reader.rows("SELECT track, at, device, lat, lon FROM positions") { row in
            points.ends[
                [
                    row.int("track"), row.int("at"), row.int("device"), Int64(bitPattern: row.double("lat").bitPattern),
                    Int64(bitPattern: row.double("lon").bitPattern),
                ]] = .latest
        }
        let takers = ["guestLink.", "sharing.", "member.", "household.", "family."]
        var links = Belongings(what: "the guest link", takers: takers)
        _ = try daemon.reader.rows("SELECT id, until FROM guest_links") { row in
            links.ends[Belongings.key(row.identifier("id"))] = row.instant("until")
        }
        var sharing = Belongings(what: "the sharing of", takers: takers)
        _ = try daemon.reader.rows("SELECT member, until FROM sharing WHERE is_on = 1") { row in
            sharing.ends[Belongings.key(row.identifier("member"))] = row.optionalInstant("until") ?? .latest
        }
        return [points, links, sharing]
    }

    func withheld(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first(
            """
            SELECT s.member FROM sharing s JOIN sharing_versions v ON v.version = s.version
            WHERE s.is_on = 1 AND s.until IS NOT NULL AND ltrim(hex(v.viewers), '0') <> ''
            """
        ) { row in "the sharing of \(row.identifier(0))" }
    }

    // MARK: Faults

    func plant(_ fault: Fault, _ commit: inout Commit) {
        switch fault {
        case .missingHidden: commit.events.removeAll { $0.type == "position.hidden" }
        case .exactForCoarse: commit.events = commit.events.map { fineCells.refine($0) }
        case .stayForCoarse: commit.replies = commit.replies.map { withStays($0) }
        default: break
        }
    }

    func plant(_ fault: Fault, _ done: inout JobDone) {
        switch (fault, done) {
        case (.exactForCoarse, .snapshot(let reading, .success(let made?))):
            let json = fineCells.refine(made.json)
            done = .snapshot(
                for: reading, .success(SnapshotMade(position: made.position, json: json)))
        case (.exactForCoarse, .read(let reading, .success(let read))):
            let rows = read.rows.map { fineCells.refine($0) }
            done = .read(for: reading, .success(read.with(rows)))
        default: break
        }
    }

    /// Of whoever is seen in cells the place is told as well.
    private func withStays(_ reply: Reply) -> Reply {
        guard case .success(let bytes) = reply.result, let place = truth.anyPlace,
            var json = try? JSON.parse(bytes, depthMax: 64), let stays = json["stays"]?.array
        else { return reply }
        let cells = (json["positions"]?.array ?? []).filter { $0["precision"] == "coarse" }
        guard !cells.isEmpty else { return reply }
        json["stays"] = .array(
            stays + cells.map { ["member": $0["member"] ?? .null, "place": .id(place), "name": "P1"] })
        return reply.with(json.bytes)
    }

    func plant(_ fault: Fault, _ snapshot: inout Snapshot) {
        if fault == .exactForCoarse { snapshot = fineCells.refine(snapshot) }
    }
}

extension MapLife {
    /// Somebody is going to report a coordinate; false when somebody did before.
    func isNew(_ degrees: Double, by member: Identifier) -> Bool { truth.isNew(degrees, by: member) }
}

extension Fault {
    /// Those who lose sight are not told.
    public static let missingHidden = Fault("missingHidden")
    /// Who sees a cell is told the position, live, from the log and in every snapshot alike: nothing else is wrong.
    public static let exactForCoarse = Fault("exactForCoarse")
    /// Who sees a cell is told at which place that is.
    public static let stayForCoarse = Fault("stayForCoarse")
}
