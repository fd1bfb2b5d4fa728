extension Shape {
    /// Everything a member sees at one cursor, of these areas.
    package static func snapshot(of areas: [Area]) -> Shape { .named("Snapshot", .object(areas.flatMap(\.snapshot))) }
}
