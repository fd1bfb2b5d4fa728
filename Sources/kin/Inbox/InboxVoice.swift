import KinModel

/// What the lines of an inbox say. The daemon sends kinds and names; the sentences are made here.
struct InboxVoice {
    let names: Names
    let now: Instant

    /// The entry's heading: what it is about.
    func title(_ entry: InboxEntry) -> String {
        if let title = entry.title { return Plain.line(title) }
        if entry.about.hasPrefix("meeting/") { return names.title(Identifier(entry.about.dropFirst("meeting/".count))) }
        return phrase("inbox.about-you")
    }

    /// Whether the entry's title is something by itself, such as a meeting's; else its lines say all.
    func hasTitle(_ entry: InboxEntry) -> Bool { entry.about.hasPrefix("meeting/") }

    /// One line under the heading.
    func sentence(_ line: JSON, of entry: InboxEntry) -> String {
        let plain = self.text(line, entry)
        let name = names.member(line["by"]?.identifier)
        let text = saysMachine(line) ? phrase("by.at-machine", ["text": plain, "name": name]) : plain
        guard let count = line["count"]?.int, count > 1 else { return text }
        return "\(text) (\(count)×)"
    }

    /// Whether a line says that it was at the machine, and in whose name: not where nobody is named.
    func saysMachine(_ line: JSON?) -> Bool { line?["atMachine"]?.bool == true && line?["by"] != nil }

    /// The newest line with its heading, for one line of a terminal.
    func whole(_ entry: InboxEntry) -> String {
        guard let line = entry.lines.last else { return title(entry) }
        let sentence = sentence(line, of: entry)
        return hasTitle(entry) ? "\(title(entry)): \(sentence)" : sentence
    }

    private func text(_ line: JSON, _ entry: InboxEntry) -> String {
        let by = line["by"].map { names.member($0.identifier) } ?? phrase("by.daemon")
        switch line["kind"]?.string {
        case "invited": return phrase("inbox.invited", ["by": by])
        case "meetingChanged": return changed(line, by)
        case "voted": return phrase(line["reply"]?.string == "refused" ? "inbox.refused" : "inbox.voted", ["by": by])
        case "allReplied": return phrase("inbox.all-replied")
        case "deadlineNear":
            return phrase("inbox.deadline-near", ["time": time(line["deadline"])])
        case "closed": return phrase("inbox.closed")
        case "confirmed": return confirmed(entry)
        case "cancelled": return phrase("inbox.cancelled", ["by": by])
        case "nudged": return phrase("inbox.nudged", ["by": by])
        case "goingChanged":
            return phrase(line["answer"]?.string == "going" ? "inbox.going" : "inbox.not-going", ["by": by])
        case "arrived": return moment("inbox.arrived", line, by)
        case "left": return moment("inbox.left", line, by)
        case "memberJoined": return phrase("inbox.member-joined", ["name": title(entry)])
        case "memberLeft": return phrase("inbox.member-left", ["name": leaver(entry)])
        case "roleChanged": return phrase("inbox.role", ["role": phrase("rank.\(line["role"]?.string ?? "member")")])
        case "permissionChanged": return permission(line)
        case "sharingChanged": return sharing(line)
        case "sharingAsked": return sharingAsked(line, by, entry)
        case "sharingToConfirm":
            return phrase(
                isMine(entry) ? "inbox.sharing-to-confirm" : "inbox.sharing-to-confirm-child",
                ["time": time(line["until"]), "child": subject(entry)])
        case "childSharing":
            let word = line["hold"]?.string ?? "held"
            guard ["held", "given", "waits", "narrowed", "off"].contains(word) else { return Plain.line(word) }
            return phrase("inbox.child-\(word)" + (isMine(entry) ? "-own" : ""), ["by": by, "child": subject(entry)])
        case "accountChanged": return account(line, entry)
        case "newDevice": return phrase("event.session.opened", ["device": device(line)])
        case "phoneSilent":
            guard let why = Sentence.trouble(line["cause"]?.string) else {
                return phrase("inbox.phone-silent", ["age": age(line["last"])])
            }
            return line["last"] == nil
                ? phrase("inbox.phone-unheard", ["why": why])
                : phrase("inbox.phone-silent-why", ["age": age(line["last"]), "why": why])
        case "positionAsked": return phrase("inbox.position-asked", ["by": by])
        case "moveAsked": return asked(line, entry, by)
        case "moveAnswered":
            let (member, household) = (subject(entry), household(line))
            switch line["answer"]?.string {
            case "moved":
                return phrase("inbox.move-moved", ["by": by, "member": member, "household": household])
            case "admitted":
                return phrase("inbox.move-admitted", ["by": by, "member": member, "household": household])
            case "refused":
                return phrase("inbox.move-refused", ["by": by, "member": member, "household": household])
            case "withdrawn":
                return phrase("inbox.move-withdrawn", ["by": by, "member": member, "household": household])
            default: return phrase("inbox.move-ended", ["member": member, "household": household])
            }
        case "grownAsked": return phrase("inbox.grown-asked", ["member": subject(entry)])
        case "grownAnswered":
            switch line["answer"]?.string {
            case "grown": return phrase("inbox.grown", ["by": by])
            case "unanswered": return phrase("inbox.grown-unanswered")
            default: return phrase("inbox.grown-not-yet", ["by": by])
            }
        case "placeAsked": return placeAsked(line)
        case "quotaNear": return phrase("inbox.quota.\(line["what"]?.string ?? "points")")
        case "announcement":
            return phrase("event.activity.announced", ["by": by, "text": entry.title.map { Plain.line($0) } ?? ""])
        case "digest": return digest(line)
        case let kind: return Plain.line(kind ?? "?")
        }
    }

