/// A rule about who becomes visible to whom. The daemon keeps all of them, always.
///
/// Each has a name so that a simulation can leave one out and see that its checkers notice: where a rule decides, the
/// area asks ``Act/keeps(_:)`` in the same line.
package enum Rule: String, Sendable, CaseIterable {
    /// Nobody makes an adult a child but that adult.
    case adultsStayAdults
    /// Whoever holds a child's sharing is a parent or brought the child in.
    case holdersAreParents
    /// What is held already is handed over by its holder alone.
    case holdersHandOver
    /// Whoever moves in is admitted by somebody else.
    case moversAreAdmitted
    /// A rule for a group shows nothing to those who came to the group after it was made or confirmed.
    case newcomersAreAskedAbout
    /// Whoever leaves a group and comes back is a newcomer.
    case returnersAreNewcomers
    /// Whoever leaves a group sees no more by a wider rule than before.
    case leaversSeeNoMore
    /// A session that somebody else opened sees nobody for a time.
    case waitingSessionsSeeNothing
    /// Such a session makes nobody visible either.
    case waitingSessionsWidenNothing
    /// A place counts as it stood when the person who is there agreed.
    case placesCountAsAgreed
    /// What somebody may no longer know leaves the log and the inboxes.
    case hiddenRowsLeave
    /// Marks, moments and modes are judged by one's own rows.
    case marksAreOnesOwn
    /// What the machine does in somebody's name is written down as the machine's.
    case theMachineIsNamed
}

extension Act {
    /// Whether a rule is kept: always, but in a simulation that leaves it out.
    package func keeps(_ rule: Rule) -> Bool { !keeper.rulesLeftOut.contains(rule) }
}
