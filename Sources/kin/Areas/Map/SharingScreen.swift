import KinModel
import KinWords

/// The lines of `kin sharing` about one member: whether sharing is on, the rules, who sees the position, and what waits
/// for an answer. Members whose names look the same are told apart.
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

    /// Whether something waits for an answer.
    static func asks(_ sharing: JSON) -> Bool {
        sharing["waiting"]?.array?.isEmpty == false || sharing["waitingPlaces"]?.array?.isEmpty == false
            || sharing["parents"] != nil || sharing["heldUntil"] != nil || sharing["confirmBy"] != nil
    }

    /// Whether sharing is on. `child` is the member whose sharing it is, if it is not the caller's.
    func state(_ shown: JSON, of child: Member?) -> String {
        let until = shown["until"]?.instant.map { LocalTime.short($0, now: now) }
        var sentence: String
        switch (shown["state"] == "on", until) {
        case (true, nil): sentence = phrase("sharing.is-on")
        case (true, let until?): sentence = phrase("sharing.is-on-until", ["time": until])
        case (false, _): sentence = phrase("sharing.is-off")
        }
        if let child {
            let name = names.member(child.id)
            switch (shown["state"] == "on", until) {
            case (true, nil): sentence = phrase("sharing.child-on", ["name": name])
            case (true, let until?): sentence = phrase("sharing.child-on-until", ["name": name, "time": until])
            case (false, _): sentence = phrase("sharing.child-off", ["name": name])
            }
        }
        if shown["paused"]?.bool == true { sentence += phrase("sharing.paused") }
        return sentence + "."
    }

    /// All lines.
    func lines(_ shown: JSON, of child: Member?) -> [String] {
        let unreported = shown["unreported"]?.bool == true ? [phrase("where.own-unreported")] : []
        return [state(shown, of: child)] + unreported + rules(shown, of: child) + seen(shown, of: child)
            + questions(shown, of: child)
    }

    /// The questions that wait for an answer: about viewers, rules to be confirmed, the holder of the settings, and
    /// places.
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

    /// A table of the members who looked.
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

    /// The name by which a member can be typed.
    private func typed(_ member: Member) -> String {
        Plain.line(member.username.isEmpty ? "\"\(member.displayName)\"" : member.username)
    }
}
