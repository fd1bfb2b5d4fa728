public import KinModel
public import KinStore

extension Registry {
    /// What a member sees, and the log position it is true at, from one read transaction of a reader; `nil` when the
    /// member is gone.
    public func snapshot(
        for member: Identifier, view: View, in database: Database
    ) throws(StoreFailure) -> (snapshot: Snapshot, position: Int64)? {
        try database.begin()
        defer { database.rollback() }
        guard let entry = try People.roster(database)[member] else { return nil }
        let viewer = Viewer(
            id: entry.id, number: entry.number, role: entry.role, household: entry.household, view: view)
        var snapshot = Snapshot()
        for area in areas {
            let isAsked = area.view.map(view.contains) ?? true
            if isAsked || !area.everySnapshot.isEmpty { try area.show(database, viewer, &snapshot) }
            if !isAsked { snapshot.leaveOut(area.snapshot.map(\.name)) }
        }
        return (snapshot, try Log.position(database))
    }
}
