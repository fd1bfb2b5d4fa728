import KinKeeper
import KinMap
import KinModel

/// Whether what changed with a step was anybody's to change.
extension SharingWorld {
    /// `deed` is `nil` where only time has passed.
    func judge(_ deed: SharingDeed?, from: Instant, before: SharingFacts) throws(Finding) {
        try judgeSight(deed, from: from, before)
        for person in facts.people {
            guard let was = before[person.id] else { continue }
            if person.kind != was.kind { try judgeKind(deed, person, was, before) }
            if person.household != was.household { try judgeMove(deed, person, before) }
            if person.names != was.names { try judgeNames(deed, was) }
            if facts.holders[person.id] != before.holders[person.id] { try judgeHolder(deed, person.id, before) }
            if let holder = facts.holders[person.id], !facts.mayHold(holder, person.id) {
                try heed("holder", "\(short(holder)) goes on holding \(short(person.id)). \(words(deed))")
            }
            let parents = (before.parents[person.id] ?? [], facts.parents[person.id] ?? [])
            if parents.0 != parents.1 { try judgeParents(deed, was, parents.0, parents.1, before) }
        }
        if let deed, deed.method == "session.trust" { try judgeTrust(deed) }
    }

    func short(_ id: Identifier) -> String { SharingDeed.short(id) }
    private func words(_ deed: SharingDeed?) -> String { deed?.words ?? "time has passed" }

    // MARK: Who sees whom

    /// Who acts, for a watched person, as it was before the act.
    func actor(_ deed: SharingDeed?, for watched: Identifier, _ before: SharingFacts) -> Authority.Actor {
        guard let deed else { return .time }
        if deed.speaker.isRoot { return .root }
        guard let member = deed.speaker.member else { return .other }
        guard isOwn(deed.speaker) else { return member == watched ? .waiting : .other }
        if member == watched { return .oneself }
        if before.holders[watched] == member { return .holder }
        if before.parents[watched]?.contains(member) == true { return .parent }
        if before[watched]?.kind == .child, before[watched]?.bringer == member { return .bringer }
        switch before[member]?.role {
        case .head where before.areTogether(member, watched): return .head
        case .admin: return .admin
        default: return .other
        }
    }

    func watched(_ member: Identifier, _ before: SharingFacts) -> Authority.Watched {
        if before[member]?.kind != .child { return .adult }
        return before.holders[member] == nil ? .free : .held
    }

    private func judgeSight(_ deed: SharingDeed?, from: Instant, _ before: SharingFacts) throws(Finding) {
        for person in facts.people {
            guard let seen = facts.sight[person.id] else { continue }
            for viewer in facts.people {
                guard let now = seen[viewer.id] else { continue }
                let was = before.seeing(viewer.id, of: person.id)
                guard now.precision > was.precision || now.history > was.history else { continue }
                let actor = actor(deed, for: person.id, before)
                let watched = watched(person.id, before)
                let key = "\(actor.rawValue) \(watched.rawValue)"
                let isRight =
                    actor == .time
                    ? book.hasEnded(person.id, for: viewer.id, from: from, to: clock, seeing: now)
                    : Authority.mayShow(actor, watched, by: deed?.method ?? "")
                if isRight {
                    tally.shown[key, default: 0] += 1
                } else {
                    try heed(
                        "sharing",
                        "\(short(viewer.id)) sees \(short(person.id)), \(watched.words), \(now.precision.rawValue) "
                            + "(history \(now.history.rawValue)) instead of \(was.precision.rawValue) (history "
                            + "\(was.history.rawValue)) by \(actor.words). \(words(deed))",
                        kind: "\(key), \(deed?.method ?? "time")")
                }
            }
        }
    }

    // MARK: Who is what

    private func judgeKind(
        _ deed: SharingDeed?, _ person: SharingFacts.Person, _ was: SharingFacts.Person, _ before: SharingFacts
    ) throws(Finding) {
        let actor = actor(deed, for: person.id, before)
        if actor == .root { return }
        if person.kind == .child {
            if actor != .oneself {
                try heed("kind", "\(short(person.id)), an adult, was made a child. \(words(deed))")
            }
            return
        }
        let asked = book.growing[person.id].map { $0.adding(days: 30) <= clock } ?? false
        let isAlone = before.grownParents(of: person.id).isEmpty && before.holders[person.id] == nil
        let isRight: Bool =
            switch actor {
            case .time: asked
            case .holder, .parent: true
            // Nobody else has a say where there is a parent.
            default:
                asked || isAlone && deed?.speaker.member.map { before.standIns(for: person.id).contains($0) } == true
            }
        if !isRight { try heed("grown", "\(short(person.id)) was declared grown by \(actor.words). \(words(deed))") }
    }

