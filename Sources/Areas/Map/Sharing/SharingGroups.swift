import KinKeeper
import KinModel
import KinStore

/// The members to whom a member's rules for groups apply: those in the group now who also were in it when the rule was
/// made or confirmed. A member who comes into a group later waits until the member, or the holder of the settings,
/// answers.
///
/// Nothing here asks the database: when rules, members and households change, the sets are decided from values alone.
struct SharingGroups: Equatable, Sendable {
    /// One group: everyone, or the household.
    struct Group: Equatable, Sendable {
        /// The members to whom the group's rule applies.
        var agreed = Audience()
        /// Who was refused. Nobody asks about them again until they leave the group.
        var declined = Audience()
        /// Those of ``agreed`` who are still to be confirmed, until ``until``: rules from before there were sets.
        var unconfirmed = Audience()
        /// When the unconfirmed leave ``agreed``.
        var until: Instant?

        /// Whether there is nothing to write down.
        var isEmpty: Bool { agreed.isEmpty && declined.isEmpty }
    }

    var everyone = Group()
    var household = Group()
    /// About whom somebody was asked and has not answered.
    var asked = Audience()

    /// Groups from few to many: the first whose rule holds decides.
    static let kinds: [SharingRule.Viewer] = [.household, .everyone]

    /// A group's sets; those of a single member are empty and stay so.
    subscript(kind: SharingRule.Viewer) -> Group {
        get {
            switch kind {
            case .everyone: everyone
            case .household: household
            case .member: Group()
            }
        }
        set {
            switch kind {
            case .everyone: everyone = newValue
            case .household: household = newValue
            case .member: break
            }
        }
    }

    /// Until when somebody is to confirm the sets.
    var until: Instant? { [household.until, everyone.until].compactMap(\.self).min() }

    /// Another member of the family, as the rules for groups see that member.
    func candidate(_ entry: Roster.Entry, household: Identifier?) -> Viewers.Candidate {
        Viewers.Candidate(
            id: entry.id, isGuest: entry.role == .guest, isInHousehold: entry.household == household,
            isAgreedInHousehold: self.household.agreed.contains(entry.number),
            isAgreedInEveryone: everyone.agreed.contains(entry.number))
    }

    /// Everybody but the member whose sharing it is.
    private static func others(than watched: Identifier, in roster: Roster) -> [Roster.Entry] {
        roster.entries.filter { $0.id != watched }
    }

    /// The groups whose rules decide for a viewer, now or when rules that end have ended.
    static func deciding(
        for entry: Roster.Entry, among rules: [SharingRule], household: Identifier?, now: Instant
    ) -> [SharingRule.Viewer] {
        func find(_ viewer: SharingRule.Viewer) -> SharingRule? {
            rules.first { $0.viewer == viewer && $0.holds(at: now) }
        }
        guard entry.role != .guest else { return [] }
        if let named = find(.member(entry.id)), named.until == nil { return [] }
        var deciding: [SharingRule.Viewer] = []
        for kind in kinds where kind != .household || entry.household == household {
            guard let rule = find(kind) else { continue }
            deciding.append(kind)
            if rule.until == nil { break }
        }
        return deciding
    }

    // MARK: The member's own acts

    /// Makes the sets anew from those who are there now, without those who were refused. `only` are the members that the
    /// confirming member was shown; all others wait.
    mutating func confirm(
        _ rules: [SharingRule], of watched: Identifier, in roster: Roster, now: Instant, only: Audience? = nil
    ) {
        for kind in Self.kinds {
            self[kind].agreed = Audience()
            self[kind].unconfirmed = Audience()
            self[kind].until = nil
        }
        let household = roster[watched]?.household
        for entry in Self.others(than: watched, in: roster) where only?.contains(entry.number) ?? true {
            for kind in Self.deciding(for: entry, among: rules, household: household, now: now)
            where !self[kind].declined.contains(entry.number) {
                self[kind].agreed.insert(entry.number)
            }
        }
    }

