import KinModel

/// Meetings: proposed, voted on, confirmed.
extension MeetingsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "meetings",
            known: [KnownMeetings.self], sentence: { $0.meeting() },
            line: { (voice, line, entry) in voice.meeting(line, entry) }, untoldKinds: ["allReplied"],
            headings: ["meeting": { (voice, id) in voice.names.title(id, voice.reader) }],
            signs: ["meeting": ("calendar", "meetings")])
    }
}
