import KinModel

/// Announcements, and each member's inbox.
extension ActivityPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "activity",
            sentence: { $0.activity() },
            isEcho: { voice in
                let kind = voice.event[Inbox.added]?.entry.lines.last?["kind"]?.string
                return kind.map { kind in !AreaWords.all.contains { $0.untoldKinds.contains(kind) } } ?? false
            },
            line: { (voice, line, entry) in voice.activity(line, entry) }, untoldKinds: ["digest"],
            signs: ["announcement": ("loudspeaker", nil), "said": ("speech_balloon", nil)])
    }
}
