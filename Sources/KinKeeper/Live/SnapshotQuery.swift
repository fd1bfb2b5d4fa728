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

    /// A snapshot as JSON, made part by part. An area's part that outgrew its bound is left out, and named in `more`.
    public func encoded(_ snapshot: Snapshot) -> [UInt8] {
        var snapshot = snapshot
        var made: [String: [UInt8]] = [:]
        for area in areas {
            let names = area.snapshot.map(\.name).filter { !snapshot.absent.contains($0) }
            var bytes = 0
            for name in names {
                let part = snapshot.part(name).bytes
                bytes += part.count
                made[name] = part
            }
            guard bytes > area.snapshotBytesMax else { continue }
            snapshot.leaveOut(names)
            snapshot.more.formUnion(names)
        }
        var out: [UInt8] = []
        for name in snapshot.names {
            out += Array((out.isEmpty ? "{\"" : ",\"").utf8) + name.utf8 + Array("\":".utf8)
            out += made[name] ?? snapshot.part(name).bytes
        }
        out.append(UInt8(ascii: "}"))
        return out
    }
}