    private func asked(_ line: JSON, _ entry: InboxEntry, _ by: String) -> String {
        let member = subject(entry)
        return by == member
            ? phrase("inbox.move-asked", ["member": member, "household": household(line)])
            : phrase("inbox.move-asked-by", ["by": by, "member": member, "household": household(line)])
    }

    /// The member an entry is about.
    private func subject(_ entry: InboxEntry) -> String {
        names.member(Identifier(entry.about.drop { $0 != "/" }.dropFirst()))
    }
    private func household(_ line: JSON) -> String { names.household(line["household"]?.identifier) }

    // MARK: Sharing

    /// Whether an entry about somebody's sharing is about the reader's own.
    private func isMine(_ entry: InboxEntry) -> Bool {
        let whose = Identifier(entry.about.drop { $0 != "/" }.dropFirst())
        return whose == nil || names.me == nil || whose == names.me
    }

    private func sharing(_ line: JSON) -> String {
        let state = phrase(line["state"]?.string == "on" ? "sharing.on" : "sharing.off")
        let what = line["changes"]?.array?.first?.string ?? "state"
        guard let by = line["by"]?.identifier else {
            // Nobody did it: its time was over. Who holds a child's settings is to be asked, not the child.
            switch what {
            case "state" where line["state"]?.string == "on": return phrase("sharing.on")
            case "state": return phrase("sharing.ended")
            case "viewers": return phrase("inbox.sharing-unconfirmed")
            case "holder": return phrase("inbox.sharing-holder")
            default: return phrase("inbox.sharing-ended")
            }
        }
        let key = "inbox.sharing-by-\(what)"
        guard Language.current.phrases[key] != nil else { return state }
        return phrase(key, ["by": names.member(by), "state": state])
    }

    private func sharingAsked(_ line: JSON, _ by: String, _ entry: InboxEntry) -> String {
        let what = Shares.word(line["precision"]?.string ?? "")
        guard isMine(entry) else {
            return phrase("inbox.sharing-asked-child", ["by": by, "child": subject(entry), "what": what])
        }
        let group = line["group"]?.string == "household" ? "household" : "everyone"
        return phrase("inbox.sharing-asked-\(group)", ["by": by, "what": what])
    }

