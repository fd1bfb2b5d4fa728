package import KinModel

/// What the lines of an inbox say to a reader. The daemon sends kinds and names; the sentences are made here.
package struct InboxVoice {
    package let names: Names
    package let reader: Reader
    package let now: Instant

    package init(_ names: Names, _ reader: Reader, now: Instant) {
        self.names = names
        self.reader = reader
        self.now = now
    }

    /// The entry's heading: what it is about.
    package func title(_ entry: InboxEntry) -> String {
        if let title = entry.title { return Plain.line(title) }
        return heading(entry)?(self, entry.subject) ?? phrase("inbox.about-you")
    }

    /// Whether the entry's title is something by itself, such as a meeting's; else its lines say all.
    package func hasTitle(_ entry: InboxEntry) -> Bool { heading(entry) != nil }

    /// Whether what the entry told last is calmer than what such entries are called.
    package func isCalm(_ entry: InboxEntry) -> Bool {
        entry.lines.last.map { line in AreaWords.all.contains { $0.isCalm(line) } } ?? false
    }

    private func heading(_ entry: InboxEntry) -> ((InboxVoice, Identifier?) -> String)? {
        if entry.title == nil, isCalm(entry) { return nil }
        let kind = String(entry.about.prefix { $0 != "/" })
        return AreaWords.all.lazy.compactMap { $0.headings[kind] }.first
    }

    /// One line under the heading.
    package func sentence(_ line: JSON, of entry: InboxEntry) -> String {
        let plain = self.text(line, entry)
        let name = member(line["by"]?.identifier)
        let text = saysMachine(line) ? phrase("by.at-machine", ["text": plain, "name": name]) : plain
        // A digest counts what it stands for by itself.
        guard line["kinds"] == nil, let count = line["count"]?.int, count > 1 else { return text }
        return "\(text) (\(count)×)"
    }

    /// Whether a line says that it was at the machine, and in whose name: not where nobody is named.
    package func saysMachine(_ line: JSON?) -> Bool { line?["atMachine"]?.bool == true && line?["by"] != nil }

    /// The newest line with its heading, as one line.
    package func whole(_ entry: InboxEntry) -> String {
        guard let line = entry.lines.last else { return title(entry) }
        let sentence = sentence(line, of: entry)
        return hasTitle(entry) ? "\(title(entry)): \(sentence)" : sentence
    }

    private func text(_ line: JSON, _ entry: InboxEntry) -> String {
        for area in AreaWords.all { if let text = area.line(self, line, entry) { return text } }
        switch line["kind"]?.string {
        case "quotaNear": return phrase("inbox.quota.\(line["what"]?.string ?? "points")")
        case let kind: return Plain.line(kind ?? "?")
        }
    }

    // MARK: For the areas

    package func member(_ id: Identifier?) -> String { names.member(id, reader) }
    /// Who did it.
    package func by(_ line: JSON) -> String { line["by"].map { member($0.identifier) } ?? phrase("by.daemon") }
    /// The member an entry is about.
    package func subject(_ entry: InboxEntry) -> String { member(entry.subject) }
    /// Whether an entry about somebody's sharing is about the reader's own.
    package func isMine(_ entry: InboxEntry) -> Bool {
        entry.subject == nil || names.me == nil || entry.subject == names.me
    }

    package func device(_ line: JSON) -> String {
        line["device"]?.string.map { Plain.line($0) } ?? phrase("device.another")
    }
    package func time(_ json: JSON?) -> String { json?.instant.map { reader.near($0, now: now) } ?? "?" }
    package func age(_ json: JSON?) -> String { json?.instant.map { reader.age($0, now: now) } ?? "?" }

    package func phrase(
        _ key: String, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
    ) -> String { reader.phrase(key, values) }
}

extension InboxEntry {
    /// What stands behind the slash of what it is about.
    package var subject: Identifier? { Identifier(about.drop { $0 != "/" }.dropFirst()) }

    /// About a thing.
    package static func about(_ about: String, _ at: Instant) -> InboxEntry {
        InboxEntry(id: Identifier(high: 0, low: 0), about: about, isOfficial: false, at: at, title: nil, lines: [])
    }

    /// About the member who looks.
    package static func mine(_ at: Instant, about: String = "member/") -> InboxEntry {
        InboxEntry(id: Identifier(high: 0, low: 0), about: about, isOfficial: false, at: at, title: nil, lines: [])
    }
}
