import KinCodec
import KinModel
import KinStore

/// The exact positions that everybody reported, and who may ever have been shown them. It is gathered beside the
/// daemon, from the stored rules of sharing, which are evaluated here a second time.
struct MapTruth {
    /// Who may see how much of whom, at most.
    typealias Rights = [Identifier: [Identifier: Precision]]

    /// A coordinate that somebody reported.
    private struct Spot {
        let member: Identifier
        var allowed: Set<Identifier>
        /// Its point is in the history.
        var isTaken = false
    }

    /// By the coordinate's digits, six behind the point: no other number of the box has as many.
    private var spots: [String: Spot] = [:]
    private var rights: Rights = [:]
    /// The most that anybody ever saw of anybody.
    private var most: Rights = [:]
    /// What each member reported, in order.
    private var reported: [Identifier: [String]] = [:]
    /// Alarms that go on: to whom each lends where who raised it is, and from which of that member's reports on.
    private var lent: [Identifier: (raiser: Identifier, called: Set<Identifier>, from: Int)] = [:]
    /// Whom alarms call, as the log has it.
    private var calls: [Identifier: (raiser: Identifier, called: Set<Identifier>)] = [:]
    /// Reports that were under way when an alarm was first seen.
    private static let underWay = 12
    /// How often somebody was shown another's coordinate.
    private(set) var shown = 0
    /// Once nobody could look, a place may have been made and seen unnoticed.
    private var isBlind = false
    /// Who ever saw each place.
    private var placeSeers: [Identifier: Set<Identifier>] = [:]
    /// How often somebody was told at which place another is.
    private(set) var staysTold = 0
    /// Some place, for the fault that tells of one.
    var anyPlace: Identifier? { placeSeers.keys.min() }

    /// Somebody is going to report it; false when somebody did before.
    mutating func isNew(_ degrees: Double, by member: Identifier) -> Bool {
        let text = Self.digits(degrees)
        guard spots[text] == nil else { return false }
        spots[text] = Spot(member: member, allowed: [member])
        reported[member, default: []].append(text)
        return true
    }

    private static func digits(_ degrees: Double) -> String { "\(degrees.magnitude)" }

    /// A turn is on disk: these points are in the histories, these positions are shown, and the rules say this.
    /// `isMixed`: it changed rules as well, so that nobody knows here what held for a point between.
    mutating func learn(
        points: [(member: Identifier, degrees: [Double])], latest: [(member: Identifier, degrees: [Double])],
        rights now: Rights, isMixed: Bool
    ) {
        for (watched, viewers) in now {
            for (viewer, precision) in viewers {
                most[watched, default: [:]][viewer] = max(most[watched]?[viewer] ?? .off, precision)
            }
        }
        for point in points {
            let seers = Self.exact(rights[point.member]).union(Self.exact(now[point.member]))
            for text in point.degrees.map(Self.digits) where spots[text]?.isTaken == false {
                spots[text]?.isTaken = true
                spots[text]?.allowed.formUnion(seers)
                if isMixed { spots[text]?.allowed.formUnion(now.keys) }
            }
        }
        for one in latest {
            for text in one.degrees.map(Self.digits) {
                spots[text]?.allowed.formUnion(Self.exact(now[one.member]))
            }
        }
        rights = now
    }

    /// A turn is on disk, and these alarms go on. Each lends where who raised it is to those whom it called before the turn
    /// and calls after it.
    mutating func lend(
        _ now: [(alarm: Identifier, raiser: Identifier, called: Set<Identifier>, degrees: [Double])]
    ) {
        var after: [Identifier: (raiser: Identifier, called: Set<Identifier>, from: Int)] = [:]
        for (alarm, raiser, called, degrees) in now {
            // The last one may be from long ago.
            for text in degrees.map(Self.digits) { spots[text]?.allowed.formUnion(called) }
            let known = lent[alarm]
            let from = known?.from ?? max(0, (reported[raiser]?.count ?? 0) - Self.underWay)
            after[alarm] = (raiser, called, from)
            lent[alarm] = (raiser, called.union(known?.called ?? []), from)
        }
        for (raiser, called, from) in lent.values {
            for text in (reported[raiser] ?? []).dropFirst(from) { spots[text]?.allowed.formUnion(called) }
        }
        lent = after
    }

