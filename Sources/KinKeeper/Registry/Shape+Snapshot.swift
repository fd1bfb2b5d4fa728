package import KinModel

extension Shape {
    /// Everything a member sees at one cursor, of these areas.
    package static func snapshot(of areas: [Area]) -> Shape {
        let parts = areas.flatMap(\.snapshot).map(\.name).sorted()
        let more = Field.optional(
            "more", .list(.oneOf(parts), max: max(parts.count, 1)),
            "Parts that are not all there is in sight, or absent for want of room: their lists have all.")
        return .named("Snapshot", .object(areas.flatMap { fields(of: $0) } + [more]))
    }

    /// What a view chooses may be absent.
    private static func fields(of area: Area) -> [Field] {
        guard area.view != nil else { return area.everySnapshot + area.snapshot }
        return area.everySnapshot
            + area.snapshot.map { field in .optional(field.name, field.shape, field.summary) }
    }
}
