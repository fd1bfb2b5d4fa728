import KinFamily
import KinKeeper
import KinModel

/// What happens in such a family.
extension SharingWorld {
    // MARK: Setting the stage

    func setStage() throws(Finding) {
        let password = newName("secret")
        let founded = try say(
            .machine, "family.found",
            [
                "name": "Heron", "household": "First", "username": "ada", "password": .string(password),
                "displayName": "Ada",
            ])
        guard let ada = founded.result?["member"]?["id"]?.identifier else {
            throw Finding(checker: "start", what: founded.words)
        }
        book.passwords[ada] = (password, .own)
        try look()
        try signIn(ada)
        for name in ["Second", "Third"].prefix(1 + dice.below(2)) {
            try does(.key(book.keys[0]), "household.found", ["name": .string(name), "stay": true])
        }
        for _ in 0..<(5 + dice.below(4)) {
            let kind = dice.below(5) < 2 ? "child" : "adult"
            let role = kind == "adult" ? dice.pick(["member", "member", "head", "guest"]) : "member"
            try add(role, kind)
        }
        let grown = facts.people.filter(\.isGrown)
        for child in facts.people where child.kind == .child && dice.below(4) > 0 {
            try does(
                .key(book.keys[0]), "member.relate", ["member": .id(dice.pick(grown).id), "parentOf": .id(child.id)])
        }
        for person in facts.people {
            try signIn(person.id)
            clock = clock.adding(seconds: 60)
            guard let key = book.keys.last, key.member == person.id else { continue }
            try does(.key(key), "position.report", reportArguments())
        }
    }

    private func add(_ role: String, _ kind: String) throws(Finding) {
        let password = newName("secret")
        var params: JSON.Object = [
            "username": .string(newName("u")), "password": .string(password), "displayName": .string(newName("N")),
        ]
        let household = dice.pick(facts.households)
        let admin = SharingSpeaker.key(book.keys[0])
        if dice.once(in: 2) {
            params["household"] = .id(household)
            params["role"] = .string(role)
            params["kind"] = .string(kind)
            try does(admin, "member.add", params)
        } else {
            try does(
                admin, "invite.create",
                ["household": .id(household), "role": .string(role), "kind": .string(kind)])
            params["code"] = .string(book.codes.last ?? "none")
            try does(.nobody, "member.join", params)
        }
    }

    /// Somebody signs in with the own password.
    private func signIn(_ member: Identifier) throws(Finding) {
        guard let person = facts[member], let password = book.passwords[member] else { return }
        try does(
            .nobody, "session.open", ["username": .string(person.names[0]), "password": .string(password.text)])
    }

    /// Somebody moves out, and in again the same day. Few do that by themselves before the others say anew whom they show,
    /// so families in which nobody is asked about who returns are made to.
    private func goAndReturn() throws(Finding) {
        guard let key = sessions().randomElement(using: &dice), let home = facts[key.member]?.household else { return }
        let admitters = facts.admitters(of: home, but: key.member)
        guard let door = sessions().first(where: { admitters.contains($0.member) }) else { return }
        try does(.key(key), "household.found", ["name": .string(newName("H"))])
        try does(.key(key), "household.move", ["member": .id(key.member), "household": .id(home)])
        try does(.key(door), "household.admit", ["member": .id(key.member), "household": .id(home), "admit": true])
    }

    // MARK: One step

    func step() throws(Finding) {
        tally.steps += 1
        if leftOut.contains(.returnersAreNewcomers), dice.once(in: 10) { return try goAndReturn() }
        switch dice.below(100) {
        case 0..<4: try pass(seconds: Int64(1 + dice.below(90)) * 3600)
        case 4: try pass(seconds: Int64(1 + dice.below(32)) * 86_400)
        case 5:
            try reopen()
            trace?("\(tally.steps) the daemon starts again")
        case 6 where dice.once(in: 2): backUp()
        case 7 where dice.once(in: 3) && !backups.isEmpty:
            trace?("\(tally.steps) a backup is restored")
            try restore(backups.removeLast())
            for person in facts.people where facts.sight[person.id] != nil {
                try heed("restore", "\(SharingDeed.short(person.id)) is seen after a restore")
            }
            for person in facts.people where dice.below(4) > 0 { try signIn(person.id) }
        case 8..<13: try switchOff()
        case 13..<20:
            guard let key = sessions().randomElement(using: &dice) else { return }
            try pass(seconds: 600)
            try does(.key(key), "position.report", reportArguments())
        default:
            try pass(seconds: Int64(1 + dice.below(40)))
            try think()
        }
        if tally.steps % 5 == 0 { try checkNow() }
    }

    private func sessions() -> [SharingBook.Key] { book.keys.filter { !$0.isAppPassword } }

    /// Time goes on, and what falls due is done.
    func pass(seconds: Int64) throws(Finding) {
        let before = (clock, facts)
        clock = clock.adding(seconds: seconds)
        let commit = try turn([])
        let isDue = book.agreements.values.contains { agreement in
            agreement.rules.contains { $0.until.map { $0 > before.0 && $0 <= clock } ?? false }
        }
        guard isDue || seconds > 3600 || !commit.events.isEmpty || !commit.removed.isEmpty else { return }
        try look()
        if seconds > 60 { trace?("\(tally.steps) \(clock) time has passed") }
        try judge(nil, from: before.0, before: before.1)
    }

    /// Whoever is an adult can always switch off.
    private func switchOff() throws(Finding) {
        guard let key = sessions().randomElement(using: &dice), facts[key.member]?.kind == .adult else { return }
        let deed = try does(.key(key), "sharing.set", ["state": "off"])
        if let rejection = deed.rejection, rejection.kind != .notSignedIn {
            try heed("off", deed.words)
        }
    }

    /// Somebody has an idea.
    private func think() throws(Finding) {
        var pick = dice.below(SharingMethods.all.reduce(0) { $0 + $1.weight })
        var name = ""
        for (method, weight) in SharingMethods.all {
            name = method
            if pick < weight { break }
            pick -= weight
        }
        guard let method = Registry.family.methods[name] else { return }
        if name == "session.open", dice.below(5) > 0 { return try signIn(somebody()) }
        if name == "member.join", facts.people.count > 10 { return }
        if name == "member.add", facts.people.count > 10 { return }
        let speaker = speaker(method)
        try does(speaker, name, arguments(method, speaker))
    }

    private func speaker(_ method: Method) -> SharingSpeaker {
        if method.access.contains(.nobody) { return .nobody }
        let isForMachine = method.access.contains(.machine)
        if method.access == .machine || isForMachine && dice.once(in: 25) { return .machine }
        if dice.once(in: 20) { return .machineAs(somebody()) }
        // An app password opens one scope and nothing else: more than a try now and then would teach nothing.
        let keys = method.name.hasPrefix("position.") || dice.once(in: 10) ? book.keys : sessions()
        guard let key = keys.randomElement(using: &dice) else { return .machineAs(somebody()) }
        return .key(key)
    }

    /// Says something, and looks at what came of it.
    @discardableResult
    func does(_ speaker: SharingSpeaker, _ method: String, _ params: JSON.Object) throws(Finding) -> SharingDeed {
        let before = facts
        let deed = try say(speaker, method, params)
        guard deed.result != nil else { return deed }
        if Registry.family.methods[method]?.sort != .query { try look() }
        note(deed)
        try judge(deed, from: clock, before: before)
        try check(deed, before)
        book.forgetLeavers(facts)
        return deed
    }
}
