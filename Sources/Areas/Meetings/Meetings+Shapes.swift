import KinKeeper
import KinModel

/// The shapes that methods take and answer, except those of meetings, which declare themselves.
extension Meetings {
    static let answer = Form<Vote.Answer>.word.shape
    static let attendance = Form<OwnPart.Attendance>.word.shape
    static let title = Shape.line(max: Limits.meetingTitleCharactersMax)
    static let place = Shape.line(max: Limits.meetingPlaceCharactersMax)
    static let note = Shape.text(max: Limits.meetingNoteCharactersMax)
    static let reason = Shape.text(max: Limits.meetingReasonCharactersMax)
    static let zone = Shape.token(max: 64)
    static let votes = Vote.list.shape
    static let members = Shape.list(.id, max: Limits.membersMax)
}
