import KinKeeper
import KinModel

extension Meetings {
    /// What the log's rows about a meeting are about.
    static func about(_ meeting: Identifier) -> String { "meeting/\(meeting)" }

    /// What can have changed in `meeting.updated`.
    static let changes = [
        "title", "place", "note", "zone", "deadline", "slots", "suggestions", "invitees", "state",
    ]

    private static let whole = Field.required("meeting", meeting)
    private static let id = Field.required("meeting", .id)
    private static let member = Field.required("member", .id)
    private static let counted = Field.required("tally", tally)

    static let events = [
        EventType(
            "meeting.proposed", "A meeting was proposed; host and invitees, and everyone if it is public.",
            data: .object([whole, .required("invitees", members)])),
        EventType(
            "meeting.shown", "The whole meeting, to each who gains sight of it or is invited from now on.",
            data: .object([whole, .required("own", own), .required("invitees", members)]), sight: .gives),
        EventType("meeting.hidden", "To each who sees the meeting no longer.", data: .object([id]), sight: .takes),
        EventType(
            "meeting.deleted", "The meeting is gone, because its host left and took it along; who saw it.",
            data: .object([id]), sight: .ends),
        EventType(
            "meeting.updated", "The meeting changed; who sees it.",
            data: .object([whole, .required("changes", .list(.oneOf(changes), max: changes.count))])),
        EventType(
            "meeting.voted", "A member voted; who sees the meeting.",
            data: .object([id, member, .required("votes", votes), counted])),
        EventType(
            "meeting.refused", "A member takes no part in it; who sees the meeting.",
            data: .object([id, member, .optional("reason", reason), counted])),
        EventType(
            "meeting.suggested", "A member suggests a slot; who sees the meeting.",
            data: .object([id, .required("suggestion", suggestion)])),
        EventType(
            "meeting.attended", "A member is going or not, after confirmation; who sees the meeting.",
            data: .object([id, member, .required("answer", attendance), counted])),
        EventType(
            "meeting.confirmed", "The slot is confirmed, and who voted yes on it is going; who sees the meeting.",
            data: .object([whole, .required("going", members)])),
        EventType(
            "meeting.cancelled", "It does not take place; who sees the meeting.",
            data: .object([id, .optional("reason", reason)])),
        EventType(
            "meeting.closed", "The deadline passed: votes are taken no longer; who sees the meeting.",
            data: .object([id, counted])),
        EventType(
            "meeting.ended", "Its confirmed slot, or its last one, is over: it is past; who sees the meeting.",
            data: .object([id])),
        EventType("meeting.nudged", "The host asks for an answer; invitees who have not replied.", data: .object([id])),
        EventType(
            "meeting.deadlineNear",
            "The deadline is a day off, or half the time when it was shorter; invitees who have not replied.",
            data: .object([id, .required("deadline", .time)])),
        EventType(
            "meeting.handedOver", "Another member hosts it; the one before is an invitee now; who sees the meeting.",
            data: .object([
                id, .required("host", .id), .required("from", .id, "The host before."), counted,
            ])),
        EventType(
            "meeting.cleared", "The member cleared the own list of past meetings; oneself.",
            data: .object([.required("before", .time, "What was past by then is listed no longer.")])),
    ]
}
