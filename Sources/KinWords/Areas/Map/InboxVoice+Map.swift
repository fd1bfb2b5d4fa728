import KinModel

extension InboxVoice {
    /// What a line says of positions, sharing and places.
    func map(_ line: JSON, _ entry: InboxEntry) -> String? {
        let by = by(line)
        switch line["kind"]?.string {
        case "arrived": return moment("inbox.arrived", line, by)
        case "left": return moment("inbox.left", line, by)
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
        case "phoneSilent":
            guard let why = reader.trouble(line["cause"]?.string) else {
                return phrase("inbox.phone-silent", ["age": age(line["last"])])
            }
            return line["last"] == nil
                ? phrase("inbox.phone-unheard", ["why": why])
                : phrase("inbox.phone-silent-why", ["age": age(line["last"]), "why": why])
        case "positionAsked": return phrase("inbox.position-asked", ["by": by])
        case "placeAsked": return placeAsked(line)
        case "pinned":
            let isNote = line["placeKind"] == "note"
            return phrase(
                isNote ? "inbox.pinned-note" : "inbox.pinned-hotspot",
                ["by": by, "place": Plain.line(line["place"]?.string ?? "?")])
        default: return nil
        }
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
        guard reader.knows(key) else { return state }
        return phrase(key, ["by": member(by), "state": state])
    }

    private func sharingAsked(_ line: JSON, _ by: String, _ entry: InboxEntry) -> String {
        let what = reader.precision(line["precision"]?.string ?? "")
        guard isMine(entry) else {
            return phrase("inbox.sharing-asked-child", ["by": by, "child": subject(entry), "what": what])
        }
        let group = line["group"]?.string == "household" ? "household" : "everyone"
        return phrase("inbox.sharing-asked-\(group)", ["by": by, "what": what])
    }

    /// Whether somebody is to be seen at a place, or until when it is so after an update.
    private func placeAsked(_ line: JSON) -> String {
        guard let place = line["place"]?.string else {
            return phrase("inbox.places-until", ["time": time(line["until"])])
        }
        return phrase(
            "inbox.place-asked", ["place": Plain.line(place), "member": member(line["of"]?.identifier)])
    }

    /// Worded by the place's name.
    private func moment(_ key: String, _ line: JSON, _ by: String) -> String {
        let place = Plain.line(line["place"]?.string ?? "?")
        return phrase(key, ["by": by, "place": place, "time": time(line["since"])])
    }
}
