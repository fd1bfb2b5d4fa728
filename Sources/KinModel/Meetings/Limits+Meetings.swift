/// Limits of what is seen of a meeting, each with its unit.
extension Limits {
    /// Slots of one meeting, suggested ones included.
    package static let meetingSlotsMax = 50
    /// Characters of a meeting's title.
    package static let meetingTitleCharactersMax = 120
    /// Characters of a meeting's place.
    package static let meetingPlaceCharactersMax = 200
    /// Characters of a meeting's note.
    package static let meetingNoteCharactersMax = 2000
    /// Characters of a reason to refuse or cancel.
    package static let meetingReasonCharactersMax = 400
}
