package import KinModel

/// Limits of the area, each with its unit; those of what is seen of entries stand beside them.
extension Limits {
    /// Entries of a family, those in the bin counted.
    package static let entriesMax: Int64 = 20_000
    /// Entries that one member adds or changes in a day.
    package static let entriesPerDayMax: Int64 = 2000
    /// Answers, stars and wishes to be reminded of one member in a day.
    package static let entryAnswersPerDayMax: Int64 = 5000
    /// Bytes of one entry.
    package static let entryBytesMax = 64 << 10
    /// Calendars that one member adds.
    package static let calendarsPerMemberMax: Int64 = 50
    /// With how many households and members one calendar is shared.
    package static let calendarRightsMax = 400
    /// Days of one question.
    package static let entryWindowDaysMax: Int64 = 400
    /// Occurrences in one answer.
    package static let entriesPerAnswerMax: Int64 = 200
    /// Occurrences that one question looks through.
    package static let occurrencesPerQuestionMax = 10_000
    /// Reminders of one member of one entry.
    package static let remindersMax = 10
    /// Minutes before an entry at which somebody can be reminded of it: four weeks.
    package static let reminderMinutesMax: Int64 = 40_320
    /// Members of one question for who is free.
    package static let freeMembersMax = 50
    /// Categories of a family's own.
    package static let categoriesMax = 64
    /// Days in which something that was removed can be brought back.
    package static let entryBinDays: Int64 = 7
    /// Days in which is known that there was something, for those who come back with an old list.
    package static let entryGoneDays: Int64 = 90
    /// Characters of a search.
    package static let entrySearchCharactersMax = 100
    /// Words of a search.
    package static let entrySearchWordsMax = 8
    /// Bytes after which a piece of a calendar's file ends.
    package static let calendarPieceBytes = 1 << 20
    /// Events of one file that is taken in.
    package static let importItemsMax = 5000
    /// Bytes of one file that is taken in.
    package static let importBytesMax = 4 << 20
    /// Sentences about one event of a file.
    package static let importRemarksMax = 10
    /// Characters of the name by which calendar programs know an entry.
    package static let entryUIDCharactersMax = 255
    /// Addresses of one member at which calendar programs read calendars.
    package static let calendarFeedsMax: Int64 = 20
    /// Characters of the name that a client gives a thing of a calendar.
    package static let shelfNameCharactersMax = 200
    /// Things of a calendar in one answer to a client that keeps a copy.
    package static let shelfItemsMax = 200
    /// Bytes of one thing that such a client writes.
    package static let shelfItemBytesMax = 256 << 10
    /// Occurrences of one entry that are written by themselves.
    package static let expandedMax = 1000
    /// Minutes before a confirmed meeting at which those who are going are reminded, unless they say otherwise.
    package static let meetingReminders: [Int64] = [1440, 60]
}
