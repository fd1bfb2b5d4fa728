public import KinModel

/// The caller of a request, as it was determined inside the turn's transaction.
public enum Caller: Sendable {
    /// Not signed in.
    case nobody
    /// At the machine: root or the daemon's own user over the Unix socket.
    case machine
    /// A member.
    case member(CallingMember)

    /// The caller's bit in the role table.
    public var access: Access {
        switch self {
        case .nobody: .nobody
        case .machine: .machine
        case .member(let member): member.isWall ? .wall : .role(member.role)
        }
    }

    /// The member's identifier.
    public var memberID: Identifier? { if case .member(let member) = self { member.id } else { nil } }
}

/// A member who calls.
public struct CallingMember: Sendable, Hashable {
    /// The member.
    public let id: Identifier
    /// The member's number in audiences.
    public let number: Int32
    /// The member's role, which says what they may do.
    public let role: Role
    /// Adult or child.
    public let kind: MemberKind
    /// The member's household.
    public let household: Identifier
    /// The session; `nil` over the Unix socket and for app passwords.
    public let session: Identifier?
    /// The app password's scope; `nil` for a session, which may do everything.
    public let scope: Scope?
    /// The app password's identifier and device, where one was used.
    public let appPassword: (Identifier, device: String)?
    /// Until when the session waits, because somebody else opened it; `nil` when it does not wait.
    package let waitsUntil: Instant?
    /// Those who opened the session; `nil` when the member did.
    package let openedBy: Makers?
    /// Whether it is a screen on a wall, and nobody.
    package var isWall: Bool { kind == .wall }
    /// Whether the session waits.
    package var isWaiting: Bool { waitsUntil != nil }

    /// A calling member.
    public init(
        id: Identifier, number: Int32, role: Role, kind: MemberKind, household: Identifier, session: Identifier?,
        scope: Scope? = nil, appPassword: (Identifier, device: String)? = nil
    ) {
        self.init(
            id: id, number: number, role: role, kind: kind, household: household, session: session, scope: scope,
            appPassword: appPassword, waitsUntil: nil, openedBy: nil)
    }

    package init(
        id: Identifier, number: Int32, role: Role, kind: MemberKind, household: Identifier, session: Identifier?,
        scope: Scope?, appPassword: (Identifier, device: String)?, waitsUntil: Instant?, openedBy: Makers?
    ) {
        self.id = id
        self.number = number
        self.role = role
        self.kind = kind
        self.household = household
        self.session = session
        self.scope = scope
        self.appPassword = appPassword
        self.waitsUntil = waitsUntil
        self.openedBy = openedBy
    }

    /// Equality: the same member, with the same session or app password.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.session == right.session && left.appPassword?.0 == right.appPassword?.0
    }
    /// By member and session.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(session)
    }

    /// The identity that the loop needs.
    public var identity: Identity { Identity(member: id, number: number, session: session) }
}

extension CallingMember {
    /// Whether the machine acts in the member's name, over the Unix socket.
    package var isAtMachine: Bool { session == nil && appPassword == nil }

    /// The refusal of what a waiting session may not have yet.
    package var waits: Rejection {
        Rejection(
            .forbidden,
            "This session waits until \(waitsUntil ?? .latest): somebody else made the link or the password that opened it, so "
                + "it sees nobody's positions and shows nobody more. Confirm it on a device where you were signed in before "
                + "(kin session trust), or ask another adult of your household to.")
    }
}

/// The scope of an app password. The password permits nothing else.
public enum Scope: String, Sendable, CaseIterable {
    /// Reporting positions and receiving those of members who share.
    case location
    /// Reporting positions, and receiving nobody's.
    case report
    /// Reading and writing the contacts as the member may (CardDAV).
    case calendar
    /// Adding a device that rings, which then receives notifications.
    case notifications
    /// Reading `/metrics`.
    case metrics
}

extension Shape {
    /// The shape of a scope.
    package static let scope = Shape.oneOf(Scope.allCases.map(\.rawValue))
}