    /// A row of the log is on disk: an alarm that is raised, moves and is over within one turn has lent where its raiser was,
    /// too, and is not on disk after it.
    mutating func lend(_ row: LogRow) {
        guard row.about.hasPrefix("alarm/"),
            let event = try? JSON.parse("{\(String(decoding: row.payload, as: UTF8.self))}"),
            let data = event["data"]
        else { return }
        if let alarm = data["alarm"].flatMap(Alarm.init) {
            guard alarm.kind != .check else { return }
            calls[alarm.id] = (alarm.by, Set(alarm.called.map(\.member)))
            lend(alarm.position, by: alarm.id)
        } else if row.type == Alarm.moved.name, let alarm = data["alarm"]?.identifier {
            lend(data["position"].flatMap(AlarmPosition.init), by: alarm)
        } else if row.type == Alarm.ended.name, let alarm = data["alarm"]?.identifier {
            calls[alarm] = nil
        }
    }

    private mutating func lend(_ position: AlarmPosition?, by alarm: Identifier) {
        guard let position, let (raiser, called) = calls[alarm] else { return }
        for text in [position.lat, position.lon].map(Self.digits) where spots[text]?.member == raiser {
            spots[text]?.allowed.formUnion(called)
        }
    }

    /// A turn is on disk, and these see places.
    mutating func learn(placeSeers now: [(place: Identifier, member: Identifier)]) {
        for (place, member) in now { placeSeers[place, default: []].insert(member) }
    }

    /// Nobody could look at the disk: what happened meanwhile is not known.
    mutating func lookedAway(_ everybody: [Identifier]) {
        isBlind = true
        for text in spots.keys { spots[text]?.allowed.formUnion(everybody) }
        for watched in everybody {
            for viewer in everybody { most[watched, default: [:]][viewer] = .exact }
        }
    }

    private static func exact(_ viewers: [Identifier: Precision]?) -> Set<Identifier> {
        Set((viewers ?? [:]).filter { $0.value == .exact }.keys)
    }

    /// What bytes tell their reader and must not; a reader without an identifier is a stranger.
    mutating func leak(in bytes: [UInt8], to reader: Identifier?) -> String? {
        for text in Self.coordinates(bytes) {
            guard let spot = spots[text] else { continue }
            guard let reader, spot.allowed.contains(reader) else { return "\(text), where \(spot.member) was" }
            if reader != spot.member { shown += 1 }
        }
        return nil
    }

    /// Numbers with six digits or more behind the point.
    private static func coordinates(_ bytes: [UInt8]) -> [String] {
        var found: [String] = []
        var start = 0
        var point: Int?
        for index in 0...bytes.count {
            let byte = index < bytes.count ? bytes[index] : 0
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { continue }
            if let point, index - point > 6 {
                found.append(String(decoding: bytes[start..<index], as: UTF8.self))
            }
            if byte == UInt8(ascii: "."), point == nil, index > start {
                point = index
            } else {
                (start, point) = (index + 1, nil)
            }
        }
        return found
    }

    /// Somebody's stay at a place by the daemon's own judgement, to one who never saw that member's exact position, or never
    /// the place.
    mutating func stay(in json: JSON, to reader: Identifier) -> String? {
        let seen = (json["result"]?["positions"]?.array ?? []).filter { $0["precision"] == nil && $0["lat"] != nil }
        let exact = Set(seen.compactMap { $0["member"]?.identifier })
        for stay in json["result"]?["stays"]?.array ?? [] {
            guard let member = stay["member"]?.identifier, let place = stay["place"]?.identifier else {
                return "a stay without its member or place: \(stay.text)"
            }
            guard member != reader else { continue }
            staysTold += 1
            // Beside a cell it would say more than the cell; and without any right to an exact position, more than all.
            if !exact.contains(member) || most[member]?[reader] ?? .off < .exact {
                return "at which place \(member) is: \(stay.text)"
            }
            if !isBlind, placeSeers[place]?.contains(reader) != true { return "of a place never seen: \(stay.text)" }
        }
        return nil
    }

    /// A cell that its reader never had a right to; strangers have it by a link.
    func cell(in json: JSON, to reader: Identifier) -> String? {
        if let elements = json.array { return elements.lazy.compactMap { cell(in: $0, to: reader) }.first }
        guard let object = json.object else { return nil }
        if object["lat"] != nil, let member = object["member"]?.identifier, member != reader,
            most[member]?[reader] ?? .off < .coarse
        {
            return "where \(member) is about: \(json.text)"
        }
        return object.members.lazy.compactMap { cell(in: $0.value, to: reader) }.first
    }
}
