/// A sort of line in the daemon's own log. Each line begins with its word. Lines name members by username and never
/// hold text that members wrote.
public enum Notable: String, Sendable, CaseIterable {
    case started
    case founded
    case familyClosed = "family-closed"
    case signInRefused = "sign-in-refused"
    case signInSlowed = "sign-in-slowed"
    case sessionRevoked = "session-revoked"
    case secretExposed = "secret-exposed"
    case limit
    case backup
    case restored
    case address
    case certificate
    case certificateUnfit = "certificate-unfit"
    case clock
    case disk
    case diskWell = "disk-well"
    case phone
    case connection
    case missing
    case work
    case stopping
    case failed

    /// The level of a line.
    public enum Level: String, Sendable {
        /// Somebody must act.
        case error
        /// Somebody may have to act.
        case warning
        /// For information.
        case info
    }

    /// The level of its lines.
    public var level: Level {
        switch self {
        case .disk, .failed: .error
        case .address, .certificateUnfit, .signInSlowed, .secretExposed, .limit, .clock, .missing, .work: .warning
        case .started, .founded, .familyClosed, .diskWell, .signInRefused, .sessionRevoked, .backup, .restored,
            .certificate,
            .phone, .connection, .stopping:
            .info
        }
    }

    /// The occasion on which it is written, for the documentation.
    public var meaning: String {
        switch self {
        case .started: "The daemon serves: its version, its data directory."
        case .founded: "The family was founded, and by whom."
        case .familyClosed: "An admin closed the family; everything was deleted."
        case .signInRefused:
            "A wrong password, or a name that is nobody's; the name is written only if it is a member's."
        case .signInSlowed: "Failed sign-ins make an account or address wait."
        case .sessionRevoked: "A member ended a session, or a new password ended them all."
        case .secretExposed:
            "A token, app password or password came in plain text over the network and is good no more."
        case .limit: "A limit was reached, by its name; again after a minute with how often."
        case .backup: "A backup was written, with its size."
        case .restored: "A backup was put back."
        case .address: "A name that links would carry leads nowhere, or to another machine."
        case .certificate: "A certificate was made or taken anew; new connections get it."
        case .certificateUnfit: "A new certificate cannot be used; the old one stays."
        case .clock: "The clock is doubted, why, and what to do; it is trusted again."
        case .disk: "The disk is full or failed, and what that means."
        case .diskWell: "The disk takes again what is written, after it was full or failed."
        case .phone: "A phone app sent something that cannot be used; it is told that all is well."
        case .connection: "A TLS handshake failed, or no descriptor is free."
        case .missing: "A program that the daemon needs is missing: where it belongs, and what cannot be done."
        case .work: "Work that fell due was refused, or the log could not be read for somebody."
        case .stopping: "The daemon was told to end, and takes leave of everybody."
        case .failed: "The daemon ends because it cannot go on."
        }
    }
}

/// One line for the daemon's own log.
public struct Note: Sendable, Hashable {
    /// The sort of line.
    public let notable: Notable
    /// The sentence.
    public let sentence: String

    /// A line.
    public init(_ notable: Notable, _ sentence: String) {
        self.notable = notable
        self.sentence = sentence
    }
}