    /// Other rules were given. A new or changed rule applies to the members who are there now; an unchanged one keeps
    /// its set. Members who saw by a permanent rule that is gone are now under the next one.
    mutating func rulesChanged(
        from old: [SharingRule], to new: [SharingRule], of watched: Identifier, in roster: Roster, now: Instant
    ) {
        let before = self
        let household = roster[watched]?.household
        let others = Self.others(than: watched, in: roster)
        func find(_ viewer: SharingRule.Viewer, _ rules: [SharingRule]) -> SharingRule? {
            rules.first { $0.viewer == viewer && $0.holds(at: now) }
        }
        /// Whether a rule without an end decided for somebody who did not wait.
        func wasSettled(_ entry: Roster.Entry) -> Bool {
            if let named = find(.member(entry.id), old), named.until == nil { return true }
            guard entry.household == household, find(.household, old)?.until == nil else { return false }
            return find(.household, old) != nil && before.household.agreed.contains(entry.number)
        }
        for kind in Self.kinds {
            self[kind].agreed = Audience()
            guard let rule = find(kind, new) else { continue }
            let isKept = find(kind, old) == rule
            if !isKept { self[kind].unconfirmed = Audience() }
            for entry in others where !before[kind].declined.contains(entry.number) {
                let isAgreed = isKept && before[kind].agreed.contains(entry.number)
                let decides = Self.deciding(for: entry, among: new, household: household, now: now).contains(kind)
                // For a member who waits under a narrower rule, the wider rule remains the bound.
                let isBound =
                    isAgreed && kind == .everyone && entry.household == household
                    && !self.household.agreed.contains(entry.number)
                if isBound || decides && (!isKept || isAgreed || wasSettled(entry)) {
                    self[kind].agreed.insert(entry.number)
                }
            }
            tidy(kind)
        }
    }

    /// Rules that show nobody more were given by somebody who may do no more than that: no set gets anybody new.
    mutating func narrowed(to new: [SharingRule], from old: [SharingRule]) {
        for kind in Self.kinds
        where !new.contains(where: { $0.viewer == kind }) || !old.contains(where: { $0.viewer == kind }) {
            self[kind].agreed = Audience()
            tidy(kind)
        }
    }

    /// Agrees to one viewer, in every group that decides for them.
    mutating func admit(_ entry: Roster.Entry, _ deciding: [SharingRule.Viewer]) {
        for kind in deciding {
            self[kind].agreed.insert(entry.number)
            self[kind].declined.remove(entry.number)
            self[kind].unconfirmed.remove(entry.number)
            tidy(kind)
        }
    }

    /// Refuses one viewer, in every group that decides for them.
    mutating func decline(_ entry: Roster.Entry, _ deciding: [SharingRule.Viewer]) {
        for kind in deciding {
            self[kind].agreed.remove(entry.number)
            self[kind].declined.insert(entry.number)
            tidy(kind)
        }
    }

    /// Sharing is switched off. Switching it on confirms the members who are there then.
    mutating func forget() {
        for kind in Self.kinds { self[kind] = Group(declined: self[kind].declined) }
        asked = Audience()
    }

    // MARK: By others, and by time

    /// Members came, went, moved or have other roles: whoever is in a group no longer leaves its sets.
    mutating func leave(_ watched: Identifier, in roster: Roster) {
        let household = roster[watched]?.household
        for kind in Self.kinds {
            let group = Audience(
                Self.others(than: watched, in: roster).filter { entry in
                    entry.role != .guest && (kind == .everyone || entry.household == household)
                }.map(\.number))
            self[kind].agreed = self[kind].agreed.intersection(group)
            self[kind].declined = self[kind].declined.intersection(group)
            tidy(kind)
        }
    }

    /// Takes members out of every set, so that they wait.
    mutating func drop(_ members: Audience) {
        for kind in Self.kinds {
            self[kind].agreed = self[kind].agreed.subtracting(members)
            tidy(kind)
        }
    }

