import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// The ways in which task programs mark a repeated task as done. Each program has its own, and the only day that any of
/// them names is DUE.
enum TodoTicks {
    /// The edit of an item without its ticks, and the days on which the item is done.
    ///
    /// - DAVx5 with most apps writes the same task as completed: its DUE is the day that is done.
    /// - tasks.org writes it as open and due on the next day by its rule.
    /// - Thunderbird and jtx Board write a second task beside it, with the day as RECURRENCE-ID.
    /// - todoman writes it as completed without its rule, with a copy that goes on. It is then stored as these two
    ///   items.
    static func meant(
        by read: TodoText.Read, of stored: StoredItem?, today: String
    ) -> (values: [ItemEdit.Field: JSON], done: [String]) {
        var (values, done) = (read.values, read.done)
        // An item whose rule has ended was written out as done and without the rule. A client that sends that back
        // changes nothing.
        if let stored, stored.wire.isTicked, let rule = stored.wire.repeats, values[.repeats]?.isNull == true,
            values[.ticked]?.bool == true
        {
            values[.repeats] = .string(rule)
            return (values, [])
        }
        guard read.values[.repeats]?.string != nil, let due = read.values[.due]?.string else { return (values, []) }
        let isTicked = values[.ticked]?.bool ?? false
        values[.ticked] = nil
        guard let stored, let now = stored.wire.due, let text = stored.wire.repeats, !stored.wire.isTicked else {
            return (values, done + (isTicked ? [due] : []))
        }
        if isTicked {
            done.append(due)
            // The item has gone on meanwhile: somebody else ticked this day, or the client did and got no answer.
            if due < now {
                values[.due] = nil
                values[.repeats] = nil
            }
        } else if due > now, isNext(due, after: now, of: stored, today: today), isSame(values[.repeats], stored, text) {
            done.append(now)
            values[.due] = nil
            values[.repeats] = nil
        }
        return (values, done)
    }

    /// Whether a day follows another by a rule, without a day between them that the rule could still skip as past.
    private static func isNext(_ due: String, after now: String, of stored: StoredItem, today: String) -> Bool {
        guard let rule = stored.wire.repeats.flatMap({ RecurrenceRule($0) }),
            let start = stored.said.item.due.flatMap({ Civil($0 + "T00:00") }), let day = Civil(due + "T00:00"),
            let from = Civil(max(now, today) + "T00:00"),
            let next = SaidItem.day(after: from, start: start, rule)
        else { return false }
        return day <= next && Series(start: start, isAllDay: true, rules: [rule]).contains(day)
    }

    /// Whether a rule is the item's, apart from the number of times that are left.
    private static func isSame(_ given: JSON?, _ stored: StoredItem, _ text: String) -> Bool {
        func plain(_ text: String?) -> String? {
            guard let rule = text.flatMap({ RecurrenceRule($0) }) else { return nil }
            return rule.count == nil ? rule.description : rule.counting(nil)?.description
        }
        return plain(given?.string) == plain(text)
    }

    /// The turns of a task that goes on as a new one. Before that, the caller ticked another task of that name, which
    /// repeated and no longer does.
    static func turns(
        of values: [ItemEdit.Field: JSON], in list: StoredList, _ act: Act
    ) throws(Rejection) -> [Identifier]? {
        guard let text = values[.text]?.string else { return nil }
        let before = try act.first(
            """
            SELECT id FROM list_items WHERE owner_list = ? AND removed_at IS NULL AND text = ? AND repeat IS NULL
            AND turns IS NOT NULL AND ticked = 1 AND ticked_by = ? AND ticked_at > ? ORDER BY ticked_at DESC LIMIT 1
            """, .int(list.number), .text(text), .id(try act.member.id), .time(act.now.adding(days: -1))
        ) { row in row.identifier(0) }
        guard let before, let item = try StoredItem.find(before, in: list, act) else { return nil }
        let turns = item.said.turns(after: 1)
        return turns.isEmpty ? nil : turns
    }
}
