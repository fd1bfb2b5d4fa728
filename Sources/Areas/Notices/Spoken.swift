import KinCalendar
import KinKeeper
import KinModel
import KinStore
import KinWords

/// An entry of an inbox in the words for its member: in the member's language, with the names that the member sees.
struct Spoken {
    private let entry: InboxEntry
    private let voice: InboxVoice
    /// The priority of its newest line, by the kind of that line.
    private let priority: Int64?
    /// The script's message, if the entry is about one.
    private let message: HouseMessage?
    /// Whether it is shown without a sound, because its member chose so or its question is no longer pressing.
    private let isSilent: Bool

    /// The priority with which it rings, in ntfy's numbers; 3 is the ordinary one.
    static func priority(of entry: InboxEntry, to reader: Roster.Entry, _ act: Act) throws(Rejection) -> Int64 {
        let message = try StoredMessage.find(about: entry.about, of: reader.id, act)
        let kind = entry.lines.last?["kind"]?.string.flatMap { act.inboxKinds[$0] }
        let priority = message?.priority ?? kind?.priority ?? (entry.isOfficial ? 4 : 3)
        return try isSilent(entry, reader, act) ? min(priority, 2) : priority
    }

    private static func isSilent(_ entry: InboxEntry, _ reader: Roster.Entry, _ act: Act) throws(Rejection) -> Bool {
        let kind = entry.lines.last?["kind"]?.string.flatMap { act.inboxKinds[$0] }
        if kind?.ringsWhileAsked ?? false { return try !Offer.isPressing(entry, reader, act) }
        return try act.hooks.inbox?.loudness(act, entry, reader.id) == .silent
    }

    init(_ cut: InboxEntry, to reader: Roster.Entry, _ act: Act) throws(Rejection) {
        var entry = cut
        if let text = try act.hooks.inbox?.text(act, cut) {
            entry = InboxEntry(
                id: cut.id, about: cut.about, isOfficial: cut.isOfficial, isUnread: cut.isUnread, at: cut.at,
                title: text, lines: cut.lines, more: cut.more)
        }
        self.entry = entry
        priority = entry.lines.last?["kind"]?.string.flatMap { act.inboxKinds[$0]?.priority }
        isSilent = try Self.isSilent(cut, reader, act)
        message = try StoredMessage.find(about: cut.about, of: reader.id, act)
        let settings = try act.hooks.settings?(act, reader.id) ?? Settings()
        var names = Names(me: reader.id)
        let sight = Sight(role: reader.role, household: reader.household)
        let people = try act.ask { (database) throws(StoreFailure) in
            (try People.members(database, in: sight), try People.households(database, in: sight))
        }
        for member in people.0 { names.learn(member) }
        for household in people.1 { names.learn(household) }
        // The sentence may need the thing itself, such as the day of a meeting. An entry about the words of a member or
        // a script has everything.
        let about = String(entry.about.prefix { $0 != "/" })
        if !entry.isOfficial, message == nil, about != "said" {
            let seen = try act.ask { (database) throws(StoreFailure) in
                try act.registry.seen(by: reader, of: about, in: database)
            }
            names.learn(seen)
        }
        voice = InboxVoice(names, Self.reader(settings), now: act.now)
    }

    /// The reader for a member.
    static func reader(of member: Identifier, _ act: Act) throws(Rejection) -> Reader {
        reader(try act.hooks.settings?(act, member) ?? Settings())
    }

    /// The reader with a member's settings.
    private static func reader(_ settings: Settings) -> Reader {
        let zone = settings.zone.flatMap { Zone($0) } ?? Zone.system ?? .utc
        return Reader(
            settings.language == .de ? .german : .english, zone, clock: settings.clock == .hours12 ? .hours12 : .hours24
        )
    }

    /// The text of a discreet device.
    static func discreet(to member: Identifier, _ act: Act) throws(Rejection) -> String {
        try reader(of: member, act).discreetNotice
    }

    /// The text of a test.
    static func test(to member: Identifier, _ act: Act) throws(Rejection) -> String {
        try reader(of: member, act).noticeOfTest
    }

    /// The text of one notice in place of many.
    static func more(_ count: Int, to member: Identifier, _ act: Act) throws(Rejection) -> String {
        try reader(of: member, act).noticeOfMore(count)
    }

    /// The notice as devices receive it.
    func notice(
        id: String, at: Instant, _ buttons: [(offer: Identifier, name: String, label: String)] = []
    ) -> Notice {
        if let message {
            return Notice(
                id: id, act: .ring, entry: entry.id, at: at, title: message.title ?? message.script, text: message.text,
                priority: quietened(message.priority), tags: message.tags, click: message.click ?? "/#/inbox",
                actions: message.actions)
        }
        let sentence = entry.lines.last.map { voice.sentence($0, of: entry) } ?? ""
        let title = voice.hasTitle(entry) ? voice.title(entry) : nil
        let kind = String(entry.about.prefix { $0 != "/" })
        let sign = AreaWords.all.lazy.compactMap { $0.signs[kind] }.first
        var answers = buttons.map { NoticeAnswer(offer: $0.offer, name: $0.name, label: voice.reader.button($0.label)) }
        // A question that no single button answers gets a button that opens the page.
        if answers.count < Limits.noticeAnswersMax, buttons.contains(where: { $0.name.hasPrefix(Offer.anySlot + ".") })
        {
            answers.append(NoticeAnswer(offer: nil, name: "open", label: voice.reader.button("open")))
        }
        return Notice(
            id: id, act: .ring, entry: entry.id, at: at,
            title: title.map { Self.cut($0, Limits.noticeTitleCharactersMax) },
            text: Self.cut(sentence.isEmpty ? voice.title(entry) : sentence, Limits.noticeTextCharactersMax),
            priority: quietened(priority ?? (entry.isOfficial ? 4 : nil)),
            tags: voice.isCalm(entry) ? nil : sign.map { [$0.tag] },
            click: sign?.page.map { "/#/\($0)" + (entry.subject.map { "/\($0)" } ?? "") } ?? "/#/inbox",
            isOfficial: entry.isOfficial ? true : nil, answers: answers.isEmpty ? nil : answers)
    }

    /// With priority 2 phones show a notice without a sound.
    private func quietened(_ priority: Int64?) -> Int64? { isSilent ? min(priority ?? 3, 2) : priority }

    private static func cut(_ text: String, _ max: Int) -> String {
        text.unicodeScalars.count <= max ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(max)))
    }
}
