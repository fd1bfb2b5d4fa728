import KinModel
import KinWords

/// An inbox on a screen. Official messages stand apart; the others are grouped by the thing that they are about, the
/// newest first.
struct InboxScreen {
    let entries: [InboxEntry]
    let unread: Int64
    let voice: InboxVoice

    init(_ entries: [InboxEntry], unread: Int64, names: Names, now: Instant) {
        self.entries = entries.filter(\.isOfficial) + entries.filter { !$0.isOfficial }
        self.unread = unread
        voice = InboxVoice(names: names, now: now)
    }

    /// The entries in the order of their numbers.
    var ids: [Identifier] { entries.map(\.id) }

    func lines(_ width: Int, isColoured: Bool) -> [String] {
        let style = Style(isColoured: isColoured)
        var lines = [style.bold(phrase("inbox.unread", ["n": unread]))]
        let numbers = "\(entries.count)".count
        for (index, entry) in entries.enumerated() {
            if index == 0, entry.isOfficial { lines += ["", phrase("inbox.official")] }
            if !entry.isOfficial, index == 0 || entries[index - 1].isOfficial {
                lines += index == 0 ? [""] : ["", phrase("inbox.others")]
            }
            let number = String(repeating: " ", count: numbers - "\(index + 1)".count) + "\(index + 1)"
            lines += self.lines(entry, lead: "\(entry.isUnread ? "•" : " ") \(number)  ", width, style)
        }
        return lines
    }

    private func lines(_ entry: InboxEntry, lead: String, _ width: Int, _ style: Style) -> [String] {
        let indent = String(repeating: " ", count: lead.count)
        func emphasised(_ text: String) -> String { entry.isUnread ? style.bold(text) : text }
        guard voice.hasTitle(entry) else {
            let time = LocalTime.near(entry.at, now: voice.now)
            let text = entry.lines.last.map { voice.sentence($0, of: entry) } ?? voice.title(entry)
            let whole = Plain.wrapped("\(lead)\(text) · \(time)", width, indent: indent.count)
            return split(whole).map { emphasised($0) }
        }
        var lines = [emphasised(Plain.fitted(lead + voice.title(entry), width))]
        if entry.more > 0 {
            lines.append(style.faint(indent + phrase("inbox.more", ["n": entry.more])))
        }
        for line in entry.lines {
            let time = line["at"]?.instant.map { LocalTime.near($0, now: voice.now) } ?? ""
            let text = Plain.wrapped(
                "\(indent)\(time)  \(voice.sentence(line, of: entry))", width, indent: indent.count + time.count + 2)
            lines += split(text)
        }
        return lines
    }

    private func split(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
}
