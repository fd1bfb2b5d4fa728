import KinModel

extension InboxVoice {
    /// What a line says by itself.
    func activity(_ line: JSON, _ entry: InboxEntry) -> String? {
        switch line["kind"]?.string {
        case "announcement", "said":
            phrase("event.activity.announced", ["by": by(line), "text": entry.title.map { Plain.line($0) } ?? ""])
        case "digest": digest(line)
        default: nil
        }
    }

    /// `3 invitations, 2 votes`: of what is summed up.
    private func digest(_ line: JSON) -> String {
        let parts = (line["kinds"]?.array ?? []).compactMap { part -> String? in
            guard let kind = part["kind"]?.string, let count = part["count"]?.int else { return nil }
            let key = "kinds.\(kind)"
            return "\(count) " + (reader.knows(key) ? phrase(key, ["n": count]) : Plain.line(kind))
        }
        return phrase("inbox.digest", ["parts": parts.joined(separator: ", "), "time": time(line["since"])])
    }
}
