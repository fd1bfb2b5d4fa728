import KinModel

extension InboxVoice {
    /// What a line says by itself.
    func inbox(_ line: JSON, _ entry: InboxEntry) -> String? {
        let by = by(line)
        switch line["kind"]?.string {
        case "announcement":
            return phrase("event.activity.announced", ["by": by, "text": entry.title.map { Plain.line($0) } ?? ""])
        case "digest": return digest(line)
        default: return nil
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
}
