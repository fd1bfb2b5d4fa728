import KinCalendar
import KinICal
import KinModel

/// All edits of an item, and the state that follows from them. Each field is a register of its own; so is each day of
/// an item that repeats, which says whether the item is done on that day. The day that is due and the member whose turn
/// it is are computed from the registers alone. So the order in which edits arrive does not matter, and two phones that
/// tick the same day move the item on by one.
struct SaidItem: Sendable {
    /// A tick, or its removal, on one day of an item that repeats.
    struct Tick: Sendable, Hashable {
        let isTicked: Bool
        /// The member who ticked the day, or removed its tick.
        let by: Identifier
        let at: Instant
        /// The day on which that was done, by that member's clock. All days that were due until then are done with it.
        let through: String
        /// The edit by which it was done.
        var edit: Identifier?

        /// Of two ticks of one moment the one with the greater edit stands, or else the greater one.
        fileprivate func isLess(than other: Tick) -> Bool {
            let (one, two) = (ItemStamp(at: at, edit: edit), ItemStamp(at: other.at, edit: other.edit))
            return one != two ? one < two : rank < other.rank
        }

        private var rank: String { "\(isTicked) \(by) \(through)" }
    }

    /// Each field with its latest value.
    var item: ListItem
    /// The moments of these values.
    var stamps: ItemStamps = [:]
    /// The ticks, by the day that was due.
    var ticks: [String: Tick] = [:]

    /// Applies an edit; answers whether it decided anything, even if the value stayed the same.
    mutating func take(_ edit: ItemEdit) -> Bool {
        guard let day = edit.occurrence, let isTicked = edit.values[.ticked]?.bool else {
            return item.take(edit, &stamps)
        }
        var rest = edit
        rest.values[.ticked] = nil
        let isNews = item.take(rest, &stamps)
        let tick = Tick(
            isTicked: isTicked, by: edit.by, at: edit.at, through: max(edit.through ?? day, day), edit: edit.edit)
        if let known = ticks[day] {
            guard known.isLess(than: tick) else { return isNews }
        }
        ticks[day] = tick
        return true
    }

    /// The item that follows from the edits.
    var now: ListItem {
        guard let rule = item.repeats.flatMap({ RecurrenceRule($0) }),
            let start = item.due.flatMap({ Civil($0 + "T00:00") })
        else { return once }
        var now = item
        // If the day due was set later than everything that was done, the item begins anew on that day.
        let done = ticks.filter { $0.value.isTicked && $0.value.at >= stamps[.due]?.at ?? .earliest }
        let last = done.max { $0.key < $1.key }
        now.done = last?.key
        now.tickedBy = last?.value.by
        now.tickedAt = last?.value.at
        let through = done.values.map(\.through).max().flatMap { Civil($0 + "T00:00") }
        var next: Civil? = start
        if let through { next = Self.day(after: through, start: start, rule) }
        now.isTicked = next == nil
        now.due = next.map { String($0.description.prefix(10)) } ?? last?.key
        if next != nil { now.member = turn ?? item.member }
        return now
    }

    /// The same for an item that does not repeat. A member who did not know that yet may have ticked it for its day.
    private var once: ListItem {
        guard let tick = item.due.flatMap({ ticks[$0] }), tick.at > stamps[.ticked]?.at ?? .earliest,
            tick.at >= stamps[.due]?.at ?? .earliest
        else { return item }
        var now = item
        now.isTicked = tick.isTicked
        now.tickedBy = tick.by
        now.tickedAt = tick.isTicked ? tick.at : nil
        return now
    }

    /// The time of the latest edit.
    var lastSaid: Instant? { (stamps.values.map(\.at) + ticks.values.map(\.at)).max() }

    /// The next day after another on which a rule makes it due.
    static func day(after day: Civil, start: Civil, _ rule: RecurrenceRule) -> Civil? {
        Series(start: start, isAllDay: true, rules: [rule]).first(from: day.adding(days: 1))
    }

    /// The member whose turn it is. Each day that was done since the turns were set passes it to the next member. A
    /// member who was named after that does it this once.
    private var turn: Identifier? {
        guard !item.turns.isEmpty, let said = stamps[.turns]?.at else { return nil }
        if let standIn { return standIn }
        let done = ticks.values.count { $0.isTicked && $0.at >= said }
        return item.turns[done % item.turns.count]
    }

    /// The member who was named for the next day that is due, if that happened after the turns were set and after the
    /// last day that is done.
    var standIn: Identifier? {
        guard !item.turns.isEmpty, let said = stamps[.turns]?.at, let named = stamps[.member]?.at else {
            return nil
        }
        let done = ticks.values.filter { $0.isTicked && $0.at >= said }
        return named > max(said, done.map(\.at).max() ?? said) ? item.member : nil
    }

    /// The turns without some members, beginning with the member who is next; `nil` if none of them takes turns.
    func turns(without gone: Set<Identifier>) -> [Identifier]? {
        guard item.turns.contains(where: { gone.contains($0) }) else { return nil }
        return turns(after: 0).filter { !gone.contains($0) }
    }

    /// The turns, beginning with the member who is next after some more days are done.
    func turns(after more: Int) -> [Identifier] {
        guard !item.turns.isEmpty, let said = stamps[.turns]?.at else { return item.turns }
        let done = ticks.values.count { $0.isTicked && $0.at >= said }
        let next = (done + more) % item.turns.count
        return Array(item.turns[next...] + item.turns[..<next])
    }
}
