import KinModel

extension Shape {
    /// Everything a member sees at one cursor.
    public static let snapshot = Shape.named(
        "Snapshot",
        .object([
            .required("family", .nullable(family), "Null before it is founded."),
            .required("me", .nullable(.id), "The member who looks."),
            .required("households", .list(household, max: Limits.householdsMax)),
            .required("members", .list(member, max: Limits.membersMax)),
            .required("positions", .list(Map.seen, max: Limits.membersMax), "The latest of each member in sight."),
            .required("sharing", Map.sharing, "The looking member's own."),
            .required(
                "places", .list(Places.place, max: Places.shownMax), "Those in sight, without their notes."),
            .required(
                "meetings", .list(Meetings.seen, max: Meetings.currentMax),
                "Those in sight that are not over, without their notes."),
            .required("inbox", Activity.inbox, "What the looking member has not read."),
            .optional(
                "more", .list(.oneOf(Snapshot.parts), max: Snapshot.parts.count),
                "Parts that are not all there is in sight: meeting.list, place.list and position.latest list the rest."),
        ]))
}
