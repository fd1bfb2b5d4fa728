import KinKeeper
import KinModel

/// Sessions as every request asks them. They are read anew as soon as anything is written to sessions or members.
final class SessionMemory: AreaMemory {
    /// A session, and the member whose it is.
    struct Session {
        let usedAt: Instant
        let member: CallingMember
    }

    var sessions = Remembered<Identifier, Session>(of: ["sessions", "members"], most: 4 * Limits.membersMax)

    init() {}

    func turn(_ turn: Turn) {}

    func forget() { sessions.forget() }
}
