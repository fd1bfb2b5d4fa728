import KinModel
import KinWords

/// The people who see the member, the rule by which each does, and the effect of a change. All of it is the daemon's
/// answer; the client guesses nothing.
extension SharingScreen {
    // MARK: Rules

    /// The rules in the order in which they decide: those for members, for the household, for everyone.
    static func inOrder(_ rules: [JSON]) -> [JSON] {
        func place(_ rule: JSON) -> Int {
            switch rule["viewer"]?.string {
            case "everyone": 2
            case "household": 1
            default: 0
            }
        }
        return (0...2).flatMap { number in rules.filter { place($0) == number } }
    }

    /// The rules, a line each, under a heading.
    func rules(_ sharing: JSON, of child: Member?) -> [String] {
        let rules = Self.inOrder(sharing["rules"]?.array ?? [])
        guard !rules.isEmpty else { return [phrase("sharing.no-rules")] }
        let lines = rules.enumerated().map { number, rule in
            "  \(number + 1). \(whom(rule["viewer"] ?? .null, of: child)): \(what(rule))"
        }
        return [phrase("sharing.rules")] + lines
    }

    /// The members that a rule is for, in words.
    private func whom(_ viewer: JSON, of child: Member?) -> String {
        switch viewer.string {
        case "everyone": phrase("sharing.for-everyone")
        case "household":
            child.map { phrase("sharing.for-household-of", ["child": names.member($0.id)]) }
                ?? phrase("sharing.for-household")
        default: names.member(viewer.identifier)
        }
    }

    /// The sight that a rule gives: the precision, the history, and the end.
    func what(_ sight: JSON) -> String {
        let precision = sight["precision"]?.string ?? Precision.off.rawValue
        var what = Shares.word(precision)
        guard precision != Precision.off.rawValue else { return what }
        if sight["history"]?.bool == true { what += phrase("sharing.with-history") }
        if let until = sight["until"]?.instant {
            what += phrase("sharing.sees-until", ["time": LocalTime.short(until, now: now)])
        }
        return what
    }

    // MARK: People

    /// The sight of one person, and the reason for it.
    struct Seer {
        let id: Identifier?
        let name: String
        let what: String
        let why: String

        /// The sight in one line.
        var line: String { "  \(name): \(what), \(why)" }
    }

    /// All members of the family, those who see something first. While sharing is off, this is what they would see if
    /// it were switched on.
    func seers(_ sharing: JSON, of child: Member?) -> [Seer] {
        ((sharing["seenBy"]?.array ?? []) + (sharing["notSeenBy"]?.array ?? [])).map { person in
            Seer(
                id: person["id"]?.identifier, name: name(person), what: what(person),
                why: why(person, sharing, of: child))
        }
    }

    /// The reason why a person sees something, or nothing.
    private func why(_ person: JSON, _ sharing: JSON, of child: Member?) -> String {
        func isIn(_ list: String) -> Bool {
            sharing[list]?.array?.contains { $0["id"] == person["id"] } ?? false
        }
        let rules = person["rules"]?.array ?? []
        let isOff = (person["precision"] ?? "off") == "off"
        // A rule for a member needs no answer.
        if isOff, !rules.contains(where: { $0.identifier != nil }) {
            if isIn("waiting") { return phrase("sharing.because-waits") }
            if isIn("declined") { return phrase("sharing.because-declined") }
        }
        guard let first = rules.first else { return phrase("sharing.because-none") }
        let whose = child.map { names.member($0.id) }
        switch (first.string, rules.count) {
        case ("household", 2):
            return whose.map { phrase("sharing.because-both-of", ["child": $0]) } ?? phrase("sharing.because-both")
        case ("household", _):
            return whose.map { phrase("sharing.because-household-of", ["child": $0]) }
                ?? phrase("sharing.because-household")
        case ("everyone", _): return phrase("sharing.because-everyone")
        default: return phrase("sharing.because-member", ["name": names.member(first.identifier)])
        }
    }

