import KinCalendar
import KinKeeper
import KinModel

/// The days in a time on which there is something, in pages of as many days as are searched at once.
struct EntryDays {
    /// The first day of the page.
    private let first: Civil
    private var counts: [Int]
    /// For each day, the indexes of its categories in ``names``.
    private var categories: [[Int]]
    private var names: [String] = []
    /// The day with which the next page begins; `nil` after the last page.
    private(set) var next: Civil?

    /// Days of a page.
    private static let pageDays = Int(Limits.entryWindowDaysMax) + 1
    static let categoriesMax = 12

    /// The page that begins with a day; without one, the question's first page.
    init(_ question: EntryQuestion, from day: Civil?, _ birthdays: Birthdays, _ act: Act) throws(Rejection) {
        let zone = question.zone
        let (start, last) = (zone.civil(at: question.from), zone.civil(at: question.to))
        var begin = max(start, day?.startOfDay ?? start)
        let end = min(last, begin.startOfDay.adding(days: Self.pageDays))
        let opening = begin
        first = begin.startOfDay
        counts = [Int](repeating: 0, count: Self.pageDays)
        categories = [[Int]](repeating: [], count: Self.pageDays)
        func moment(_ civil: Civil) -> Instant {
            civil == start ? question.from : civil == last ? question.to : Timing.moment(civil, zone)
        }
        var (left, length) = (Limits.occurrencesPerQuestionMax, Self.pageDays)
        while begin < end {
            let until = min(end, begin.startOfDay.adding(days: length))
            let stretch = question.within(moment(begin), moment(until))
            guard let found = try stretch.look(most: left, act) else {
                if length > 1 {
                    length = max(1, length / 4)
                    continue
                }
                guard begin > opening else { throw EntryQuestion.tooMany }
                break
            }
            count(found, stretch)
            left -= found.count
            begin = until
        }
        next = begin < last ? begin : nil
        if opening < begin { count(birthdays.days(from: moment(opening), to: moment(begin), zone)) }
    }

    private mutating func count(_ found: EntryQuestion.Found, _ stretch: EntryQuestion) {
        let own = found.sketches.map { place(of: $0.category ?? "none") }
        let steady = stretch.zone.steady(from: stretch.from, to: stretch.to)
        func civil(_ moment: Instant) -> Civil { steady?.civil(at: moment) ?? stretch.zone.civil(at: moment) }
        let last = civil(stretch.to)
        for one in found.all {
            let category =
                one.span.isOtherwise
                ? place(of: found.sketches[one.sketch].category(at: one.span) ?? "none") : own[one.sketch]
            let start = max(stretch.from, one.span.start)
            // An occurrence that ends at midnight is not on the day that begins then.
            let end = min(stretch.to, max(one.span.start, one.span.end.adding(milliseconds: -1)))
            var day = civil(start).startOfDay
            let ends = civil(end)
            while day <= ends, day < last {
                count(day, category)
                day = day.adding(days: 1)
            }
        }
    }

    private mutating func count(_ birthdays: [Birthdays.Day]) {
        guard !birthdays.isEmpty else { return }
        let category = place(of: Birthdays.category)
        for one in birthdays { count(one.date, category) }
    }

    private mutating func count(_ day: Civil, _ category: Int) {
        let number = day.days(since: first)
        guard counts.indices.contains(number) else { return }
        counts[number] += 1
        if !categories[number].contains(category) { categories[number].append(category) }
    }

    private mutating func place(of category: String) -> Int {
        if let known = names.firstIndex(where: { $0.hasSameBytes(as: category) }) { return known }
        names.append(category)
        return names.count - 1
    }

    /// A day on which something is.
    struct Day: WireRecord {
        let date: String
        let count: Int64
        let categories: [String]

        static let fields = Fields(
            nil, Day.init(date:count:categories:), .required("date", \.date, EntryTimes.civilForm),
            .required("count", \.count, Form<Int64>.integer(1...1_000_000)),
            .required(
                "categories", \.categories, .list(Entry.categoryForm, max: EntryDays.categoriesMax),
                "Up to twelve of them."))
    }

    /// The days on which something is.
    var days: [Day] {
        counts.indices.filter { counts[$0] > 0 }.map { number in
            Day(
                date: first.adding(days: number).written(isAllDay: true), count: Int64(counts[number]),
                categories: Array(categories[number].map { names[$0] }.sorted().prefix(Self.categoriesMax)))
        }
    }
}
