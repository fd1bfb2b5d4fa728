import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// How task programs say that something which repeats is done. Each has a way of its own, and none says which day it means
/// but by DUE.
enum TodoTicks {
    /// The edit of an item without its ticks, and the days on which it is done.
    ///
    /// - DAVx5 with most apps writes the same task as completed: its DUE is the day that is done.
    /// - tasks.org writes it as open and due on the next day by its rule.
    /// - Thunderbird and jtx Board write a second task beside it, with the day as RECURRENCE-ID.
    /// - todoman writes it as completed without its rule, and a copy of it that goes on. That is what is meant then, too.
    static func meant(
        by read: TodoText.Read, of stored: StoredItem?, today: String
    ) -> (values: [ItemEdit.Field: JSON], done: [String]) {
        var (values, done) = (read.values, read.done)
        // An item whose rule has come to its end was written out as done and without the rule: a client that says so
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
            // It went on meanwhile: somebody else ticked this day, or the client did and heard no answer.
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

    /// Whether a day is one of a rule's behind another, and none that the rule leaves out because it is past.
    private static func isNext(_ due: String, after now: String, of stored: StoredItem, today: String) -> Bool {
        guard let rule = stored.wire.repeats.flatMap({ RecurrenceRule($0) }),
            let start = stored.said.item.due.flatMap({ Civil($0 + "T00:00") }), let day = Civil(due + "T00:00"),
            let from = Civil(max(now, today) + "T00:00"),
            let next = SaidItem.day(after: from, start: start, rule)
        else { return false }
        return day <= next && Series(start: start, isAllDay: true, rules: [rule]).contains(day)
    }

    /// Whether a rule is the item's, but for how often it is left.
    private static func isSame(_ given: JSON?, _ stored: StoredItem, _ text: String) -> Bool {
        func plain(_ text: String?) -> String? {
            guard let rule = text.flatMap({ RecurrenceRule($0) }) else { return nil }
            return rule.count == nil ? rule.description : rule.counting(nil)?.description
        }
        return plain(given?.string) == plain(text)
    }

    /// The turns of a task that goes on as a new one: the caller ticked another of its name that repeated and does no more.
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