    private func changed(_ line: JSON, _ by: String) -> String {
        let changes = (line["changes"]?.array ?? []).compactMap(\.string)
        switch changes {
        case ["suggestions"]: return phrase("inbox.suggested", ["by": by])
        case ["host"]: return phrase("inbox.handed-over", ["by": by])
        default: return phrase("inbox.changed", ["by": by, "changes": Voice.changes(line["changes"])])
        }
    }

    /// Whether somebody is to be seen at a place, or until when it is so after an update.
    private func placeAsked(_ line: JSON) -> String {
        guard let place = line["place"]?.string else {
            return phrase("inbox.places-until", ["time": time(line["until"])])
        }
        return phrase(
            "inbox.place-asked", ["place": Plain.line(place), "member": names.member(line["of"]?.identifier)])
    }

    /// Worded by the place's name.
    private func moment(_ key: String, _ line: JSON, _ by: String) -> String {
        let place = Plain.line(line["place"]?.string ?? "?")
        return phrase(key, ["by": by, "place": place, "time": time(line["since"])])
    }

    private func confirmed(_ entry: InboxEntry) -> String {
        let meeting = names.meeting(Identifier(entry.about.drop { $0 != "/" }.dropFirst()))
        guard let slot = meeting?.confirmedSlot else { return phrase("inbox.confirmed") }
        return phrase("inbox.confirmed-at", ["time": LocalTime.span(slot.start, slot.end, now: now)])
    }

    private func permission(_ line: JSON) -> String {
        switch line["what"]?.string {
        case "appPasswordMade": phrase("inbox.app-password-made", ["device": device(line)])
        case "appPasswordRevoked": phrase("inbox.app-password-revoked", ["device": device(line)])
        case "signInLinkMade": phrase("inbox.sign-in-link-made")
        case "passwordChanged": phrase("inbox.password-changed")
        default: phrase("inbox.permission-changed")
        }
    }

    /// What was done about somebody's account.
    private func account(_ line: JSON, _ entry: InboxEntry) -> String {
        let member = names.member(Identifier(entry.about.drop { $0 != "/" }.dropFirst()))
        let by = line["by"].map { names.member($0.identifier) } ?? phrase("session.the-machine")
        let values: KeyValuePairs<String, any CustomStringConvertible> = [
            "member": member, "by": by, "device": device(line), "time": time(line["until"]),
        ]
        switch line["what"]?.string {
        case "signInLinkMade": return phrase("inbox.account-link", values)
        case "passwordSet": return phrase("inbox.account-password", values)
        case "sessionWaits": return phrase("inbox.account-waits", values)
        case "sessionTrusted": return phrase("inbox.account-trusted", values)
        default: return phrase("inbox.account-wait-ended", values)
        }
    }

    /// `3 invitations, 2 votes`: of what is summed up.
    private func digest(_ line: JSON) -> String {
        let parts = (line["kinds"]?.array ?? []).compactMap { part -> String? in
            guard let kind = part["kind"]?.string, let count = part["count"]?.int else { return nil }
            let key = "kinds.\(kind)"
            return "\(count) " + (Language.current.phrases[key] == nil ? Plain.line(kind) : phrase(key, ["n": count]))
        }
        return phrase("inbox.digest", ["parts": parts.joined(separator: ", "), "time": time(line["since"])])
    }

    private func leaver(_ entry: InboxEntry) -> String {
        entry.title.map { Plain.line($0) } ?? names.member(Identifier(entry.about.drop { $0 != "/" }.dropFirst()))
    }
    private func device(_ line: JSON) -> String {
        line["device"]?.string.map { Plain.line($0) } ?? phrase("device.another")
    }
    private func time(_ json: JSON?) -> String { json?.instant.map { LocalTime.near($0, now: now) } ?? "?" }
    private func age(_ json: JSON?) -> String { json?.instant.map { Words.age($0, now: now) } ?? "?" }
}
