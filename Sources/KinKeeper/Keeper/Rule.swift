/// A rule about who becomes visible to whom. The daemon keeps all of them, always.
///
/// Each rule has a name, so that a simulation can leave it out and see that its checkers notice. Where a rule decides,
/// the area asks ``Act/keeps(_:)`` in the same line.
package enum Rule: String, Sendable, CaseIterable {
    /// Only the adult concerned can make themself a child.
    case adultsStayAdults
    /// A member who holds a child's sharing is a parent or brought the child in.
    case holdersAreParents
    /// Only its holder hands over what is held already.
    case holdersHandOver
    /// Somebody else admits a member who moves into a household.
    case moversAreAdmitted
    /// A rule for a group shows nothing to members who came to the group after the rule was made or confirmed.
    case newcomersAreAskedAbout
    /// A member who leaves a group and comes back is a newcomer.
    case returnersAreNewcomers
    /// A member who leaves a group does not come to see more through a wider rule.
    case leaversSeeNoMore
    /// A session that somebody else opened sees nobody for a time.
    case waitingSessionsSeeNothing
    /// Such a session makes nobody visible, either.
    case waitingSessionsWidenNothing
    /// A place counts as it was when the person who is there agreed to it.
    case placesCountAsAgreed
    /// What a member may no longer know leaves the log and the inboxes.
    case hiddenRowsLeave
    /// Named cursors, moments and modes are judged by the caller's own rows.
    case marksAreOnesOwn
    /// What the machine does in a member's name is recorded as the machine's act.
    case theMachineIsNamed
}

extension Act {
    /// Whether a rule is kept: always, but in a simulation that leaves it out.
    package func keeps(_ rule: Rule) -> Bool { !keeper.rulesLeftOut.contains(rule) }
}
