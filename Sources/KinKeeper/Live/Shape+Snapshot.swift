extension Shape {
    /// Everything a member sees at one cursor, of these areas.
    package static func snapshot(of areas: [Area]) -> Shape {
        let overflowing = areas.flatMap(\.overflowing).sorted()
        let more = Field.optional(
            "more", .list(.oneOf(overflowing), max: max(overflowing.count, 1)),
            "Parts that are not all there is in sight: meeting.list, place.list and position.latest list the rest.")
        return .named("Snapshot", .object(areas.flatMap { fields(of: $0) } + [more]))
    }

    /// What a view chooses may be absent.
    private static func fields(of area: Area) -> [Field] {
        guard area.view != nil else { return area.everySnapshot + area.snapshot }
        return area.everySnapshot
            + area.snapshot.map { field in .optional(field.name, field.shape, field.summary) }
    }
}
