import KinModel

/// What the lines of an inbox say. The daemon sends kinds and names; the sentences are made here.
struct InboxVoice {
    let names: Names
    let now: Instant

    /// The entry's heading: what it is about.
    func title(_ entry: InboxEntry) -> String {
        if let title = entry.title { return Plain.line(title) }
        let id = Identifier(entry.about.drop { $0 != "/" }.dropFirst())
        return heading(entry)?(names, id) ?? phrase("inbox.about-you")
    }

    /// Whether the entry's title is something by itself, such as a meeting's; else its lines say all.
    func hasTitle(_ entry: InboxEntry) -> Bool { heading(entry) != nil }

    private func heading(_ entry: InboxEntry) -> ((Names, Identifier?) -> String)? {
        let kind = String(entry.about.prefix { $0 != "/" })
        return CommandArea.all.lazy.compactMap { $0.headings[kind] }.first
    }

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
        for area in CommandArea.all { if let text = area.line(self, line, entry) { return text } }
        switch line["kind"]?.string {
        case "quotaNear": return phrase("inbox.quota.\(line["what"]?.string ?? "points")")
        case let kind: return Plain.line(kind ?? "?")
        }
    }

    // MARK: For the areas

    /// Who did it.
    func by(_ line: JSON) -> String { line["by"].map { names.member($0.identifier) } ?? phrase("by.daemon") }
    /// The member an entry is about.
    func subject(_ entry: InboxEntry) -> String {
        names.member(Identifier(entry.about.drop { $0 != "/" }.dropFirst()))
    }
    /// Whether an entry about somebody's sharing is about the reader's own.
    func isMine(_ entry: InboxEntry) -> Bool {
        let whose = Identifier(entry.about.drop { $0 != "/" }.dropFirst())
        return whose == nil || names.me == nil || whose == names.me
    }

    func device(_ line: JSON) -> String {
        line["device"]?.string.map { Plain.line($0) } ?? phrase("device.another")
    }
    func time(_ json: JSON?) -> String { json?.instant.map { LocalTime.near($0, now: now) } ?? "?" }
    func age(_ json: JSON?) -> String { json?.instant.map { Words.age($0, now: now) } ?? "?" }
}

extension InboxEntry {
    /// About a thing.
    static func about(_ about: String, _ at: Instant) -> InboxEntry {
        InboxEntry(id: Identifier(high: 0, low: 0), about: about, isOfficial: false, at: at, title: nil, lines: [])
    }

    /// About the member who looks.
    static func mine(_ at: Instant, about: String = "member/") -> InboxEntry {
        InboxEntry(id: Identifier(high: 0, low: 0), about: about, isOfficial: false, at: at, title: nil, lines: [])
    }
}
