import KinCalendar
import KinKeeper
import KinModel

/// A page of what is on between two times, however far they are from each other.
///
/// A time that is short enough is looked through at once. A longer one is looked through by stretches, short ones at first:
/// the next stretch is twice as long if little was found, and half as long if there was too much. So the work for a page is
/// bounded, and a page of a long time may be empty although there is a next one.
struct EntryPage {
    var places: [EntryQuestion.Place] = []
    /// Busy times that begin between this page's beginning and the next one's. If everything is searched at once, the
    /// first page has all of them.
    var busy: [EntryQuestion.Busy] = []
    var birthdays: [Birthdays.Day] = []
    /// The key behind which the next page goes on; `nil` after the last page.
    var next: String?
}

extension EntryQuestion {
    /// The page behind a key of the page before, or the first.
    func page(behind key: String?, _ most: Int, _ birthdays: Birthdays, _ act: Act) throws(Rejection) -> EntryPage {
        if !isLong, let found = try look(act) {
            let (places, hasMore) = found.page(behind: key, most)
            return EntryPage(
                places: places, busy: key == nil ? found.busy : [],
                birthdays: key == nil ? birthdays.days(from: from, to: to, zone) : [],
                next: hasMore ? places.last?.key : nil)
        }
        guard let moment = key.map({ Place.moment(of: $0) }) ?? from.milliseconds else { return EntryPage() }
        let begin = max(from, Instant(milliseconds: moment))
        guard begin < to else { return EntryPage() }
        var page = try stretches(from: begin, behind: key, most, act)
        // An occurrence that is already on when the page begins has an earlier key.
        let end = page.next.flatMap { Place.moment(of: $0) }.map { max(begin, Instant(milliseconds: $0)) } ?? to
        page.busy.removeAll { $0.start >= end || (key != nil && $0.start < begin) }
        // The day on which a page begins was on the page before, unless the page begins at midnight.
        let first = zone.civil(at: begin)
        page.birthdays = birthdays.days(from: begin, to: end, zone).filter { key == nil || $0.date >= first }
        return page
    }

    private static let firstDays = 32

    private func stretches(
        from begin: Instant, behind key: String?, _ most: Int, _ act: Act
    ) throws(Rejection) -> EntryPage {
        var page = EntryPage()
        var (begin, behind, days) = (begin, key, Self.firstDays)
        for _ in 0..<Limits.entryStretchesMax where begin < to {
            let end = min(to, begin.adding(days: Int64(days)))
            guard let found = try within(begin, end).look(act) else {
                guard days > 1 else { throw Self.tooMany }
                days /= 2
                continue
            }
            // No stretch has more than one answer holds.
            if page.busy.count + found.busy.count > Limits.occurrencesPerQuestionMax { break }
            let (places, hasMore) = found.page(behind: behind, most - page.places.count)
            page.places += places
            page.busy += found.busy.filter { behind == nil || $0.start >= begin }
            if hasMore || (page.places.count == most && end < to) {
                page.next = page.places.last?.key
                return page
            }
            // An occurrence that goes on from the stretch before is not listed again.
            (begin, behind) = (end, Place.key(at: end))
            days = min(2 * days, Int(Limits.entryWindowDaysMax))
        }
        page.next = begin < to ? behind ?? Place.key(at: begin) : nil
        return page
    }
}
