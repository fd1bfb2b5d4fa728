import KinFamily
import KinModel

/// Whether what changed with a step was anybody's to change.
extension ConsentWorld {
    /// `deed` is `nil` where only time has passed.
    func judge(_ deed: ConsentDeed?, from: Instant, before: ConsentFacts) throws(Finding) {
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

    func short(_ id: Identifier) -> String { ConsentDeed.short(id) }
    private func words(_ deed: ConsentDeed?) -> String { deed?.words ?? "time has passed" }

    // MARK: Who sees whom

    /// Who acts, for a watched person, as it was before the act.
    func actor(_ deed: ConsentDeed?, for watched: Identifier, _ before: ConsentFacts) -> Authority.Actor {
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

    func watched(_ member: Identifier, _ before: ConsentFacts) -> Authority.Watched {
        if before[member]?.kind != .child { return .adult }
        return before.holders[member] == nil ? .free : .held
    }

    private func judgeSight(_ deed: ConsentDeed?, from: Instant, _ before: ConsentFacts) throws(Finding) {
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
                        "consent",
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
        _ deed: ConsentDeed?, _ person: ConsentFacts.Person, _ was: ConsentFacts.Person, _ before: ConsentFacts
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
        let isRight: Bool =
            switch actor {
            case .time: asked
            case .holder, .parent: true
            // Nobody else has a say where there is no parent.
            case .bringer: (before.parents[person.id] ?? []).isEmpty
            default: asked
            }
        if !isRight { try heed("grown", "\(short(person.id)) was declared grown by \(actor.words). \(words(deed))") }
    }

    private func judgeMove(
        _ deed: ConsentDeed?, _ person: ConsentFacts.Person, _ before: ConsentFacts
    ) throws(Finding) {
        guard let deed, !deed.speaker.isRoot else {
            if deed == nil { try heed("household", "\(short(person.id)) moved by itself") }
            return
        }
        let caller = deed.speaker.member
        let asked = book.moves[person.id]?[person.household] ?? []
        book.moves[person.id] = nil
        let isFounded = !before.households.contains(person.household)
        if person.kind == .adult {
            if isFounded, caller == person.id { return }
            let admitters = before.admitters(of: person.household, but: person.id)
            if deed.method == "household.admit", let caller {
                // The one who moves asked and one of the house admits; or the house asked and the one who moves agrees.
                if asked.contains(person.id), admitters.contains(caller) { return }
                if caller == person.id, !asked.isDisjoint(with: admitters) { return }
            }
            return try heed("household", "\(short(person.id)), an adult, moved. \(deed.words)")
        }
        let parents = before.parents[person.id] ?? []
        let mayMove = parents.union([before.holders[person.id], before[person.id]?.bringer].compactMap(\.self))
        let heads = before.people.filter { $0.role == .head && before.areTogether($0.id, person.id) }.map(\.id)
        let isRight = !mayMove.isDisjoint(with: asked.union([caller].compactMap(\.self)))
        if isRight || (parents.isEmpty && heads.contains { asked.contains($0) || caller == $0 }) { return }
        try heed("household", "\(short(person.id)), a child, moved. \(deed.words)")
    }

    private func judgeNames(_ deed: ConsentDeed?, _ was: ConsentFacts.Person) throws(Finding) {
        guard was.kind == .adult, let deed, !deed.speaker.isRoot, deed.speaker.member != was.id else { return }
        try heed("names", "\(short(was.id)), an adult, has other names. \(deed.words)")
    }

    private func judgeHolder(
        _ deed: ConsentDeed?, _ child: Identifier, _ before: ConsentFacts
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
        _ deed: ConsentDeed?, _ child: ConsentFacts.Person, _ was: Set<Identifier>, _ now: Set<Identifier>,
        _ before: ConsentFacts
    ) throws(Finding) {
        guard let deed, !deed.speaker.isRoot, let caller = deed.speaker.member else { return }
        let gone = was.subtracting(now).filter { facts[$0] != nil }
        let come = now.subtracting(was)
        guard !gone.isEmpty || !come.isEmpty else { return }
        let isRight: Bool
        if child.kind == .adult {
            isRight = caller == child.id || (come.isEmpty && gone.contains(caller))
        } else if !was.isEmpty {
            isRight = was.contains(caller)
        } else if let bringer = child.bringer, before[bringer] != nil {
            isRight = caller == bringer
        } else {
            isRight = before.admitters(of: child.household, but: child.id).contains(caller)
        }
        if !isRight { try heed("parents", "\(short(child.id)) has other parents. \(deed.words)") }
    }

    private func judgeTrust(_ deed: ConsentDeed) throws(Finding) {
        guard let key = book.keys.first(where: { $0.id == deed.params["session"]?.identifier }),
            case .key(let by) = deed.speaker, case .other(let maker, _) = key.origin
        else { return }
        let isOlder = by.member == key.member && by.openedAt < key.openedAt && !by.isAppPassword
        let isAnother =
            facts[by.member]?.isGrown == true && by.member != key.member && by.member != maker
            && facts.areTogether(by.member, key.member)
        if ConsentBook.isWaiting(by, at: clock) || !(isOlder || isAnother) { try heed("trust", deed.words) }
    }
}
