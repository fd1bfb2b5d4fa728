import KinModel
import KinWords

extension Command {
    static let meet = Command(
        name: "meet",
        usage: [
            "meet [list] [invitations|hosting|coming|past] [WORDS…]", "meet show MEETING",
            "meet propose TITLE TIME… [--with MEMBER,…] [--public] [--deadline TIME] [--place PLACE] [--note TEXT]",
            "meet propose TITLE --find DAYS [--between TIME-TIME] [--for SPAN] [--with MEMBER,…]",
            "meet vote MEETING [SLOT=]yes|maybe|no…", "meet refuse MEETING [--reason TEXT]",
            "meet suggest MEETING TIME",
            "meet accept MEETING SLOT", "meet decline MEETING SLOT", "meet confirm MEETING [SLOT]",
            "meet attend MEETING yes|no",
            "meet update MEETING [--title TITLE] [--add TIME] [--drop SLOT] [--with MEMBER]",
            "meet cancel MEETING [--reason TEXT]", "meet nudge MEETING", "meet hand-over MEETING MEMBER", "meet clear",
        ],
        options: [
            .value("with", "MEMBER"), .value("without", "MEMBER"), .flag("public"), .value("deadline", "TIME"),
            .value("place", "PLACE"), .value("note", "TEXT"), .value("for", "SPAN"), .value("zone", "ZONE"),
            .value("title", "TITLE"), .value("add", "TIME"), .value("drop", "SLOT"), .value("reason", "TEXT"),
            .value("find", "DAYS"), .value("between", "TIME-TIME"),
            .flag("yes"),
        ],
        words: 0...100, run: { (call) throws(Problem) in try Meet(call).run() })
}

/// One run of `kin meet`.
struct Meet {
    let call: Invocation
    let now = LocalTime.now

    init(_ call: Invocation) { self.call = call }

    func run() throws(Problem) {
        let words = call.words
        switch (words.first ?? "list", words.count) {
        case ("list", _): try list(Array(words.dropFirst()))
        case ("show", 2): try show()
        case ("propose", 2) where call.has("find"): try propose()
        case ("propose", 3...): try propose()
        case ("vote", 3...): try vote()
        case ("refuse", 2): try refuse()
        case ("suggest", 3...): try suggest()
        case ("accept", 3), ("decline", 3): try settle()
        case ("confirm", 2...3): try confirm()
        case ("attend", 3): try attend()
        case ("update", 2): try update()
        case ("cancel", 2): try cancel()
        case ("nudge", 2): try nudge()
        case ("hand-over", 3): try handOver()
        case ("clear", 1):
            call.answer(try call.call("meeting.clearPast"), phrase("meet.cleared"))
        default: throw call.misused
        }
    }

    /// The meeting that the second word names.
    func meant() throws(Problem) -> SeenMeeting { try MeetingChoice(call).find(call.words[1]) }

    /// Calls a method about a meeting, and answers the meeting's new state.
    func act(
        _ method: String, _ meeting: Meeting, _ more: KeyValuePairs<String, JSON?> = [:]
    ) throws(Problem) -> (result: JSON, seen: SeenMeeting) {
        var params: JSON.Object = ["meeting": .id(meeting.id)]
        for (key, value) in more where value != nil { params[key] = value }
        let result = try call.call(method, .object(params))
        guard let seen = SeenMeeting(result) else { throw Problem(.notReachable, phrase("meet.strange")) }
        return (result, seen)
    }

    func title(_ meeting: Meeting) -> String { Plain.line(meeting.title) }
    func span(_ slot: Slot) -> String { LocalTime.span(slot.start, slot.end, now: now) }

    /// The slot with a number in the grid.
    func slot(_ text: String, of meeting: Meeting) throws(Problem) -> Slot {
        guard let number = Int(text), meeting.slots.indices.contains(number - 1) else {
            throw .usage(phrase("meet.no-slot", ["slot": Plain.line(text), "n": meeting.slots.count]))
        }
        return meeting.slots[number - 1]
    }
}
