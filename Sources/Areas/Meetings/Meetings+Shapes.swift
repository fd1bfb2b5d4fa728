import KinKeeper
import KinModel

extension Meetings {
    /// A slot on the wire.
    static let slot = Shape.named(
        "Slot", .object([.required("id", .id), .required("start", .time), .required("end", .time)]))

    /// A suggested slot on the wire.
    static let suggestion = Shape.named(
        "Suggestion",
        .object([
            .required("id", .id), .required("start", .time), .required("end", .time),
            .required("by", .id, "Who suggests it."),
        ]))

    static let answer = Shape.oneOf(Vote.Answer.allCases.map(\.rawValue))
    static let attendance = Shape.oneOf(OwnPart.Attendance.allCases.map(\.rawValue))
    static let title = Shape.line(max: Limits.meetingTitleCharactersMax)
    static let place = Shape.line(max: Limits.meetingPlaceCharactersMax)
    static let note = Shape.text(max: Limits.meetingNoteCharactersMax)
    static let reason = Shape.text(max: Limits.meetingReasonCharactersMax)
    static let zone = Shape.token(max: 64)

    /// A vote on the wire.
    static let voteShape = Shape.named("Vote", .object([.required("slot", .id), .required("answer", answer)]))

    static let votes = Shape.list(voteShape, max: Limits.meetingSlotsMax)
    static let members = Shape.list(.id, max: Limits.membersMax)

    private static let people = Shape.integer(0...Int64(Limits.membersMax))

    /// A tally on the wire.
    static let tally = Shape.named(
        "Tally",
        .object([
            .required("voted", people), .required("refused", people),
            .required("noReply", people, "voted, refused and noReply together are the invitees."),
            .required(
                "slots",
                .list(
                    .object([
                        .required("slot", .id), .required("yes", people), .required("ifNeedBe", people),
                        .required("no", people),
                    ]), max: Limits.meetingSlotsMax)),
            .optional("going", people, "Once a slot is confirmed."),
            .optional("notGoing", people, "Once a slot is confirmed."),
        ]))

    /// A meeting on the wire.
    static let meeting = Shape.named(
        "Meeting",
        .object([
            .required("id", .id), .required("title", title),
            .required("kind", .oneOf(Meeting.Kind.allCases.map(\.rawValue))), .required("host", .id),
            .required("state", .oneOf(Meeting.State.allCases.map(\.rawValue))),
            .required("zone", zone, "The IANA zone its times are meant to be read in."), .optional("place", place),
            .optional("note", note, "Left out in snapshots."),
            .optional("deadline", .time, "Until when votes are taken."),
            .required("slots", .list(slot, max: Limits.meetingSlotsMax), "In the host's order."),
            .required("suggestions", .list(suggestion, max: Limits.meetingSlotsMax), "The oldest first."),
            .optional("confirmed", .id, "The slot it takes place at."), .required("tally", tally),
        ]))

    /// A member's part on the wire.
    static let own = Shape.named(
        "OwnPart",
        .object([
            .required("reply", .oneOf(OwnPart.Reply.allCases.map(\.rawValue))),
            .required("votes", votes, "Sorted by slot."), .optional("attendance", attendance),
            .required("isInvited", .bool, "Whether the member was named as an invitee."),
        ]))

    /// A meeting with the looking member's part: what most methods answer, and an element of snapshots.
    static let seen = Shape.object([.required("meeting", meeting), .required("own", own)])
}
