package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of an entry stand beside the entry.
extension Limits {
    /// Entries of a family, including those in the bin.
    package static let entriesMax: Int64 = 20_000
    /// Repeating entries whose outlines are kept in memory, so that a month is found without reading them.
    package static let entriesRememberedMax: Int64 = 5000
    /// Entries that are kept in memory in the form in which they were last sent.
    package static let entriesToldMax = 1000
    /// Entries that one member adds or changes in a day.
    package static let entriesPerDayMax: Int64 = 2000
    /// Answers, stars and reminders that one member sets in a day.
    package static let entryAnswersPerDayMax: Int64 = 5000
    /// Bytes of one entry.
    package static let entryBytesMax = 64 << 10
    /// Bytes of the alarms that one member's programs keep with one entry.
    package static let entryAlarmsBytesMax = 16 << 10
    /// Calendars that one member adds.
    package static let calendarsPerMemberMax: Int64 = 50
    /// Households and members with which one calendar is shared.
    package static let calendarRightsMax = 400
    /// Days that are searched at once.
    package static let entryWindowDaysMax: Int64 = 400
    /// Stretches of a longer time that are searched for one page of it.
    package static let entryStretchesMax = 24
    /// Occurrences in one answer.
    package static let entriesPerAnswerMax: Int64 = 200
    /// Occurrences that are examined for one question.
    package static let occurrencesPerQuestionMax = 10_000
    /// Members in one question about who is free.
    package static let freeMembersMax = 50
    /// Categories that a family adds.
    package static let categoriesMax = 64
    /// Days for which a removed entry can be brought back.
    package static let entryBinDays: Int64 = 7
    /// Days for which the removal of an entry is remembered, for clients that come back with an old copy.
    package static let entryGoneDays: Int64 = 90
    /// Characters of a search.
    package static let entrySearchCharactersMax = 100
    /// Words of a search.
    package static let entrySearchWordsMax = 8
    /// Bytes after which a piece of an exported calendar ends.
    package static let calendarPieceBytes = 1 << 20
    /// Events of one imported file.
    package static let importItemsMax = 20_000
    /// Bytes of one imported file.
    package static let importBytesMax = 16 << 20
    /// Remarks about one event of a file.
    package static let importRemarksMax = 10
    /// Characters of the name by which calendar programs know an entry.
    package static let entryUIDCharactersMax = 255
    /// Addresses of one member at which calendar programs read calendars.
    package static let calendarFeedsMax: Int64 = 20
    /// Characters of the name that a client gives an item of a calendar.
    package static let shelfNameCharactersMax = 200
    /// Items of a calendar in one answer to a client that keeps a copy.
    package static let shelfItemsMax = 200
    /// Bytes of one item that such a client writes.
    package static let shelfItemBytesMax = 256 << 10
    /// Occurrences of one entry that one answer writes out singly.
    package static let expandedMax = 1000
    /// Bytes of the file of a calendar from outside.
    package static let subscriptionBytesMax = 10 << 20
    /// Milliseconds within which that file must arrive.
    package static let subscriptionMilliseconds = 30_000
    /// Requests for calendars to one host outside in a minute.
    package static let subscriptionsPerMinute = 30
    /// Events that are read of the file of a calendar from outside.
    package static let subscriptionItemsMax = 20_000
    /// Entries of one calendar from outside.
    package static let subscriptionEntriesMax = 2000
    /// Entries of all calendars from outside together.
    package static let subscriptionEntriesOfFamilyMax: Int64 = 8000
    /// Days after its end for which an event is still taken from a calendar outside.
    package static let subscriptionPastDays: Int64 = 366
    /// Seconds from one reading to the next, if the calendar does not say it.
    package static let subscriptionSeconds: Int64 = 21_600
    /// Seconds from one reading to the next at least, whatever the calendar says: an hour.
    package static let subscriptionSecondsMin: Int64 = 3600
    /// Seconds from one reading to the next at most, whatever the calendar says: a week.
    package static let subscriptionSecondsMax: Int64 = 604_800
    /// Seconds after which a failed reading is repeated; they double with each further failure.
    package static let subscriptionRetrySeconds: Int64 = 900
    /// Seconds between two attempts at most: a day.
    package static let subscriptionRetrySecondsMax: Int64 = 86_400
    /// Seconds for which readings must have failed before the member who added the calendar is told: a day.
    package static let subscriptionToldSeconds: Int64 = 86_400
    /// Seconds after which a new address is read, if nobody asks for it earlier.
    package static let subscriptionFirstSeconds: Int64 = 15
    /// Seconds after which a reading without a result is repeated.
    package static let subscriptionFlightSeconds: Int64 = 900
    /// Seconds between two readings that somebody asks for.
    package static let subscriptionAskedSeconds: Int64 = 10
    /// Seconds after which a reading that somebody asked for is repeated, if it has no result.
    package static let subscriptionAskedFlightSeconds: Int64 = 120
    /// Entries that one turn of a reading adds, changes or removes.
    package static let subscriptionStepMax = 200
    /// Turns of one reading; the last turn writes everything that is left.
    package static let subscriptionStepsMax = 30
    /// Entries that all of one member's calendars from outside add, change or remove in a day.
    package static let subscriptionEntriesPerDayMax: Int64 = 10_000
    /// Added, changed and removed entries of one reading up to which members are told of each. If there are more,
    /// members list entries again.
    package static let subscriptionToldMax = 100
    /// Minutes before a confirmed meeting at which those who are going are reminded, unless they say otherwise.
    package static let meetingReminders: [Int64] = [1440, 60]
}