    /// Takes those out who were to be confirmed and were not. Answers whether there were any.
    mutating func expire(now: Instant) -> Bool {
        var wereAny = false
        for kind in Self.kinds where self[kind].until.map({ $0 <= now }) ?? false {
            self[kind].agreed = self[kind].agreed.subtracting(self[kind].unconfirmed)
            self[kind].unconfirmed = Audience()
            tidy(kind)
            wereAny = true
        }
        return wereAny
    }

    /// Keeps the unconfirmed within the agreed, with an end as long as there are any.
    private mutating func tidy(_ kind: SharingRule.Viewer) {
        self[kind].unconfirmed = self[kind].unconfirmed.intersection(self[kind].agreed)
        if self[kind].unconfirmed.isEmpty { self[kind].until = nil }
    }

    // MARK: Who waits

    /// Somebody who would see more if the answer were yes.
    struct Waiting: Equatable {
        let entry: Roster.Entry
        /// The group whose rule it is about.
        let kind: SharingRule.Viewer
        /// What they would see.
        let seen: Viewers.Seen
    }

    /// Everybody who waits for an answer.
    func waiting(
        _ rules: [SharingRule], of watched: Identifier, in roster: Roster, now: Instant
    ) -> [Waiting] {
        let household = roster[watched]?.household
        return Self.others(than: watched, in: roster).compactMap { entry in
            let open = Self.deciding(for: entry, among: rules, household: household, now: now).filter { kind in
                !self[kind].agreed.contains(entry.number) && !self[kind].declined.contains(entry.number)
            }
            guard let first = open.first else { return nil }
            var then = self
            for kind in open { then[kind].agreed.insert(entry.number) }
            let seen = Viewers.seen(by: then.candidate(entry, household: household), among: rules, now: now)
            let isMore = !seen.isAtMost(
                Viewers.seen(by: candidate(entry, household: household), among: rules, now: now))
            return isMore ? Waiting(entry: entry, kind: first, seen: seen) : nil
        }
    }

    /// Everybody who was refused.
    var declined: Audience { household.declined.union(everyone.declined) }
}

extension SharingGroups {
    /// Those of one member's sharing.
    static func of(_ track: Int64, _ act: Act) throws(Rejection) -> SharingGroups {
        var groups = SharingGroups()
        let rows = try act.rows(
            "SELECT kind, agreed, declined, unconfirmed, until FROM sharing_groups WHERE track = ?", .int(track)
        ) { (row) throws(StoreFailure) in
            (
                kind: row.int("kind"),
                group: Group(
                    agreed: Audience(bytes: row.blob("agreed")), declined: Audience(bytes: row.blob("declined")),
                    unconfirmed: Audience(bytes: row.blob("unconfirmed")), until: row.optionalInstant("until"))
            )
        }
        for row in rows { groups[row.kind == 0 ? .everyone : .household] = row.group }
        let asked = try act.first("SELECT asked FROM sharing WHERE track = ?", .int(track)) {
            (row) throws(StoreFailure) in row.optionalBlob(0)
        }
        groups.asked = asked.flatMap(\.self).map { Audience(bytes: $0) } ?? Audience()
        return groups
    }

    /// Writes them down.
    func save(_ track: Int64, _ act: Act) throws(Rejection) {
        for (number, group) in [(0, everyone), (1, household)] as [(Int64, Group)] {
            guard !group.isEmpty else {
                try act.run("DELETE FROM sharing_groups WHERE track = ? AND kind = ?", .int(track), .int(number))
                continue
            }
            try act.run(
                """
                INSERT OR REPLACE INTO sharing_groups (track, kind, agreed, declined, unconfirmed, until)
                VALUES (?,?,?,?,?,?)
                """, .int(track), .int(number), .blob(group.agreed.bytes), .blob(group.declined.bytes),
                .blob(group.unconfirmed.bytes), Value(group.until))
        }
        try act.run("UPDATE sharing SET asked = ? WHERE track = ?", .blob(asked.bytes), .int(track))
    }
}
