public import KinModel
public import KinStore

/// Who is told what in the inbox, of which event. Nobody is told of their own act, unless the rule says so.
public struct InboxRule: Sendable {
    /// Whom a rule is for, among those who see the event or besides.
    public enum Hearers: Sendable {
        /// Who sees the event.
        case audience
        /// The member the event is about.
        case subject
        /// Members that the area names.
        case members(@Sendable (Act, Told) throws(Rejection) -> [Identifier])
        /// Those of them who see the event.
        case seers(@Sendable (Act, Told) throws(Rejection) -> Set<Identifier>)
    }

    /// The type of the event.
    public let event: String
    /// What the line says.
    public let kind: InboxKind
    /// Whom it is for.
    public let hearers: Hearers
    /// Whether there is something to tell.
    public var applies: @Sendable (Told) -> Bool = { _ in true }
    /// Who did it; a phone's points may come in by somebody else's hand.
    public var by: @Sendable (Told) -> Identifier? = { $0.by }
    /// What stands in the line's three columns.
    public var word: @Sendable (Told) -> String? = { _ in nil }
    /// The second.
    public var name: @Sendable (Told) -> String? = { _ in nil }
    /// The third.
    public var time: @Sendable (Told) -> Instant? = { _ in nil }
    /// Whether whoever did it is told as well.
    public var isForDoerToo = false
    /// Whether a line with the same word, about the same thing, is told only once.
    public var isToldOnce = false
    /// Who is not told although the rule is for them.
    public var spares: @Sendable (Act, Told, Identifier) throws(Rejection) -> Bool = { (_, _, _) throws(Rejection) in
        false
    }

    /// A rule.
    public init(
        _ event: String, _ kind: InboxKind, _ hearers: Hearers,
        when applies: @escaping @Sendable (Told) -> Bool = { _ in true },
        by: @escaping @Sendable (Told) -> Identifier? = { $0.by },
        word: @escaping @Sendable (Told) -> String? = { _ in nil },
        name: @escaping @Sendable (Told) -> String? = { _ in nil },
        time: @escaping @Sendable (Told) -> Instant? = { _ in nil },
        isForDoerToo: Bool = false, isToldOnce: Bool = false,
        spares: @escaping @Sendable (Act, Told, Identifier) throws(Rejection) -> Bool = { (_, _, _) throws(Rejection) in
            false
        }
    ) {
        self.event = event
        self.kind = kind
        self.hearers = hearers
        self.applies = applies
        self.by = by
        self.word = word
        self.name = name
        self.time = time
        self.isForDoerToo = isForDoerToo
        self.isToldOnce = isToldOnce
        self.spares = spares
    }
}

/// What an event does to the sight that its audience has of a thing, so that nothing about it stays where it may no longer
/// be known.
public enum SightChange: Sendable {
    /// Nothing is seen from here on that was not, and the other way round.
    case keeps
    /// Its audience sees the thing from here on, and gets all of it.
    case gives
    /// Its audience sees the thing no longer.
    case takes
    /// The thing is gone, for everybody.
    case ends
}

/// What the inboxes do for other areas.
public struct InboxHook: Sendable {
    /// Lines of one entry, as far as others may judge them by their times.
    public struct Entry: Sendable {
        /// When it began, by its identifier.
        public let began: Instant
        /// The moment of each line that is kept, and how often the same happened.
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

    /// Takes away every entry about some things, as patterns of LIKE, that some members have; of `nil` everybody.
    public let remove: @Sendable (Act, _ abouts: [String], _ from: Audience?) throws(Rejection) -> Void
    /// Takes back what some members were told about a thing and what is under it, where it is unread; what was read stays,
    /// but is told to nobody who was away.
    public let takeBack:
        @Sendable (Act, _ about: String, _ from: Audience, _ isMeant: (Entry) -> Bool) throws(Rejection) -> Void

    /// The two of them.
    public init(
        remove: @escaping @Sendable (Act, [String], Audience?) throws(Rejection) -> Void,
        takeBack: @escaping @Sendable (Act, String, Audience, (Entry) -> Bool) throws(Rejection) -> Void
    ) {
        self.remove = remove
        self.takeBack = takeBack
    }
}
