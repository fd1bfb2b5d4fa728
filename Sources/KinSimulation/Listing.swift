import KinCodec
import KinModel

/// What one client listed: each list, with every event since applied. List + events = list.
struct Listing {
    private static let firstID: Int64 = 100

    private let member: Identifier
    private let number: Int32
    /// The question that has no answer yet.
    private var asked: (id: Int64, question: ListQuestion)?
    private var nextID = firstID
    /// Parts as they were listed at a position, with every event since.
    private var kept: [String: (part: Snapshot, at: Int64)] = [:]
    /// Lists of which no snapshot has anything, likewise.
    private var keptLists: [String: (list: any KeptList, at: Int64)] = [:]
    /// Where the client's snapshot was seen to be whole.
    private var wholeAt: Int64 = 0
    /// Positions of the events that came.
    private var told: Set<Int64> = []
    /// Whether nothing is on its way to anybody any more.
    private var isAtRest = false
    /// How often a list of a method was compared while there was something in it.
    private(set) var compared: [String: Int] = [:]

    init(_ member: Identifier, _ number: Int32) {
        self.member = member
        self.number = number
    }

    /// A question for this connection, unless one is open: of a whole list, or of one thing that the client sees.
    mutating func question(_ world: World, _ snapshot: Snapshot?) -> [UInt8]? {
        guard asked == nil else { return nil }
        let ofOne = snapshot.map { seen in world.areas.compactMap { $0.question(world, about: seen) } } ?? []
        let lists = world.areas.flatMap(\.lists)
        // A list that is asked for once says nothing of the events since: every other question is for one that is kept.
        let again = lists.filter { kept[$0.method] != nil || keptLists[$0.method] != nil }
        // Nothing else holds some lists to their events.
        let alone = lists.filter(\.isAlone)
        let question =
            switch world.dice.below(6) {
            case 0...1: world.dice.pick(alone)
            case 2...3 where !again.isEmpty: world.dice.pick(again)
            default: world.dice.pick(lists + ofOne)
            }
        return ask(question)
    }

    /// A question that was just answered, once more: with nothing but a list before there is something to compare.
    mutating func again(_ question: ListQuestion, _ world: World) -> [UInt8]? {
        question.kept != nil && !world.dice.once(in: 4) ? ask(question) : nil
    }

    /// This question for this connection, unless one is open.
    mutating func question(_ question: ListQuestion) -> [UInt8]? { asked == nil ? ask(question) : nil }

    /// Whether a question has no answer yet.
    var isOpen: Bool { asked != nil }

    private mutating func ask(_ question: ListQuestion) -> [UInt8] {
        asked = (nextID, question)
        defer { nextID += 1 }
        return RPC.request(id: .int(nextID), method: question.method, params: question.params)
    }

    /// Its connection is gone, and the answer with it.
    mutating func lost() { asked = nil }

    /// What was listed before a snapshot is worth nothing behind it.
    mutating func begunAnew(at position: Int64) {
        kept = [:]
        keptLists = [:]
        wholeAt = position
    }

    mutating func snapshotIsWhole(at position: Int64) { wholeAt = position }

    /// All has come to rest, and the client's snapshot is whole.
    mutating func rests(at position: Int64) {
        snapshotIsWhole(at: position)
        isAtRest = true
    }

    mutating func apply(_ event: Event, _ position: Int64) {
        told.insert(position)
        for method in kept.keys { kept[method]?.part.apply(event) }
        for method in keptLists.keys where keptLists[method]?.list.apply(event) == false { keptLists[method] = nil }
    }

    /// The answer in a message, if it has one: the question, and the result where it was no refusal.
    mutating func answer(_ message: [UInt8]) -> (question: ListQuestion, result: JSON?)? {
        guard let (id, question) = asked, let json = try? JSON.parse(message), json["id"]?.int == id else { return nil }
        asked = nil
        return (question, json["result"])
    }

    /// The fault of a list at its place in the stream, compared with the client's snapshot. Events that are gone before
    /// the client was told are made up for by later ones: until then there is nothing to compare with.
    mutating func fault(
        _ question: ListQuestion, _ result: JSON, _ position: Int64, _ snapshot: Snapshot?, _ oracle: Oracle
    ) -> String? {
        func isTold(after: Int64) -> Bool {
            !oracle.isUntold(to: number, after: after, through: position, told: told)
        }
        let snapshot = isTold(after: wholeAt) ? snapshot : nil
        let method = question.method
        if let kind = question.kept {
            let before = keptLists.removeValue(forKey: method)
            guard let now = kind.init(result) else { return nil }
            keptLists[method] = (now, position)
            guard let before, isTold(after: before.at) else { return nil }
            if !now.isEmpty { count(method) }
            return before.list.difference(from: now).map { "\(method): \($0)" }
        }
        guard let part = question.part else {
            guard let snapshot else { return nil }
            if let watched = question.watched, result[watched]?.array?.isEmpty == false { count(method) }
            return question.fault(result, snapshot)
        }
        guard var now = Snapshot(["me": .id(member), part: result[part] ?? .null]) else {
            return "\(method) is no list"
        }
        question.trim(&now)
        let before = kept.updateValue((now, position), forKey: method).flatMap { isTold(after: $0.at) ? $0.part : nil }
        for (what, other) in [("the list before, with every event since,", before), ("the snapshot", snapshot)] {
            // What is listed only is in no snapshot.
            guard let other, !other.absent.contains(part), !other.more.contains(part) else { continue }
            guard other.json[part] != now.json[part] else { continue }
            return "\(method) is \(now.json[part]?.text ?? ""), \(what) is \(other.json[part]?.text ?? "")"
        }
        return nil
    }

    private mutating func count(_ method: String) { compared[isAtRest ? method + " at rest" : method, default: 0] += 1 }
}
