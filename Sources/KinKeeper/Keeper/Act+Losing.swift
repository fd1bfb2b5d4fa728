package import KinModel

extension Act {
    /// Called by a method before it makes another of a member: a guest, or one of another household. What the member would
    /// see no longer is taken first, some in each turn. In between the member sees less than they may, and nobody sees
    /// more. In the turn that makes the change less is left than one takes, besides the few things of which something is
    /// lost for good (`lostForGood` of ``SharedThings``): those go with the change alone.
    ///
    /// Where the change is not made after all, because it is refused by then or the daemon ends, the member gets back what
    /// was taken: that falls due by itself.
    ///
    /// - Returns: what the method has to answer, where another turn comes first.
    package func losingFirst(
        _ member: Identifier, role: Role, household: Identifier
    ) throws(Rejection) -> Outcome? {
        guard let now = try roster[member] else { return nil }
        let then = Roster.Entry(
            id: now.id, number: now.number, role: role, household: household, isWall: now.isWall)
        var found: [(things: SharedThings, lost: [Int64])] = []
        var room = Limits.sharedLostPerTurn
        for things in areas.flatMap(\.shared) where room > 0 {
            let lost = try things.lost(by: then, atMost: room, isAhead: true, self)
            found.append((things, lost))
            room -= lost.count
        }
        guard room == 0 else {
            try unplan(SharedThings.goOnDue, about: SharedThings.all(of: member))
            return nil
        }
        // As where it is lost by the change itself.
        isTelling = true
        defer { isTelling = false }
        for (things, lost) in found { try things.take(lost, from: now, self) }
        try plan(
            SharedThings.goOnDue, about: SharedThings.all(of: member),
            at: self.now.adding(seconds: Limits.sharedLosingSeconds))
        return Outcome.later(.rest(after: 0))
    }
}
