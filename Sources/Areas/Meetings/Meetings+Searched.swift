import KinKeeper
import KinModel
import KinStore

extension Meetings {
    /// Meetings are found by whoever sees them, by their title, place and note.
    static let searched = Searched(
        "meeting", table: "meetings",
        row: """
            SELECT id, starts_at, host, NULL, title,
            trim(coalesce(place, '') || char(10) || coalesce(note, ''), char(10)) FROM meetings WHERE number = ?1
            """,
        seen: { (act, numbers) throws(Rejection) in
            let member = try act.member
            let found = try act.ask { (database) throws(StoreFailure) in try StoredMeeting.load(numbers, database) }
            return Set(
                found.filter { $0.isSeen(by: member.id, member.number, member.role) }.map(\.number))
        })
}
