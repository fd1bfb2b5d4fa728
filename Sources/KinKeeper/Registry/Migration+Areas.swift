import KinStore

extension Migration {
    /// The steps of all areas, in order, each with its additions for other areas.
    static func steps(of areas: [Area]) -> [Migration] {
        let all = areas.flatMap(\.migrations)
        let own = all.filter { !$0.isPart }
        precondition(Set(own.map(\.number)).count == own.count, "two migrations share a number")
        let parts = Dictionary(grouping: all.filter(\.isPart), by: \.number)
        for number in parts.keys {
            precondition(own.contains { $0.number == number }, "there is no migration \(number) to be a part of")
        }
        return own.map { $0.joined(by: parts[$0.number] ?? []) }.sorted { $0.number < $1.number }
    }

    /// Tables of the mechanism to which each area may add: work that falls due.
    private static let open: Set = ["due"]

    /// Checks which tables an area's migrations use. They change its own tables, and read these and the roster's. A
    /// table that no area declares must be one that a later migration drops; the store checks that when the step runs.
    /// The mechanism's own areas may use the store's tables, too; for others the log is told in other words by one step.
    static func check(of area: Area, among areas: [Area], isMechanism: Bool) {
        let foreign = Set(areas.filter { $0.name != area.name }.flatMap(\.tables).map(\.name))
            .union(isMechanism ? [] : storeTables)
        for migration in area.migrations {
            for part in migration.parts where !part.isRetelling {
                for table in part.tables.subtracting(open) where foreign.contains(table) {
                    preconditionFailure(
                        "migration \(migration.number) of \(area.name) changes another's table \(table)")
                }
                for table in part.reading.subtracting(People.rosterTables) where foreign.contains(table) {
                    preconditionFailure("migration \(migration.number) of \(area.name) reads another's table \(table)")
                }
            }
        }
    }
}
