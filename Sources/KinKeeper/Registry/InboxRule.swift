public import KinModel
public import KinStore

/// A rule that says which members an event is told to in the inbox, and as what. Nobody is told of their own act,
/// unless the rule says so.
public struct InboxRule: Sendable {
    /// The members that a rule is for.
    public enum Hearers: Sendable {
        /// The members who see the event.
        case audience
        /// The member the event is about.
        case subject
        /// Members that the area names.
        case members(@Sendable (Act, Told) throws(Rejection) -> [Identifier])
        /// Of the members that the area names, those who see the event.
        case seers(@Sendable (Act, Told) throws(Rejection) -> Set<Identifier>)
    }

    /// The type of the event.
    public let event: String
    /// The kind of line.
    public let kind: InboxKind
    /// The members that it is for.
    public let hearers: Hearers
    /// Whether there is anything to tell.
    public var applies: @Sendable (Told) -> Bool = { _ in true }
    /// The member who did it. A phone's positions may have been sent by another member.
    public var by: @Sendable (Told) -> Identifier? = { $0.by }
    /// The text of the first of the line's three columns.
    public var word: @Sendable (Told) -> String? = { _ in nil }
    /// The second.
    public var name: @Sendable (Told) -> String? = { _ in nil }
    /// The third.
    public var time: @Sendable (Told) -> Instant? = { _ in nil }
    /// Whether the member who did it is told as well.
    public var isForDoerToo = false
    /// Whether lines with the same word about the same thing are told only once.
    public var isToldOnce = false
    /// Makes the `about` of the line's entry from that of the event. An event of a part may be told of the whole.
    public var about: @Sendable (String) -> String = { $0 }
    /// Whether a member is not told although the rule is for them.
    public var spares: @Sendable (Act, Told, Identifier) throws(Rejection) -> Bool = { (_, _, _) throws(Rejection) in
        false
    }

    /// A rule. Its closures get the event's data as the event's type.
    public init<Data>(
        _ event: EventType<Data>, _ kind: InboxKind, _ hearers: Hearers,
        when applies: (@Sendable (Data) -> Bool)? = nil,
        by: @escaping @Sendable (Told) -> Identifier? = { $0.by },
        word: @escaping @Sendable (Data) -> String? = { _ in nil },
        name: @escaping @Sendable (Data) -> String? = { _ in nil },
        time: @escaping @Sendable (Data) -> Instant? = { _ in nil },
        isForDoerToo: Bool = false, isToldOnce: Bool = false, about: @escaping @Sendable (String) -> String = { $0 },
        spares: @escaping @Sendable (Act, Told, Identifier) throws(Rejection) -> Bool = { (_, _, _) throws(Rejection) in
            false
        }
    ) {
        self.event = event.name
        self.kind = kind
        self.hearers = hearers
        if let applies { self.applies = { $0[event].map(applies) ?? false } }
        self.by = by
        self.word = { $0[event].flatMap(word) }
        self.name = { $0[event].flatMap(name) }
        self.time = { $0[event].flatMap(time) }
        self.isForDoerToo = isForDoerToo
        self.isToldOnce = isToldOnce
        self.about = about
        self.spares = spares
    }
}

/// The functions of inboxes for other areas.
public struct InboxHook: Sendable {
    /// Lines of one entry, as far as another area may judge them by their times.
    public struct Entry: Sendable {
        /// The beginning of the entry, by its identifier.
        public let began: Instant
        /// The moment of each line that is kept, and how often that happened.
        public let lines: [(at: Instant, count: Int64)]
        /// How many lines there were before those.
        public let more: Int64

        /// An entry.
        public init(began: Instant, lines: [(at: Instant, count: Int64)], more: Int64) {
            self.began = began
            self.lines = lines
            self.more = more
        }
    }

    /// One line, as far as the area that it tells of may judge it.
    public struct Line: Sendable {
        /// Who did it.
        public let by: Identifier?
        /// What stands in the first of its three columns.
        public let word: String?
        /// The second.
        public let name: String?
        /// The third.
        public let time: Instant?

        /// A line.
        public init(by: Identifier?, word: String?, name: String?, time: Instant?) {
            self.by = by
            self.word = word
            self.name = name
            self.time = time
        }
    }