    private func judgeMove(
        _ deed: SharingDeed?, _ person: SharingFacts.Person, _ before: SharingFacts
    ) throws(Finding) {
        guard let deed, !deed.speaker.isRoot else {
            if deed == nil { try heed("household", "\(short(person.id)) moved by itself") }
            return
        }
        let caller = deed.speaker.member
        let asked = book.moves[person.id]?[person.household] ?? []
        let admitted = book.admissions[person.id]?[person.household] ?? []
        book.moves[person.id] = nil
        book.admissions[person.id]?[person.household] = nil
        let admitters = before.admitters(of: person.household, but: person.id)
        let isFounded = !before.households.contains(person.household)
        // Nobody can answer for a household that stands empty where there is no admin.
        let isEmpty = admitters.isEmpty && !before.people.contains { $0.household == person.household }
        // Whoever speaks for a child can be the one who admits it.
        let isAdmitted =
            isFounded || isEmpty || caller.map { admitters.contains($0) } == true
            || !admitters.isDisjoint(with: admitted)
        let wishers = asked.union([caller].compactMap(\.self))
        let isWished: Bool
        if person.kind == .adult {
            isWished = wishers.contains(person.id)
        } else {
            let parents = before.parents[person.id] ?? []
            let guardians = parents.union([before.holders[person.id]].compactMap(\.self))
            let heads = before.admitters(of: before[person.id]?.household ?? person.household, but: person.id)
            let admins = before.people.filter { $0.role == .admin }.map(\.id)
            let standIns = heads.union(admins).union([before[person.id]?.bringer].compactMap(\.self))
            let speakers = guardians.filter { before[$0]?.isGrown == true }
            isWished = !wishers.isDisjoint(with: speakers.isEmpty ? standIns : guardians)
        }
        if !isWished || !isAdmitted {
            try heed(
                "household",
                "\(short(person.id)), \(person.kind.rawValue), moved\(isWished ? "" : ", unwished")"
                    + "\(isAdmitted ? "" : ", not admitted"). \(deed.words)")
        }
    }

    private func judgeNames(_ deed: SharingDeed?, _ was: SharingFacts.Person) throws(Finding) {
        guard was.kind == .adult, let deed, !deed.speaker.isRoot, deed.speaker.member != was.id else { return }
        try heed("names", "\(short(was.id)), an adult, has other names. \(deed.words)")
    }

    private func judgeHolder(
        _ deed: SharingDeed?, _ child: Identifier, _ before: SharingFacts
    ) throws(Finding) {
        if let deed, deed.speaker.isRoot { return }
        let caller = deed?.speaker.member
        let what =
            "the settings of \(short(child)): \(before.holders[child].map(short) ?? "nobody") → "
            + "\(facts.holders[child].map(short) ?? "nobody"). \(words(deed))"
        switch (before.holders[child], facts.holders[child]) {
        case (nil, let now?):
            if now != caller || !before.mayTake(now, child) { try heed("holder", what) }
        case (let was?, let now?):
            if was != caller || !before.mayHold(now, child) { try heed("held", what) }
        case (let was?, nil):
            if was != caller, facts.mayHold(was, child) { try heed("held", what) }
        case (nil, nil): break
        }
    }

    private func judgeParents(
        _ deed: SharingDeed?, _ child: SharingFacts.Person, _ was: Set<Identifier>, _ now: Set<Identifier>,
        _ before: SharingFacts
    ) throws(Finding) {
        guard let deed, !deed.speaker.isRoot, let caller = deed.speaker.member else { return }
        let gone = was.subtracting(now).filter { facts[$0] != nil }
        let come = now.subtracting(was)
        guard !gone.isEmpty || !come.isEmpty else { return }
        let isRight: Bool
        if child.kind == .adult {
            isRight = caller == child.id || (come.isEmpty && gone.contains(caller))
        } else {
            let parents = before.grownParents(of: child.id)
            // Whoever is said to be a parent can always say not to be.
            let leaves = come.isEmpty && gone == [caller]
            isRight = leaves || (parents.isEmpty ? before.standIns(for: child.id) : parents).contains(caller)
        }
        if !isRight { try heed("parents", "\(short(child.id)) has other parents. \(deed.words)") }
    }

    private func judgeTrust(_ deed: SharingDeed) throws(Finding) {
        guard case .key(let by) = deed.speaker else { return }
        let trusted = (deed.result?["trusted"]?.array ?? []).compactMap(\.identifier)
        for key in book.keys where trusted.contains(key.id) {
            guard case .other(let maker, _) = key.origin else { continue }
            let isOlder = by.member == key.member && by.openedAt < key.openedAt && !by.isAppPassword
            let isAnother =
                facts[by.member]?.isGrown == true && by.member != key.member && by.member != maker
                && facts.areTogether(by.member, key.member)
            if SharingBook.isWaiting(by, at: clock) || !(isOlder || isAnother) { try heed("trust", deed.words) }
        }
    }
}
