import Glibc
import Synchronization
import Testing

/// Families that are there already. The first start of a daemon and the hash of each password take half a second of
/// processor: tests that are about something later share one founding, each on a copy of its own.
extension House {
    /// A data directory for each list of who joined: a tar file that is open and has no name any more, so that nothing is
    /// left when the tests end.
    private static let families = Mutex<[[String]: CInt]>([:])

    /// A house with a new daemon, where `ada` has founded the family and others have joined in this order. The first words
    /// and the set-up link are not there.
    convenience init(_ stage: Stage, family others: [String], environment: [String] = []) throws {
        let archive: CInt = try Self.families.withLock { families in
            if let known = families[others] { return known }
            let made = try Self.archive(of: others)
            families[others] = made
            return made
        }
        try stage.run("tar", "-xpf", "/proc/\(getpid())/fd/\(archive)", "-C", stage.folder)
        try self.init(stage, isNew: false, environment: environment)
    }

    /// The same, founded just now: where a member was before joining is shown once that member shows it, as of a recording;
    /// what was between the two is not. So positions of some minutes ago need members of today.
    convenience init(_ stage: Stage, foundedNowWith others: [String]) throws {
        try self.init(stage)
        try found()
        for name in others { try join(name) }
    }

    /// Founds one and ends its daemon well; the descriptor of its data directory's tar file.
    private static func archive(of others: [String]) throws -> CInt {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        for name in others { try house.join(name) }
        house.daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        try hashCheaply(house)
        let path = stage.folder + "/family.tar"
        try stage.run("tar", "-cf", path, "-C", stage.folder, "data")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0, "\(path) can be read")
        return descriptor
    }

    /// Puts the members' password under a hash of the least cost: as a hash says itself what it costs, it is checked by the
    /// same code in no time. Without Python it stays as the daemon made it.
    private static func hashCheaply(_ house: House) throws {
        guard access(PythonClient.debian, X_OK) == 0 else { return }
        try house.stage.run(
            PythonClient.debian, "-c",
            """
            import base64, hashlib, sqlite3
            text = lambda octets: base64.b64encode(octets).decode().rstrip("=")
            salt = b"this is the salt"
            cheap = hashlib.scrypt(b"\(password)", salt=salt, n=2, r=8, p=1, dklen=32)
            family = sqlite3.connect("\(house.data)/kinwire.db")
            family.execute("UPDATE members SET password = ?", ["$scrypt$ln=1,r=8,p=1$" + text(salt) + "$" + text(cheap)])
            family.commit()
            """)
    }
}
