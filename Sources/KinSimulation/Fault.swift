/// Faults planted on purpose, each to be caught by a checker: a simulation that cannot find them proves nothing. Those of
/// one area stand in its folder.
public struct Fault: Sendable, Hashable {
    /// Its name.
    public let rawValue: String

    init(_ name: String) { rawValue = name }

    /// Clients are told "done" although the commit failed.
    public static let replyBeforeCommit = Fault("replyBeforeCommit")
    /// The disk says "synced" and forgets at the next power cut.
    public static let skippedSync = Fault("skippedSync")
    /// The last row of a reading of the log is dropped: what falls between ring and log.
    public static let lostAtBorder = Fault("lostAtBorder")
    /// A row of a reading of the log comes twice.
    public static let doubledReplay = Fault("doubledReplay")
    /// An event goes to everybody.
    public static let skippedAudience = Fault("skippedAudience")
    /// A snapshot claims to be newer than it is.
    public static let staleSnapshot = Fault("staleSnapshot")
    /// A list goes out at once, before the events that came before it.
    public static let listOutOfPlace = Fault("listOutOfPlace")
    /// A list lacks its newest line, and no event says that it is gone.
    public static let shortList = Fault("shortList")
    /// A byte of an upload is another one in its file.
    public static let spoiltUpload = Fault("spoiltUpload")
    /// The keeper forgets an upload, whose file stays.
    public static let forgottenUpload = Fault("forgottenUpload")
    /// The kernel says of every clock that it is set right.
    public static let clockBelieved = Fault("clockBelieved")
}
