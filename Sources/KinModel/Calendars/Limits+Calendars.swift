/// Limits of what is seen of calendars and entries, each with its unit.
extension Limits {
    /// Characters of an entry's subject.
    package static let entrySubjectCharactersMax = 200
    /// Characters of an entry's note.
    package static let entryNoteCharactersMax = 4000
    /// Characters of the text of an entry's place.
    package static let entryPlaceCharactersMax = 200
    /// Characters of a category's name.
    package static let categoryCharactersMax = 40
    /// Characters of a recurrence rule.
    package static let entryRuleCharactersMax = 1024
    /// Single occurrences of one entry that are changed or left out.
    package static let entryExceptionsMax = 500
    /// Dates of one entry beside its rule.
    package static let entryDatesMax = 500
    /// Answers to single occurrences of one entry.
    package static let entryAnswersMax = 2000
    /// Minutes that an entry may last: 31 days.
    package static let entryMinutesMax: Int64 = 44_640
    /// Days that an all-day entry may last.
    package static let entryDaysMax: Int64 = 366
    /// Reminders of one member of one entry.
    package static let remindersMax = 10
    /// Minutes before an entry at which somebody can be reminded of it: four weeks.
    package static let reminderMinutesMax: Int64 = 40_320
    /// Calendars of a family.
    package static let calendarsMax = 1000
}
