/// Faults planted on purpose, each to be caught by a checker: a simulation that cannot find them proves nothing.
public enum Fault: String, Sendable, CaseIterable {
    /// Clients are told "done" although the commit failed.
    case replyBeforeCommit
    /// The disk says "synced" and forgets at the next power cut.
    case skippedSync
    /// The last row of a reading of the log is dropped: what falls between ring and log.
    case lostAtBorder
    /// A row of a reading of the log comes twice.
    case doubledReplay
    /// An event goes to everybody.
    case skippedAudience
    /// Those who lose sight are not told.
    case missingHidden
    /// Who sees a cell is told the position, live, from the log and in every snapshot alike: nothing else is wrong.
    case exactForCoarse
    /// A snapshot claims to be newer than it is.
    case staleSnapshot
    /// A list goes out at once, before the events that came before it.
    case listOutOfPlace
    /// A list lacks its newest line, and no event says that it is gone.
    case shortList
    /// A meeting's counts are not those of its answers.
    case miscount
    /// Votes are gone, and still counted.
    case lostVote
    /// Entries about meetings get into a guest's inbox.
    case inboxOfAnother
    /// What one has read is told as less.
    case staleRead
    /// A deadline is no longer due.
    case deadlineForgotten
    /// A deadline that closed its meeting falls due again.
    case closedAgain
    /// The kernel says of every clock that it is set right.
    case clockBelieved
}
