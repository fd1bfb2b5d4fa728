/// A calendar as one member sees it. Three kinds exist without anybody's doing: the family's, each household's, each
/// member's own. They have the identifier of the family, household or member, and clients name them.
public struct FamilyCalendar: WireRecord {
    /// What it is for.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// The whole family's.
        case family
        /// A household's.
        case household
        /// A member's own.
        case personal
        /// One that a member added.
        case added
        /// One that a member reads outside, at an address: nobody writes into it here.
        case subscribed
        /// Confirmed meetings, each for those who are named in it.
        case meetings
        /// The open slots of meetings, each for those who are asked.
        case toDecide
        /// Birthdays of members and contacts, each for those who know them anyway; never stored.
        case birthdays
    }

    /// A member's right in a calendar. Each right includes those before it.
    public enum Right: String, Sendable, CaseIterable, Hashable, Comparable {
        /// Nothing.
        case none
        /// See when something is, and nothing else of it.
        case busy
        /// See entries.
        case read
        /// Add entries, and change and remove them.
        case write
        /// Share it, change and remove it.
        case own

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// A right that permits less is less.
        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    }

    /// Why a calendar from outside could not be read anew. What was read last stays.
    public enum Trouble: String, Sendable, CaseIterable, Hashable {
        /// Nothing is there any more (404, 410).
        case gone
        /// It is not shown to the family (401, 403).
        case closed
        /// The server answers that something is wrong with it.
        case failing
        /// Something else is there, such as a page.
        case notCalendar
        /// It ends in the middle.
        case broken
        /// There is more than is read.
        case tooLarge
        /// The name of the server was not found, or nobody answers.
        case unreachable
        /// The answer took too long.
        case slow
        /// The server could not show by a certificate that it is the one.
        case untrusted
        /// The address is not asked: it lies in the house, or leads there.
        case refused
        /// It leads on to an address without `https://`, or on and on.
        case redirected
        /// More is changed there than is taken in a day.
        case changing
    }

    /// Which one.
    public let id: Identifier
    /// What it is for.
    public let kind: Kind
    /// What it is called, where somebody named it.
    public var name: String?
    /// Its colour, as `#rrggbb`.
    public var color: String?
    /// Whose it is, where it is somebody's.
    public var owner: Identifier?
    /// What the looking member may do.
    public var right: Right
    /// The minutes before a new entry of it at which who may read it is reminded, unless they say otherwise; the longest
    /// first.
    public var remind: [Int64]

    /// A calendar.
    public init(
        id: Identifier, kind: Kind, name: String?, color: String?, owner: Identifier?, right: Right,
        remind: [Int64] = []
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.color = color
        self.owner = owner
        self.right = right
        self.remind = remind
    }

    /// As it is written.
    public static let fields = Fields(
        "Calendar", FamilyCalendar.init(id:kind:name:color:owner:right:remind:),
        .required("id", \.id, .id), .required("kind", \.kind, .word),
        .optional("name", \.name, .name, "Absent: its kind says it, or whose it is."),
        .optional("color", \.color, colorForm, "#rrggbb."), .optional("owner", \.owner, .id, "Whose it is."),
        .required("right", \.right, .word, "What the reader may do in it."),
        .required(
            "remind", \.remind, remindForm,
            "Minutes before a new entry of it at which who may read it is reminded, unless they say otherwise.",
            absent: []))

    /// When somebody is reminded of something.
    public static let remindForm = Form.list(minutesForm, max: Limits.remindersMax)
    private static let minutesForm = Form.integer(0...Limits.reminderMinutesMax)
    /// A colour.
    public static let colorForm = Form.token(max: 7)
}
