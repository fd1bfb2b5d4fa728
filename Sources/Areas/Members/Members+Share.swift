import KinKeeper
import KinModel
import KinStore

extension Members {
    /// Runs a change that may make everybody's snapshot larger; refused when the area's share of it is used up. A
    /// change that makes nothing larger is always accepted.
    @discardableResult
    static func growing<T>(_ act: Act, _ body: () throws(Rejection) -> T) throws(Rejection) -> T {
        let before = try snapshotBytes(act)
        let made = try body()
        let after = try snapshotBytes(act)
        // A role may always change: it makes the snapshot two bytes longer at most.
        guard after <= Limits.membersSnapshotBytesMax - 2 * Limits.membersMax || after <= before else {
            throw Rejection(
                .tooLarge,
                "The family's names, households and relations together are too much to show at once; "
                    + "remove somebody, or choose shorter names.")
        }
        return made
    }

    /// Bytes of the area's part of the largest snapshot: that of a member who sees all.
    private static func snapshotBytes(_ act: Act) throws(Rejection) -> Int {
        try act.ask { (database) throws(StoreFailure) in
            var snapshot = Snapshot()
            snapshot.family = try People.family(database)
            for household in try People.households(database, in: .all) { snapshot.households[household.id] = household }
            for member in try People.members(database, in: .all) { snapshot.members[member.id] = member }
            return snapshot.json.bytes.count
        }
    }
}
