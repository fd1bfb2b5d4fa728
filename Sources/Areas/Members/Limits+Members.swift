package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Screens on walls of a family.
    package static let wallsMax: Int64 = 16
    /// Households of a family.
    package static let householdsMax = 400
    /// Open invites into one household at a time.
    package static let invitesPerHouseholdMax = 50
    /// Members one invite can bring.
    package static let inviteUsesMax: Int64 = 100
    /// Days for which an invite is valid, if it names no other time.
    package static let inviteDays: Int64 = 7
    /// Days for which an invite can be valid at most.
    package static let inviteDaysMax: Int64 = 366
    /// Days for which a request to move in, or an admission, waits for an answer.
    package static let moveDays: Int64 = 30
    /// Seconds after a refusal for which nobody can ask again that the same member moves into the same household.
    package static let moveAgainSeconds: Int64 = 86_400
    /// Admissions that wait for those who are to move into one household.
    package static let admissionsPerHouseholdMax = 20
    /// Days after which a child that asked to count as an adult does so if nobody has answered, and after which the
    /// child may ask again if somebody refused.
    package static let grownDays: Int64 = 30
    /// Seconds that a session waits before it sees positions, if somebody else's link or password opened it.
    package static let waitSeconds: Int64 = 72 * 3600
    /// Seconds for which a one-time sign-in link is valid.
    package static let signInLinkSeconds: Int64 = 86_400
    /// Devices of one member that are spared from what others did to the account; the one that signed in longest ago
    /// makes room.
    package static let knownDevicesPerMemberMax = 16
    /// Accounts, addresses and pairs of both, together, whose failed sign-ins are remembered.
    package static let signInFailuresMax = 12_288
    /// Seconds after which the use of a session or app password is noted anew.
    package static let useNotedSeconds: Int64 = 3600
    /// Sessions of one member; the one unused longest makes room.
    package static let sessionsPerMemberMax = 64
    /// App passwords of one member.
    package static let appPasswordsPerMemberMax = 64
    /// Seconds for which an address that sets a device up is valid.
    package static let setUpOfferSeconds: Int64 = 600
    /// Such addresses of one member that are valid at the same time.
    package static let setUpOffersMax: Int64 = 5
    /// Pictures that one member sets in a day.
    package static let picturesPerDayMax: Int64 = 50
    /// Display names that one member changes in a day, whoever's they are.
    package static let displayNamesPerDayMax: Int64 = 20
    /// Bytes of an uploaded picture.
    package static let pictureBytesMax = 16 << 20
    /// Bytes of a picture in a file that are read at a time.
    package static let picturePieceBytes = 1 << 20
    /// Bytes that one picture may take while it is decoded, one at a time; what would need more is refused by its header.
    package static let pictureMemoryBytesMax = 128 << 20
    /// Bytes of the family, its households and members in a snapshot.
    package static let membersSnapshotBytesMax = 88 << 10
}
