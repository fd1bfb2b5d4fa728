import KinCalendar
import KinKeeper
import KinModel
import KinStore

extension Shelf {
    /// The times at which an entry on the shelf makes its reader busy (RFC 4791, 7.10). A cancelled entry, one shown as
    /// free and a declined one do not. An uncertain entry, and one that the reader answered with perhaps, make the
    /// reader tentatively busy. Of an entry of which the reader sees only the time, nothing more is told.
    func busyTimes(_ params: Params, _ act: Act) throws(Rejection) -> [BusySpan] {
        var asked = params.object
        // An entry of others to which the reader is asked counts in the reader's own calendar, whatever calendar it is
        // in.
        if !isOwn { asked["calendars"] = [.id(calendar.id)] }
        var question = try EntryQuestion(Params(asked), act)
        // Entries of other calendars are not looked through, however many of them the reader sees.
        if isOwn { question.only = try numbers(from: question.from, to: question.to, act) }
        let found = try question.find(act)
        var all = found.all.filter { !$0.isCancelled }
        let hidden = found.busy
        // A reader of a school's calendar is not busy on its holidays.
        if calendar.kind == .subscribed { all.removeAll(where: \.isAllDay) }
        let said = try Transparency.among(Set(all.map(\.number) + hidden.map(\.number)), act)
        func isFree(_ number: Int64, _ name: Civil) -> Bool { said[number]?.isFree(at: name) ?? false }
        all.removeAll { isFree($0.number, $0.span.name) }
        let entries = try act.memory(CalendarMemory.self).entries.told(Set(all.map(\.number)).sorted(), act)
        var spans = hidden.filter { !isFree($0.number, $0.name) }.map { BusySpan(start: $0.start, end: $0.end) }
        for one in all {
            guard let entry = entries[one.number]?.entry else { continue }
            let occurrence = OccurrenceTime(one.span, of: entry)
            let answer = entry.answer(of: reader.id, to: occurrence.name)
            guard answer != .declined else { continue }
            spans.append(
                BusySpan(
                    start: one.span.start, end: one.span.end,
                    isTentative: occurrence.status == .tentative || answer == .tentative))
        }
        return BusySpan.merged(spans)
    }

    /// The entries on the shelf that may be on between two moments, by their numbers.
    private func numbers(from: Instant, to: Instant, _ act: Act) throws(Rejection) -> Set<Int64> {
        try act.ask { (database) throws(StoreFailure) in
            Set(
                try database.rows(
                    """
                    SELECT e.number FROM entries e WHERE \(condition) AND e.last >= ?2 AND e.first < ?3
                    """, values: values + [.time(from), .time(to)]
                ) { row in row.int(0) })
        }
    }
}
