import KinCalendar
import KinKeeper
import KinModel

/// The calendar of birthdays: made from what members say of themselves and from contacts whenever it is looked at, and never
/// stored. Each sees those that they may know anyway.
struct Birthdays {
    /// One birthday in one year.
    struct Day {
        let date: Civil
        let known: KnownBirthday

        var json: JSON {
            .object(leavingOut: [
                "date": .string(date.written(isAllDay: true)), "name": .string(known.name),
                "member": known.isMembers ? .id(known.id) : nil, "contact": known.isMembers ? nil : .id(known.id),
                "years": known.birthday.year.map { .int(Int64(date.year - $0)) },
            ])
        }
    }

    static let shape = Shape.object([
        .required("date", EntryTimes.civilForm.shape), .required("name", .line(max: 400)),
        .optional("member", .id, "Whose it is, where it is a member's."),
        .optional("contact", .id, "Whose it is, where it is a contact's."),
        .optional("years", .integer(0...10_000), "How old they become, where that is known."),
    ])
    /// As a category, what birthdays are.
    private static let category = "celebration"

    private let all: [KnownBirthday]

    /// Those that the caller may know, of whom a question asks.
    init(_ params: Params, _ act: Act) throws(Rejection) {
        let calendars = params["calendars"]?.array?.compactMap(\.identifier)
        let categories = params["categories"]?.array?.compactMap(\.string)
        if let calendars, let family = try act.memory(CalendarMemory.self).known(act).implied.first?.id,
            !calendars.contains(StoredCalendar.birthdays(family))
        {
            all = []
            return
        }
        if let categories, !categories.contains(where: { $0.hasSameBytes(as: Self.category) }) {
            all = []
            return
        }
        let members = params["members"]?.array.map { Set($0.compactMap(\.identifier)) }
        let words = params.optionalString("words")?.lowercased().split(separator: " ").map { String($0) }
        var known: [KnownBirthday] = []
        for hook in act.hooks.birthdays { known += try hook(act) }
        all = known.filter { one in
            if let members, !one.isMembers || !members.contains(one.id) { return false }
            guard let words else { return true }
            let parts = one.name.lowercased().split(separator: " ")
            return words.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
        }
    }

    /// Those on the days between two moments. Who was born on 29 February has it on the 28th in other years.
    func days(from: Instant, to: Instant, _ zone: Zone) -> [Day] {
        guard !all.isEmpty else { return [] }
        let (first, last) = (zone.civil(at: from), zone.civil(at: to))
        var days: [Day] = []
        for year in first.year...last.year {
            for one in all where one.birthday.year.map({ $0 <= year }) ?? true {
                guard
                    let date = Civil(year: year, month: one.birthday.month, day: one.birthday.day)
                        ?? Civil(year: year, month: one.birthday.month, day: one.birthday.day - 1),
                    date >= first.startOfDay, date < last
                else { continue }
                days.append(Day(date: date, known: one))
            }
        }
        return days.sorted { ($0.date, $0.known.name, $0.known.id) < ($1.date, $1.known.name, $1.known.id) }
    }
}
