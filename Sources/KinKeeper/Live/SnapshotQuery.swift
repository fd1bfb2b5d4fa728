public import KinModel
public import KinStore

/// The facts of a snapshot that was made.
public struct SnapshotSummary: Sendable, Hashable {
    /// The log position at which it is true.
    public let position: Int64
    /// The names of areas whose part had outgrown its bound and was left out.
    public let outgrown: [String]
}

extension Registry {
    /// The snapshot of a member, and the log position at which it is true, from one read transaction of a reader; `nil`
    /// when the member is gone. All of it is in memory: for checks.
    public func snapshot(
        for member: Identifier, view: View, in database: Database
    ) throws(StoreFailure) -> (snapshot: Snapshot, position: Int64)? {
        try database.begin()
        defer { database.rollback() }
        guard let viewer = try viewer(member, view, database) else { return nil }
        var snapshot = Snapshot()
        for area in areas {
            let isAsked = area.isAsked(in: view)
            if isAsked || !area.everySnapshot.isEmpty { try area.show(database, viewer, &snapshot) }
            if !isAsked { snapshot.leaveOut(area.snapshot.map(\.name)) }
        }
        // Things that no area puts into snapshots are only listed by methods.
        let declared = Set(areas.flatMap { $0.everySnapshot + $0.snapshot }.map(\.name))
        snapshot.leaveOut(Snapshot.namesOfViews.filter { !declared.contains($0) })
        return (snapshot, try Log.position(database))
    }

    /// A member's snapshot of the one area that knows things of a kind, in the middle of a turn; empty where none does.
    package func seen(
        by member: Roster.Entry, of kind: String, in database: Database
    ) throws(StoreFailure) -> Snapshot {
        let viewer = Viewer(
            id: member.id, number: member.number, role: member.role, household: member.household,
            view: .all(for: member.id))
        var snapshot = Snapshot()
        for area in areas where area.sees[kind] != nil { try area.show(database, viewer, &snapshot) }
        return snapshot
    }

    /// Makes the same snapshot as JSON, area by area, in one read transaction. Each area's piece is handed on before
    /// the next area is asked, so that one is in memory. The pieces in order are the snapshot's object.
    ///
    /// - Returns: `nil` when the member is gone; nothing was handed on then.
    public func writeSnapshot(
        for member: Identifier, view: View, in database: Database, to take: ([UInt8]) -> Void
    ) throws(StoreFailure) -> SnapshotSummary? {
        try database.begin()
        defer { database.rollback() }
        guard let viewer = try viewer(member, view, database) else { return nil }
        var more: Set<String> = []
        var outgrown: [String] = []
        var object: [UInt8] = [UInt8(ascii: "{")]
        var isFirst = true
        for area in inOrder where area.isAsked(in: view) || !area.everySnapshot.isEmpty {
            let part = try part(of: area, for: viewer, in: database)
            more.formUnion(part.more)
            if part.isOutgrown { outgrown.append(area.name) }
            for (name, json) in part.members {
                Self.write(name, json, isFirst: isFirst, to: &object)
                isFirst = false
            }
            take(object)
            object = []
        }
        if !more.isEmpty {
            let names = JSON.array(more.sorted().map { .string($0) }).bytes
            Self.write("more", names, isFirst: isFirst, to: &object)
        }
        object.append(UInt8(ascii: "}"))
        take(object)
        return SnapshotSummary(position: try Log.position(database), outgrown: outgrown)
    }

    /// One area's members of the object. A part that outgrew its bound is left out, and named in `more`.
    private func part(
        of area: Area, for viewer: Viewer, in database: Database
    ) throws(StoreFailure) -> (members: [(String, [UInt8])], more: Set<String>, isOutgrown: Bool) {
        var snapshot = Snapshot()
        try area.show(database, viewer, &snapshot)
        var members = area.everySnapshot.map { ($0.name, snapshot.part($0.name).bytes) }
        guard area.isAsked(in: viewer.view) else { return (members, [], false) }
        let always = members.count
        var left = area.snapshotBytesMax
        for field in area.snapshot {
            let json = snapshot.part(field.name).bytes
            left -= json.count
            guard left >= 0 else { return (Array(members[..<always]), Set(area.snapshot.map(\.name)), true) }
            members.append((field.name, json))
        }
        return (members, snapshot.more, false)
    }

    private static func write(_ name: String, _ json: [UInt8], isFirst: Bool, to object: inout [UInt8]) {
        if !isFirst { object.append(UInt8(ascii: ",")) }
        object.append(UInt8(ascii: "\""))
        object += name.utf8
        object += [UInt8(ascii: "\""), UInt8(ascii: ":")]
        object += json
    }

    /// The areas in the order of a snapshot; areas that the snapshot does not know come last.
    private var inOrder: [Area] {
        let names = Snapshot().names
        func place(_ area: Area) -> Int {
            (area.everySnapshot + area.snapshot).lazy.compactMap { names.firstIndex(of: $0.name) }.first ?? names.count
        }
        return areas.enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }

    private func viewer(
        _ member: Identifier, _ view: View, _ database: Database
    ) throws(StoreFailure) -> Viewer? {
        guard let entry = try People.roster(database)[member] else { return nil }
        return Viewer(id: entry.id, number: entry.number, role: entry.role, household: entry.household, view: view)
    }
}

extension Area {
    /// Whether a view asks for the area.
    fileprivate func isAsked(in view: View) -> Bool { self.view.map(view.contains) ?? true }
}
