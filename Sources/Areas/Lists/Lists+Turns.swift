import KinCalendar
import KinKeeper
import KinModel
import KinStore

/// Turns as members come and go, and the days by which they are counted.
extension Lists {
    /// A member leaves the family and takes no turns any more, on whichever list.
    static func leaveTurns(_ member: Identifier, _ act: Act) throws(Rejection) {
        let lists = try act.rows(
            """
            SELECT DISTINCT owner_list FROM list_items WHERE removed_at IS NULL AND instr(coalesce(turns, ''), ?) > 0
            ORDER BY owner_list
            """, .text(member.description)
        ) { row in row.int(0) }
        for number in lists {
            guard let list = try StoredList.find(number, act) else { continue }
            try leaveTurns([member], on: list, act)
        }
    }

    /// Members who no longer see a list take no turns at its items. The next member in the order has the turn.
    static func leaveTurns(_ gone: Set<Identifier>, on list: StoredList, _ act: Act) throws(Rejection) {
        let items = try act.rows(
            "SELECT id FROM list_items WHERE owner_list = ? AND removed_at IS NULL AND turns IS NOT NULL ORDER BY id",
            .int(list.number)
        ) { row in row.identifier(0) }
        for id in items {
            guard var item = try StoredItem.find(id, in: list, act), let left = item.said.turns(without: gone) else {
                continue
            }
            let standIn = item.said.standIn.flatMap { gone.contains($0) ? nil : $0 }
            let said = item.stamps[.turns]?.at.adding(milliseconds: 1) ?? act.now
            let edit = ItemEdit(
                id: id, at: max(act.now, said), by: list.wire.owner,
                values: [.turns: left.isEmpty ? .null : .array(left.map { .id($0) })])
            guard item.said.take(edit) else { continue }
            // A member who stands in this once still does: the name is said again after the new turns.
            if let standIn {
                let named = max(edit.at, item.stamps[.member]?.at ?? edit.at).adding(milliseconds: 1)
                _ = item.said.take(
                    ItemEdit(id: id, at: named, by: list.wire.owner, values: [.member: .id(standIn)]))
            }
            try item.save(in: list, act)
            let leaving = Audience(try act.roster.entries.filter { gone.contains($0.id) }.map(\.number))
            try tell(item, of: list, to: try shared.seers(of: list.number, act).subtracting(leaving), act)
        }
    }

    /// The zone of the caller's clock.
    static func zone(_ act: Act) throws(Rejection) -> Zone {
        try act.hooks.settings?(act, try act.member.id).zone.flatMap { Zone($0) } ?? Zone.system ?? .utc
    }

    /// The day of a moment on a clock.
    static func day(of moment: Instant, _ zone: Zone) -> String {
        String(zone.civil(at: moment).description.prefix(10))
    }
}
