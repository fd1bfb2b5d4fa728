package import KinModel

/// Limits of the area, each with its unit; those of what is seen of entries stand beside them.
extension Limits {
    /// Entries of a family, those in the bin counted.
    package static let entriesMax: Int64 = 20_000
    /// Entries that repeat of which the outlines stay in memory, so that a month is found without reading them.
    package static let entriesRememberedMax: Int64 = 5000
    /// Entries that stay in memory as they were last told.
    package static let entriesToldMax = 1000
    /// Entries that one member adds or changes in a day.
    package static let entriesPerDayMax: Int64 = 2000
    /// Answers, stars and wishes to be reminded of one member in a day.
    package static let entryAnswersPerDayMax: Int64 = 5000
    /// Bytes of one entry.
    package static let entryBytesMax = 64 << 10
    /// Bytes of what rings of one entry in one member's programs.
    package static let entryAlarmsBytesMax = 16 << 10
    /// Calendars that one member adds.
    package static let calendarsPerMemberMax: Int64 = 50
    /// With how many households and members one calendar is shared.
    package static let calendarRightsMax = 400
    /// Days that are looked through at once.
    package static let entryWindowDaysMax: Int64 = 400
    /// Stretches that one page of a longer time is looked for in.
    package static let entryStretchesMax = 24
    /// Occurrences in one answer.
    package static let entriesPerAnswerMax: Int64 = 200
    /// Occurrences that one question looks through.
    package static let occurrencesPerQuestionMax = 10_000
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
    package static let importItemsMax = 20_000
    /// Bytes of one file that is taken in.
    package static let importBytesMax = 16 << 20
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
    /// Bytes of the file of a calendar outside.
    package static let subscriptionBytesMax = 10 << 20
    /// Milliseconds in which it has to come.
    package static let subscriptionMilliseconds = 30_000
    /// How often one host outside is asked for calendars in a minute.
    package static let subscriptionsPerMinute = 30
    /// Events of one file of which what is near is taken.
    package static let subscriptionItemsMax = 20_000
    /// Entries of one calendar from outside.
    package static let subscriptionEntriesMax = 2000
    /// Entries of all calendars from outside together.
    package static let subscriptionEntriesOfFamilyMax: Int64 = 8000
    /// Days after which what is over is not taken from outside.
    package static let subscriptionPastDays: Int64 = 366
    /// Seconds from one reading to the next, where the calendar does not say it.
    package static let subscriptionSeconds: Int64 = 21_600
    /// Seconds from one reading to the next at least, whatever it says: an hour.
    package static let subscriptionSecondsMin: Int64 = 3600
    /// Seconds from one reading to the next at most, whatever it says: a week.
    package static let subscriptionSecondsMax: Int64 = 604_800
    /// Seconds after which a failed reading is tried again; twice as many after each further one.
    package static let subscriptionRetrySeconds: Int64 = 900
    /// Seconds between two tries at most: a day.
    package static let subscriptionRetrySecondsMax: Int64 = 86_400
    /// Seconds of failing after which who added it is told: a day.
    package static let subscriptionToldSeconds: Int64 = 86_400
    /// Seconds after which a new address is read, if nobody asks for it before.
    package static let subscriptionFirstSeconds: Int64 = 15
    /// Seconds after which a reading without a result is tried again.
    package static let subscriptionFlightSeconds: Int64 = 900
    /// Seconds between two readings that somebody asks for.
    package static let subscriptionAskedSeconds: Int64 = 10
    /// Seconds after which one that somebody asked for, and that has no result, is read again.
    package static let subscriptionAskedFlightSeconds: Int64 = 120
    /// Entries that one turn of a reading adds, changes and removes.
    package static let subscriptionStepMax = 200
    /// Turns of one reading; the last one writes whatever is left.
    package static let subscriptionStepsMax = 30
    /// Entries that the calendars from outside of one member add, change and remove in a day.
    package static let subscriptionEntriesPerDayMax: Int64 = 10_000
    /// Added, changed and removed entries of one reading above which members list entries again, and are not told of each.
    package static let subscriptionToldMax = 100
    /// Minutes before a confirmed meeting at which those who are going are reminded, unless they say otherwise.
    package static let meetingReminders: [Int64] = [1440, 60]
}