    /// The content of one entry, to be changed where a part of it is gone.
    public struct Content: Sendable, Equatable {
        /// One line.
        public struct Line: Sendable, Equatable {
            /// The line's place in the entry.
            package let number: Int64
            /// The name of its kind.
            public var kind: String
            /// Who did it.
            public var by: Identifier?
            /// When it was done last.
            public var at: Instant
            /// How often.
            public var count: Int64
            /// What stands in the first of its three columns.
            public var word: String?

            package init(number: Int64, kind: String, by: Identifier?, at: Instant, count: Int64, word: String?) {
                (self.number, self.kind, self.by, self.at, self.count) = (number, kind, by, at, count)
                self.word = word
            }
        }

        /// Whose entry it is.
        public let reader: Identifier
        /// When it began, by its identifier.
        public let began: Instant
        /// When something came into it last.
        public let last: Instant
        /// Whether it was read: nothing more comes into it.
        public let isRead: Bool
        /// What it is called; no longer than titles are.
        public var title: String?
        /// The lines that are kept, the oldest first.
        public var lines: [Line]
        /// How many lines there were before those.
        public var more: Int64

        package init(
            reader: Identifier, began: Instant, last: Instant, isRead: Bool, title: String?, lines: [Line], more: Int64
        ) {
            (self.reader, self.began, self.last, self.isRead) = (reader, began, last, isRead)
            (self.title, self.lines, self.more) = (title, lines, more)
        }
    }

    /// Changes what an entry tells. One that is left without lines goes.
    public typealias Amendment = (inout Content) throws(Rejection) -> Void

    /// Removes lines of a kind that asked for something from every inbox, read or not. It was answered, on another
    /// device or by somebody else, or it is no longer asked. So nobody acts on what is settled. `isSettled` says which
    /// lines, for which reader.
    public let settle:
        @Sendable (
            Act, _ kind: String, _ about: String, _ isSettled: (Line, Identifier) throws(Rejection) -> Bool
        ) throws(Rejection) -> Void
    /// Whether somebody has a line of one of some kinds about a thing.
    public let holds: @Sendable (Act, _ kinds: [String], _ about: String) throws(Rejection) -> Bool
    /// Removes some members' entries about some things, given as patterns of LIKE; `nil`: everybody's.
    public let remove: @Sendable (Act, _ abouts: [String], _ from: Audience?) throws(Rejection) -> Void
    /// Removes some members' entries about things whose names begin so, as far as they are meant: of those that a member has
    /// entries about. Each member is told once.
    public let removeUnder:
        @Sendable (
            Act, _ beginning: String, _ from: Audience, _ meant: (Set<String>) throws(Rejection) -> Set<String>
        ) throws(Rejection) -> Void
    /// Takes a part out of the entries of some members about a thing, read or not. Their readers are told what is left.
    public let amend: @Sendable (Act, _ about: String, _ of: Audience, _ by: Amendment) throws(Rejection) -> Void
    /// Takes back unread lines about a thing and what is under it from some members. Lines that were read stay, but a
    /// member who was away is not told them.
    public let takeBack:
        @Sendable (Act, _ about: String, _ from: Audience, _ isMeant: (Entry) -> Bool) throws(Rejection) -> Void
    /// An unread entry of a member, as it is now; `nil` where there is none.
    public let unread: @Sendable (Act, _ entry: Identifier, _ of: Roster.Entry) throws(Rejection) -> InboxEntry?

    /// An entry of a member's list, read or not; `nil` where there is none.
    public let listed: @Sendable (Act, _ entry: Identifier, _ of: Roster.Entry) throws(Rejection) -> InboxEntry?
    /// A member has answered what was asked by a thing: the unread entries about it count as read.
    public let answered: @Sendable (Act, _ about: String, _ by: Identifier) throws(Rejection) -> Void

    /// Whether an entry that began at a moment is meant.
    public typealias Beginning = (Instant) throws(Rejection) -> Bool

    /// Gives the entries about a thing another title, in every inbox that has one: all of them, or those that are called by
    /// a former text, and of these readers where not all may know the new one. Where other things have the same words, it
    /// is judged by the moment when an entry began which of them it is called by.
    public let retitle:
        @Sendable (
            Act, _ about: String, _ text: String?, _ instead: String?, _ of: Audience?, _ isMeant: Beginning?
        ) throws(Rejection) -> Void

