import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// A stretch of Ada's life by the seed's dice: cells and times, phones, batches, switches, what is forgotten. Where in its
/// cells she is, and all else that a phone says of it, is by other dice. Beside it everything that those get who see cells.
final class CellRun {
    let box: MapBox
    private let ada: Identifier
    /// Bob sees cells and the history, or nothing; Gil is a guest who sees cells.
    private let watchers: [(name: String, id: Identifier, number: Int32)]
    /// Dan sees now this much, now that: what he gets is not compared, and makes nobody else's another.
    private let dan: Identifier
    private let secret: JSON
    private let reader: Database
    /// What they got, a line for each thing.
    private(set) var seen: [String] = []
    /// How many points were good and how many jumped, as it is known of exact ones.
    private(set) var qualities: [Int64] = []

    private var dice: Dice
    private var inside: Dice
    private var row: Int64 = 15_800
    private var column: Int64 = 12_000
    /// The time of Ada's newest point.
    private var at = MapBox.start
    private var last: (point: JSON.Object, cell: Cell)?

    init(seed: UInt64, inside: UInt64, turns: Int = 40) throws {
        dice = Dice(state: seed &* 7919)
        self.inside = Dice(state: inside &* 104_729)
        box = try MapBox()
        ada = try box.join("Ada")
        let (bob, gil) = (try box.join("Bob"), try box.join("Gil", role: .guest, household: box.hill))
        dan = try box.join("Dan")
        watchers = [("Bob", bob, 2), ("Gil", gil, 3)]
        reader = try box.store.reader()
        let until = box.clock.adding(days: 30)
        secret = try #require(
            try box.call(ada, "guestLink.create", ["precision": "coarse", "until": .time(until)])["secret"])
        try choose(isOn: true)
        for turn in 0..<turns {
            try step(turn)
            for watcher in watchers {
                for event in box.heard(watcher.id) { note("\(turn) \(watcher.name) hears", event.data, of: event) }
            }
            if dice.roll(4) == 0 { try look(turn) }
        }
        try look(turns)
        try box.call(ada, "sharing.set", ["state": "on"])
        try look(turns + 1)
        qualities = try [0, 2, 4].map { quality in
            try box.count("SELECT count(*) FROM positions WHERE quality = \(quality)")
        }
    }

    // MARK: What Ada does

    private func step(_ turn: Int) throws {
        let most = dice.roll(6) == 0 ? 2000 : 60
        box.clock = box.clock.adding(seconds: Int64(1 + dice.roll(most)))
        switch dice.roll(24) {
        case 0: try choose(isOn: false)
        case 1, 2: try choose(isOn: true)
        case 3: try box.call(ada, "sharing.set", ["state": "off"])
        case 4: try box.call(ada, "sharing.set", ["state": "on"])
        case 5:
            let from = at.adding(seconds: -Int64(dice.roll(90)))
            try box.call(
                ada, "position.forget", ["from": .time(from), "to": .time(from.adding(seconds: Int64(dice.roll(60))))])
        case 6: try box.call(ada, "sharing.set", ["historyDays": dice.roll(2) == 0 ? 0 : 30])
        case 7: try box.wait(seconds: Int64(dice.roll(4000)))
        case 8, 9: try batch(33 + dice.roll(60))
        case 10: try phone()
        default: try batch(1 + dice.roll(4))
        }
    }

    /// Who sees how much from now on.
    private func choose(isOn: Bool) throws {
        var rules: [JSON] = [["viewer": .id(watchers[1].id), "precision": "coarse"]]
        if dice.roll(4) > 0 {
            let shows = JSON.bool(dice.roll(4) > 0)
            rules.append(["viewer": .id(watchers[0].id), "precision": "coarse", "history": shows])
        }
        let precision = ["exact", "coarse", "place", "home", "off"][dice.roll(5)]
        rules.append(["viewer": .id(dan), "precision": .string(precision), "history": true])
        try box.call(ada, "sharing.set", ["state": isOn ? "on" : "off", "rules": .array(rules)])
    }

    private func batch(_ count: Int) throws {
        var points: [JSON] = []
        for _ in 0..<count { points.append(.object(point())) }
        let between = dice.roll(6)
        if between < 2 {
            box.betweenTurns = { [unowned self] () throws in
                box.betweenTurns = nil
                try box.call(ada, "sharing.set", ["state": between == 0 ? "off" : "on"])
            }
        }
        defer { box.betweenTurns = nil }
        try box.call(ada, "position.report", ["positions": .array(points)])
    }

    /// Points of an app, one of them from the future.
    private func phone() throws {
        var points: [JSON] = []
        for index in 0..<3 {
            var point = point()
            point["device"] = nil
            if index == 1 { point["at"] = .time(box.clock.adding(days: 1)) }
            points.append(.object(point))
        }
        try box.call(ada, "phone.publish", ["app": "overland", "device": "pixel", "points": .array(points)])
    }

    /// The next point, mostly at about the limit: as many cells on as can be flown over in the time.
    private func point() -> JSON.Object {
        if let last, dice.roll(10) == 0 {
            var point = last.point
            // The same moment again, of the same spot or another of its cell.
            if inside.roll(2) == 0 { place(&point, in: last.cell) }
            return point
        }
        let most = dice.roll(5) == 0 ? 600 : 60
        let seconds = Int64(1 + dice.roll(most))
        if dice.roll(8) == 0 {
            // One that comes late, from where nobody was.
            let then = at.adding(seconds: -Int64(dice.roll(300)))
            let (before, there) = ((row, column), Int64(dice.roll(9)) - 4)
            (row, column) = (row + there, column - there)
            defer { (row, column) = before }
            return somewhere(at: .time(then))
        }
        if dice.roll(8) == 0 { at = max(at, box.clock.adding(seconds: -Int64(dice.roll(600)))) }
        at = at.adding(seconds: seconds)
        // A phone's clock may be ahead by as much.
        if at > box.clock.adding(seconds: 99) { box.clock = at.adding(seconds: -Int64(dice.roll(100))) }
        let reach = seconds / 4
        let stride: Int64 =
            switch dice.roll(6) {
            case 0: 0
            case 1: 1
            case 2: Int64(dice.roll(31))
            default: max(0, reach + Int64(dice.roll(5)) - 2)
            }
        switch dice.roll(4) {
        case 0: row += stride
        case 1: row -= stride
        case 2: column += stride
        default: column -= stride
        }
        row = min(max(row, 15_500), 16_100)
        return somewhere(at: .time(at))
    }

    private func within(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * (0.001 + 0.998 * Double(inside.roll(100_000)) / 100_000)
    }

    private func place(_ point: inout JSON.Object, in cell: Cell) {
        let width = 360 / Double(Cell.columns(inRow: cell.row))
        point["lat"] = .double(within(-90 + Double(cell.row) * 0.009, -90 + Double(cell.row + 1) * 0.009))
        point["lon"] = .double(within(-180 + Double(cell.column) * width, -180 + Double(cell.column + 1) * width))
    }

    private func somewhere(at: JSON) -> JSON.Object {
        var point: JSON.Object = [
            "at": at, "speed": .double(within(0, 40)), "course": .double(within(0, 359)),
            "altitude": .double(within(0, 900)), "battery": .double(within(0, 100)),
        ]
        let cell = Cell(row: row, column: column)
        place(&point, in: cell)
        switch dice.roll(12) {
        case 0: break
        case 1: point["accuracy"] = .double(within(2001, 9000))
        case 2, 3: point["accuracy"] = .double(within(0, 1999))
        default: point["accuracy"] = .double(within(0, 60))
        }
        if let device = ["phone", "tablet", nil][min(2, dice.roll(12))] { point["device"] = .string(device) }
        last = (point, cell)
        return point
    }

    // MARK: What others get

    private func note(_ what: String, _ json: JSON, of event: Event? = nil) {
        let frame = event.map { "\($0.type) \($0.at) \($0.by?.description ?? "-") \($0.about) " } ?? ""
        seen.append("\(what): \(frame)\(json.text)")
    }

    private func look(_ turn: Int) throws {
        for watcher in watchers {
            func ask(_ method: String, _ params: JSON.Object = [:]) {
                let answer: JSON
                do { answer = try box.call(watcher.id, method, params) } catch { answer = .string("\(error)") }
                note("\(turn) \(watcher.name) asks \(method)", answer.withoutCursor)
            }
            note("\(turn) \(watcher.name) sees", try #require(try box.fresh(watcher.id)).snapshot.json)
            ask("position.latest")
            let range: JSON.Object = [
                "member": .id(ada), "from": .time(MapBox.start.adding(days: -1)), "to": .time(box.clock), "limit": 7,
            ]
            var params = range
            while true {
                let page = try? box.call(watcher.id, "position.history", params)
                note("\(turn) \(watcher.name) reads", page ?? .null)
                guard let next = page?["next"] else { break }
                params["after"] = next
            }
            ask("position.ask", ["member": .id(ada)])
            ask("owntracks.publish", ["message": ["_type": "lwt"]])
            let file = try? box.piece(watcher.id, ["member": .id(ada), "format": "geojson"])
            note(
                "\(turn) \(watcher.name) takes out",
                .string(file.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "-"))
            let page = try Log.read(
                reader, after: 0, through: nil, member: watcher.number, types: nil, bytesMax: 1 << 20)
            for row in page.rows {
                seen.append("\(turn) \(watcher.name) comes back: \(String(decoding: row.payload, as: UTF8.self))")
            }
        }
        note("\(turn) the link", try box.ask(.none, "guestLink.open", ["secret": secret]))
    }
}

extension JSON {
    /// A list without the cursor it is true at: that is another each time, and nobody can read it.
    var withoutCursor: JSON {
        guard var object else { return self }
        object["cursor"] = nil
        return .object(object)
    }
}