    /// The lines about who sees the position, person by person.
    func seen(_ sharing: JSON, of child: Member?) -> [String] {
        let seers = seers(sharing, of: child)
        guard !seers.isEmpty else { return [phrase("sharing.alone")] }
        let isOn = sharing["state"] == "on"
        var lines = [phrase(isOn ? "sharing.who-sees" : "sharing.who-would-see")] + seers.map(\.line)
        if sharing["others"]?.bool == true { lines.append("  " + phrase("sharing.others")) }
        return lines
    }

    /// The lines about the sight that a member and the caller, or a child, have of each other.
    func lines(with member: Member, _ sharing: JSON, of child: Member?, seen: JSON?) -> [String] {
        let name = names.member(member.id)
        let seer = seers(sharing, of: child).first { $0.id == member.id }
        let isOn = sharing["state"] == "on"
        let what = isOn ? seer?.what ?? Shares.word("off") : Shares.word("off")
        let why = isOn ? seer?.why ?? phrase("sharing.because-none") : phrase("sharing.because-off")
        var lines = [
            child.map {
                phrase(
                    "sharing.sees-of", ["name": name, "child": names.member($0.id), "what": what, "why": why])
            } ?? phrase("sharing.sees-of-you", ["name": name, "what": what, "why": why])
        ]
        if !isOn, let seer {
            lines.append(phrase("sharing.would-see", ["what": seer.what, "why": seer.why]))
        }
        if let seen { lines.append(phrase("sharing.you-see", ["name": name, "what": self.what(seen)])) }
        return lines
    }

    // MARK: What a change did

    /// Tells that a child's settings have another holder: the holder's name, and what changed for those who see the
    /// child.
    func held(_ sentence: String, _ result: JSON, of child: Member) -> [String] {
        // For a repeated command only the holder is known.
        result["effect"] == nil ? [sentence] : [sentence] + effect(result, of: child)
    }

    /// Says when the position appears, and whether a phone is asked for one, by the answer of `phone.list`.
    func next(_ phones: JSON?) -> [String] {
        let asked = (phones?["phones"]?.array ?? []).contains { ($0["waiting"]?.int ?? 0) > 0 }
        return [phrase("sharing.next-report")] + (asked ? [phrase("sharing.phone-asked")] : [])
    }

    /// The lines about members who see more or less than before, or the same although the change was about them.
    func effect(_ result: JSON, of child: Member?) -> [String] {
        let sharing = result["sharing"] ?? [:]
        // For a repeated command only the present state is known.
        guard let people = result["effect"]?.array else { return lines(sharing, of: child) }
        let isOn = sharing["state"] == "on"
        var groups: [(text: (String, Int) -> String, key: [String], people: [String])] = []
        for person in people {
            let isChanged = person["changed"]?.bool == true
            guard isOn || isChanged else { continue }
            let what = what(person["now"] ?? .null)
            let before = isChanged ? self.what(person["before"] ?? .null) : ""
            var judged = person
            judged["precision"] = person["now"]?["precision"]
            let why = isOn ? why(judged, sharing, of: child) : phrase("sharing.because-off")
            let key = [what, why, before]
            if let index = groups.firstIndex(where: { $0.key == key }) {
                groups[index].people.append(name(person))
                continue
            }
            let say: (String, Int) -> String = { names, count in
                isChanged
                    ? phrase(
                        "sharing.now-sees",
                        ["names": names, "n": Int64(count), "what": what, "why": why, "before": before])
                    : phrase("sharing.still-sees", ["names": names, "n": Int64(count), "what": what, "why": why])
            }
            groups.append((say, key, [name(person)]))
        }
        var lines = groups.map { $0.text($0.people.joined(separator: ", "), $0.people.count) }
        if !people.contains(where: { $0["changed"]?.bool == true }) { lines.append(phrase("sharing.nobody-affected")) }
        if !isOn { lines.append(phrase(child == nil ? "sharing.is-off-still" : "sharing.is-off-still-child")) }
        return lines
    }
}
