/// One member's wishes for how clients look and speak. A setting that is `nil` is left to the client.
public struct Settings: WireRecord {
    /// The language of words.
    public enum Language: String, Sendable, CaseIterable, Hashable {
        /// English.
        case en
        /// German.
        case de
    }

    /// Light or dark.
    public enum Theme: String, Sendable, CaseIterable, Hashable {
        /// Dark on light.
        case light
        /// Light on dark.
        case dark
        /// As the device has it.
        case device
    }

    /// The day on which weeks begin.
    public enum WeekStart: String, Sendable, CaseIterable, Hashable {
        /// As ISO 8601 has it.
        case monday
        /// As in Egypt.
        case saturday
        /// As in the United States.
        case sunday
    }

    /// How many hours a clock has.
    public enum Clock: String, Sendable, CaseIterable, Hashable {
        /// `6:04 PM`.
        case hours12
        /// `18:04`.
        case hours24
    }

    /// A calendar that is made of what stands elsewhere, and that a member may leave out.
    public enum MadeCalendar: String, Sendable, CaseIterable, Hashable {
        /// The open slots of meetings.
        case toDecide
        /// Birthdays.
        case birthdays
    }

    /// The language of words.
    public var language: Language?
    /// The IANA time zone in which times are said.
    public var zone: String?
    /// Points of text.
    public var textSize: Int64?
    /// Light or dark.
    public var theme: Theme?
    /// The day on which weeks begin.
    public var weekStart: WeekStart?
    /// How many hours a clock has.
    public var clock: Clock?
    /// The tabs of the bar in their order, as the words of views.
    public var tabs: [String]?
    /// The calendars that are left out, wherever nobody asks for them.
    public var leftOut: [MadeCalendar]?

    /// Settings.
    public init(
        language: Language? = nil, zone: String? = nil, textSize: Int64? = nil, theme: Theme? = nil,
        weekStart: WeekStart? = nil, clock: Clock? = nil, tabs: [String]? = nil, leftOut: [MadeCalendar]? = nil
    ) {
        self.language = language
        self.zone = zone
        self.textSize = textSize
        self.theme = theme
        self.weekStart = weekStart
        self.clock = clock
        self.tabs = tabs
        self.leftOut = leftOut
    }

    /// As they are written.
    public static let fields = Fields(
        "Settings", Settings.init(language:zone:textSize:theme:weekStart:clock:tabs:leftOut:),
        .optional("language", \.language, .word, "The language of words."),
        .optional("zone", \.zone, .token(max: 64), "The IANA time zone in which times are said."),
        .optional("textSize", \.textSize, .integer(Limits.textSizeBounds), "Points; \(Limits.textSize) is usual."),
        .optional("theme", \.theme, .word, "device: as the device has it."),
        .optional("weekStart", \.weekStart, .word, "The day on which weeks begin."),
        .optional("clock", \.clock, .word, "How times of day are said: 6:04 PM or 18:04."),
        .optional("tabs", \.tabs, tabList, "What stands in the bar, in its order: the words of views."),
        .optional(
            "leftOut", \.leftOut, .list(.word, max: MadeCalendar.allCases.count),
            "Calendars that are left out: in lists of entries that name none, in calendar apps, in files and addresses of all."
        ))

    /// What stands in a bar.
    public static let tabList = Form.list(.token(max: 32), max: Limits.settingsTabsMax)

    package static let changed = EventType(
        "settings.changed", "A member's settings are others; that member.", Changed.self, isLatestOnly: true)

    /// All settings, as they are from then on.
    package struct Changed: WireRecord {
        package let settings: Settings

        package init(settings: Settings) { self.settings = settings }

        package static let fields = Fields(
            nil, Changed.init(settings:), .required("settings", \.settings, Settings.form))
    }
}

/// Limits of settings, each with its unit.
extension Limits {
    /// Points of text.
    public static let textSizeBounds: ClosedRange<Int64> = 8...48
    /// Points of text where nothing is set.
    public static let textSize: Int64 = 17
    /// Entries of the bar.
    public static let settingsTabsMax = 12
}
