/// What a line of an inbox says; clients make the sentence.
enum InboxKind: String, CaseIterable {
    case invited, meetingChanged, voted, allReplied, deadlineNear, closed, confirmed, cancelled, nudged, goingChanged
    case arrived, left
    case memberJoined, memberLeft
    case roleChanged, permissionChanged, sharingChanged
    case newDevice, phoneSilent, positionAsked
    case announcement, digest
    case moveAsked, moveAnswered, grownAsked, grownAnswered
    case sharingAsked, sharingToConfirm, childSharing
    case accountChanged
    case placeAsked
    case quotaNear

    /// Official messages stand apart: never merged, never muted, never held back.
    var isOfficial: Bool {
        switch self {
        case .announcement, .roleChanged, .permissionChanged, .sharingChanged: true
        case .moveAsked, .moveAnswered, .grownAsked, .grownAnswered: true
        case .sharingAsked, .sharingToConfirm, .childSharing: true
        case .accountChanged: true
        default: false
        }
    }

    /// Kinds that tell where somebody is or was, which no session is told that waits.
    static let ofPositions: Set<InboxKind> = [.arrived, .left, .phoneSilent, .positionAsked]

    /// Kinds a member may mute.
    static let mutable = allCases.filter { !$0.isOfficial && $0 != .digest }
}
