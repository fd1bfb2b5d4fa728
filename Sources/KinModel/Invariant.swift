/// Conditions that always hold, in every build, whatever anybody asks. When one does not hold, a program is wrong, and
/// what it would do next cannot be trusted. So the program ends with the sentence below before anything is stored or
/// sent, and starts again from what is on disk.
public enum Invariant: String, CaseIterable, Sendable {
    // Data.
    case oneTransaction = "Transactions do not nest, and a commit ends one."
    case logIsWrittenInATurn = "The log is written inside a turn's transaction."
    case positionsRise = "Each event of the log stands behind all before it."
    case eventsAreDeclared = "An event is of a type that an area declared."
    case membersHaveOneNumber = "No two members have one number, or one identifier."
    case memoriesAreDeclared = "What an area keeps in memory, it has declared."
    // Between the keeper and the loop.
    case refusedTurnsTellNothing = "A turn that was not kept brings no event and ends no connection."
    case eventsStandInTheirCommit = "The events of a commit stand within it."
    case answersHaveARequest = "Each answer belongs to a request that has none yet."
    // Sight.
    case audiencesOnlyNarrow = "Who may see an event that was told becomes fewer, never more."
    case onlyWhoSeesItIsTold = "An event goes to nobody but its audience."
    case cursorsGoForward = "What a client was sent is not sent again: its place goes forward."
    case whoIsGoneHearsNothing = "Whose session or membership ended follows nothing."
}

/// Ends the program where an invariant does not hold. Cheap where it does: nothing but the condition.
@inlinable
public func hold(_ invariant: Invariant, _ condition: @autoclosure () -> Bool) {
    if !condition() { broken(invariant) }
}

/// Ends the program. Not by a precondition: an optimised build would not say which sentence was broken.
@inline(never)
public func broken(_ invariant: Invariant) -> Never {
    fatalError("\(invariant): \(invariant.rawValue)")
}
