/// The areas of the family's life, a line each: an area is known by its part of a snapshot. They stand in the order in
/// which the parts are written. Every list of what areas bring has a line for each of these; one that is missing there
/// is an error of the compiler, which names the area.
package typealias Areas = AreaList<
    MembersPart,
    MapPart,
    MeetingsPart,
    ActivityPart,
    ContactsPart,
    ProfilesPart,
    SettingsPart,
    NoticesPart,
    ListsPart,
    PostsPart,
    AlarmsPart,
    ChatPart,
    CalendarsPart,
    PicturesPart,
    MealsPart
>

/// A list of areas, as a type. It has no values: it is there so that others can extend it on the condition that each of
/// its areas brings something. An area that members see nothing of has a part without names.
package struct AreaList<each Part: SnapshotPart> {
    /// The areas' parts of a snapshot, in their order.
    package static var parts: [any SnapshotPart.Type] {
        var parts: [any SnapshotPart.Type] = []
        repeat parts.append((each Part).self)
        return parts
    }
}

/// The lines that areas bring to a list, in the order of ``Areas``.
// It orders what `AreaList` collects. There, beside a type pack, closures over tuples crashed (Swift 6.3.1).
package struct AreaLines<Line> {
    private var lines: [(part: any SnapshotPart.Type, line: Line)] = []

    package init() {}

    /// Adds what the next area brings.
    package mutating func add(_ part: any SnapshotPart.Type, _ line: Line) { lines.append((part, line)) }

    /// All of it: some areas' first, in an order of the list's own, and the others' behind.
    package func all(first: any SnapshotPart.Type...) -> [Line] {
        let begin = first.compactMap { part in lines.first { $0.part == part } }
        return (begin + lines.filter { line in !first.contains { $0 == line.part } }).map(\.line)
    }
}
