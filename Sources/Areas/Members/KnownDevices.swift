import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// Devices that signed in before. Each sign-in gives the device a secret of 256 bits; the next one shows it and gets
/// another in its place. Other people's tries do not slow such a device down: it answers for its own tries, and in the
/// line of passwords it takes the member's turn. An address would not do: a child's tablet at home has the parents'
/// address.
///
/// The secret grants nothing. To an account that it was not made for it says nothing, either; not even whether the
/// account exists.
enum KnownDevices {
    /// Gives the device of a session its secret, in place of the one it showed.
    static func make(
        for member: Identifier, _ session: Identifier, replacing shown: String?, _ act: Act
    ) throws(Rejection) -> String {
        if let shown { try act.run("DELETE FROM known_devices WHERE hash = ?", Secret.digest(shown)) }
        let secret = act.newSecret()
        try act.run(
            "INSERT INTO known_devices (hash, member, session, at) VALUES (?, ?, ?, ?)", Secret.digest(secret),
            .id(member), .id(session), .time(act.now))
        try act.run(
            """
            DELETE FROM known_devices WHERE hash IN (
                SELECT hash FROM known_devices WHERE member = ? ORDER BY at DESC, hash LIMIT -1 OFFSET ?)
            """, .id(member), Value(Limits.knownDevicesPerMemberMax))
        return secret
    }

    /// The party that tries the password of an account: its own device, or a stranger.
    static func guesser(
        of username: String, showing secret: String?, _ act: Act
    ) throws(Rejection) -> SignInSlowdown.Guesser {
        let stranger = SignInSlowdown.Guesser.stranger(address: act.origin.addressKey)
        guard let secret, secret.utf8.count <= 200 else { return stranger }
        let member = try act.first(
            "SELECT m.id FROM known_devices d JOIN members m ON m.id = d.member WHERE d.hash = ? AND m.username = ?",
            Secret.digest(secret), .text(username)
        ) { row in row.identifier(0) }
        guard let member else { return stranger }
        act.party = .member(member)
        return .own(secret)
    }

    /// Forgets the device of a session, which was signed out from elsewhere.
    static func forget(session: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM known_devices WHERE session = ?", .id(session))
    }

    /// No device of the member is known any more, except that of one session.
    static func forgetAll(of member: Identifier, except kept: Identifier?, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM known_devices WHERE member = ? AND session IS NOT ?", .id(member), Value(kept))
    }
}
