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
        let text = text(line, entry)
        guard let count = line["count"]?.int, count > 1 else { return text }
        return "\(text) (\(count)×)"
    }

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
        case "sharingChanged":
            if line["state"]?.string == "on" { return phrase("sharing.on") }
            // Nobody did it: its time was over. Who holds a child's settings is to be asked, not the child.
            return phrase(line["by"] == nil ? "sharing.ended" : "sharing.off")
        case "newDevice": return phrase("event.session.opened", ["device": device(line)])
        case "phoneSilent":
            guard let why = Sentence.trouble(line["cause"]?.string) else {
                return phrase("inbox.phone-silent", ["age": age(line["last"])])
            }
            return line["last"] == nil
                ? phrase("inbox.phone-unheard", ["why": why])
                : phrase("inbox.phone-silent-why", ["age": age(line["last"]), "why": why])
        case "positionAsked": return phrase("inbox.position-asked", ["by": by])
        case "quotaNear": return phrase("inbox.quota.\(line["what"]?.string ?? "points")")
        case "announcement":
            return phrase("event.activity.announced", ["by": by, "text": entry.title.map { Plain.line($0) } ?? ""])
        case "digest": return digest(line)
        case let kind: return Plain.line(kind ?? "?")
        }
    }

    private func changed(_ line: JSON, _ by: String) -> String {
        let changes = (line["changes"]?.array ?? []).compactMap(\.string)
        switch changes {
        case ["suggestions"]: return phrase("inbox.suggested", ["by": by])
        case ["host"]: return phrase("inbox.handed-over", ["by": by])
        default: return phrase("inbox.changed", ["by": by, "changes": Voice.changes(line["changes"])])
        }
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
