/// Events of profiles, with their data.
extension ProfileEntry {
    package static let added = EventType(
        "profile.added", "A member says something new of themselves; who sees it.", Whole.self)
    package static let changed = EventType("profile.changed", "An entry is another; who sees it.", Whole.self)
    package static let shown = EventType(
        "profile.shown", "The whole entry, to each who sees it from now on.", Whole.self, sight: .gives)
    package static let hidden = EventType(
        "profile.hidden", "To each who sees the entry no longer.", Named.self, sight: .takes)
    package static let removed = EventType(
        "profile.removed", "An entry is gone; who saw it.", Named.self, sight: .ends)

    /// The whole entry.
    package struct Whole: WireRecord {
        package let entry: ProfileEntry

        package init(entry: ProfileEntry) { self.entry = entry }

        package static let fields = Fields(nil, Whole.init(entry:), .required("entry", \.entry, ProfileEntry.form))
    }

    /// The entry, by its identifier.
    package struct Named: WireRecord {
        package let entry: Identifier

        package init(entry: Identifier) { self.entry = entry }

        package static let fields = Fields(nil, Named.init(entry:), .required("entry", \.entry, .id))
    }
}
