import KinKeeper
import KinModel

extension Meetings {
    /// The `about` of the log's rows about a meeting.
    static func about(_ meeting: Identifier) -> String { "meeting/\(meeting)" }

    static let events: [any EventDeclaration] = [
        Meeting.proposed, Meeting.shown, Meeting.hidden, Meeting.deleted, Meeting.updated, Meeting.voted,
        Meeting.refused, Meeting.suggested, Meeting.attended, Meeting.confirmed, Meeting.cancelled, Meeting.closed,
        Meeting.ended, Meeting.nudged, Meeting.deadlineNear, Meeting.handedOver, Meeting.cleared,
    ]
}