    /// The whole text of an entry whose title is cut; `nil` where it is not cut.
    public let text: @Sendable (Act, _ of: InboxEntry) throws(Rejection) -> String?

    /// The loudness of an entry in a member's inbox, by the member's rules.
    public let loudness: @Sendable (Act, _ of: InboxEntry, _ for: Identifier) throws(Rejection) -> Loudness

    /// The loudness on those of the member's devices that have rules of their own, by their identifiers. The member's
    /// rules come first. `nil` stands for entries that are told together.
    public let loudnessOnDevices:
        @Sendable (Act, _ of: InboxEntry?, _ for: Identifier) throws(Rejection) -> [Identifier: Loudness]
    /// A device is gone, and its rules with it.
    public let forgetDevice: @Sendable (Act, Identifier) throws(Rejection) -> Void

    /// The loudness of a notice.
    public enum Loudness: Sendable {
        /// Phones make a sound.
        case sound
        /// Phones show it, without a sound.
        case silent
        /// It waits in the inbox until somebody looks.
        case still
    }

    /// The functions of the inboxes.
    public init(
        settle:
            @escaping @Sendable (
                Act, String, String, (Line, Identifier) throws(Rejection) -> Bool
            ) throws(Rejection) -> Void,
        holds: @escaping @Sendable (Act, [String], String) throws(Rejection) -> Bool,
        remove: @escaping @Sendable (Act, [String], Audience?) throws(Rejection) -> Void,
        removeUnder:
            @escaping @Sendable (
                Act, String, Audience, (Set<String>) throws(Rejection) -> Set<String>
            ) throws(Rejection) -> Void,
        amend: @escaping @Sendable (Act, String, Audience, Amendment) throws(Rejection) -> Void,
        takeBack: @escaping @Sendable (Act, String, Audience, (Entry) -> Bool) throws(Rejection) -> Void,
        unread: @escaping @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> InboxEntry?,
        listed: @escaping @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> InboxEntry?,
        answered: @escaping @Sendable (Act, String, Identifier) throws(Rejection) -> Void,
        retitle:
            @escaping @Sendable (Act, String, String?, String?, Audience?, Beginning?) throws(Rejection) -> Void,
        text: @escaping @Sendable (Act, InboxEntry) throws(Rejection) -> String?,
        loudness: @escaping @Sendable (Act, InboxEntry, Identifier) throws(Rejection) -> Loudness,
        loudnessOnDevices:
            @escaping @Sendable (Act, InboxEntry?, Identifier) throws(Rejection) -> [Identifier: Loudness],
        forgetDevice: @escaping @Sendable (Act, Identifier) throws(Rejection) -> Void
    ) {
        self.settle = settle
        self.holds = holds
        self.remove = remove
        self.removeUnder = removeUnder
        self.amend = amend
        self.takeBack = takeBack
        self.unread = unread
        self.listed = listed
        self.answered = answered
        self.retitle = retitle
        self.text = text
        self.loudness = loudness
        self.loudnessOnDevices = loudnessOnDevices
        self.forgetDevice = forgetDevice
    }
}

extension Act {
    /// Says that a thing has another name, so that the inboxes show it (``InboxHook/retitle``).
    package func retitle(
        _ about: String, _ text: String?, instead former: String? = nil, of readers: Audience? = nil,
        begun isMeant: InboxHook.Beginning? = nil
    ) throws(Rejection) {
        try hooks.inbox?.retitle(self, about, text, former, readers, isMeant)
    }

    /// Says that a member has answered what was asked by a thing, so that the inbox asks no more (``InboxHook/answered``).
    package func answered(_ about: String, by member: Identifier) throws(Rejection) {
        try hooks.inbox?.answered(self, about, member)
    }

    /// Removes lines of inboxes that asked for something which is settled (``InboxHook/settle``).
    package func settle(
        _ kind: InboxKind, about: String,
        where isSettled: (InboxHook.Line, Identifier) throws(Rejection) -> Bool = { (_, _) throws(Rejection) in true }
    ) throws(Rejection) {
        try hooks.inbox?.settle(self, kind.name, about, isSettled)
    }
}
