import KinModel
import KinWords

/// What `kin sharing` and `kin share` say of one member's sharing: whether it is on, who sees it, and what waits for an
/// answer. Names that look the same are told apart.
struct SharingScreen {
    let people: People
    let names: Names
    let now: Instant

    init(_ people: People, now: Instant) {
        self.people = people
        names = people.names
        self.now = now
    }

    /// A member that an answer of the daemon names.
    func name(_ json: JSON, _ id: String = "id") -> String {
        let member = json[id]?.identifier
        if let member, people.members.contains(where: { $0.id == member }) { return names.member(member) }
        return json["displayName"]?.string.map { Plain.line($0) } ?? phrase("names.somebody")
    }

    /// Who sees it, in a row.
    func viewers(_ sharing: JSON) -> String {
        (sharing["seenBy"]?.array ?? []).map { name($0) }.joined(separator: ", ")
    }

    /// Whether something waits for an answer.
    static func asks(_ sharing: JSON) -> Bool {
        sharing["waiting"]?.array?.isEmpty == false || sharing["waitingPlaces"]?.array?.isEmpty == false
            || sharing["parents"] != nil || sharing["heldUntil"] != nil || sharing["confirmBy"] != nil
    }

    /// Whether it is on. `child`: whose it is, where it is not the caller's own.
    func state(_ sharing: Sharing, of child: Member?) -> String {
        guard let child else { return Reader.here.state(of: sharing, now: now) }
        return phrase(sharing.isOn ? "sharing.child-on" : "sharing.child-off", ["name": names.member(child.id)])
    }

    /// All of it.
    func lines(_ shown: JSON, of child: Member?) -> [String] {
        let sharing = Sharing(shown) ?? .off
        var sentence = state(sharing, of: child)
        if sharing.isOn, !viewers(shown).isEmpty { sentence += ": \(viewers(shown))" }
        if shown["paused"]?.bool == true { sentence += phrase("sharing.paused") }
        return ["\(sentence)."] + questions(shown, of: child)
    }

    /// What waits for an answer: who would see it, what is to be confirmed, whose the settings are, and places.
    func questions(_ sharing: JSON, of child: Member?) -> [String] {
        var lines: [String] = []
        let of = child.map { " --of \(typed($0))" } ?? ""
        if let holder = sharing["heldBy"]?.identifier {
            lines.append(phrase("share.held", ["name": names.member(holder)]))
        }
        if let until = sharing["heldUntil"]?.instant {
            let time = LocalTime.short(until, now: now)
            lines.append(
                phrase("sharing.hold-by", ["time": time, "child": child.map { typed($0) } ?? phrase("word.MEMBER")]))
        }
        if let parents = sharing["parents"]?.array, !parents.isEmpty {
            let asked = parents.map { names.member($0.identifier) }.joined(separator: ", ")
            lines.append(phrase("sharing.parents", ["names": asked]))
        }
        if let until = sharing["confirmBy"]?.instant {
            lines.append(phrase("sharing.confirm-by", ["time": LocalTime.short(until, now: now), "of": of]))
        }
        for viewer in sharing["waiting"]?.array ?? [] {
            let who = people.members.first { $0.id == viewer["id"]?.identifier }
            let username = who.map { typed($0) } ?? phrase("word.MEMBER")
            let group = viewer["group"]?.string == "household" ? "household" : "everyone"
            lines.append(
                phrase(
                    "sharing.waits-\(group)",
                    [
                        "name": name(viewer), "username": username, "of": of,
                        "what": Shares.word(viewer["precision"]?.string ?? ""),
                    ]))
        }
        let declined = (sharing["declined"]?.array ?? []).map { name($0) }
        if !declined.isEmpty {
            lines.append(phrase("sharing.declined", ["names": declined.joined(separator: ", "), "of": of]))
        }
        if let places = Places.waiting(sharing) { lines.append(places) }
        return lines
    }

    /// Who sees how much.
    func table(_ seenBy: [JSON]) -> Table {
        var table = Table("name", "sees", "until", "history")
        for viewer in seenBy {
            table.add(
                name(viewer), Shares.word(viewer["precision"]?.string ?? ""),
                viewer["until"]?.instant.map { LocalTime.short($0, now: now) } ?? "",
                viewer["history"]?.bool == true ? phrase("share.yes") : "")
        }
        return table
    }

    /// Who looked.
    func looks(_ looks: [JSON]) -> Table {
        var table = Table("name", "how", "when", "times")
        for look in looks {
            let isLink = look["how"]?.string == "link"
            let name = look["viewer"] == nil && isLink ? phrase("share.outside") : name(look, "viewer")
            table.add(
                look["atMachine"]?.bool == true ? phrase("share.at-machine", ["name": name]) : name,
                Shares.way(look["how"]?.string ?? ""),
                look["last"]?.instant.map { LocalTime.short($0, now: now) } ?? "",
                look["count"]?.int.map { String($0) } ?? "")
        }
        return table
    }

    /// As it can be typed.
    private func typed(_ member: Member) -> String {
        Plain.line(member.username.isEmpty ? "\"\(member.displayName)\"" : member.username)
    }
}
