/// The entries of calendars. They are in no snapshot, because there may be too many: a client lists them (`entry.all`),
/// and keeps the list up to date by the events after its cursor. A client that shows a month asks for it
/// (`entry.list`), and asks again when an entry changes.
public struct CalendarsPart: SnapshotPart {
    /// By identifier.
    public var entries: [Identifier: Entry] = [:]

    /// Its name in what is kept of a list.
    public static let names = ["entries"]

    /// No entry.
    public init() {}

    /// Reads a list.
    public init(_ json: JSON) {
        for entry in (json["entries"]?.array ?? []).compactMap(Entry.init) { entries[entry.id] = entry }
    }

    /// The entries.
    public func json(_ name: String) -> JSON { .sorted(entries, \.json) }

    /// Empties it.
    public mutating func clear(_ name: String) { entries = [:] }

    /// Applies what an event says of an entry.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Entry.added] ?? event[Entry.shown] {
            entries[data.entry.id] = data.entry
        } else if let data = event[Entry.updated] {
            entries[data.entry.id] = data.entry
        } else if let data = event[Entry.hidden] {
            entries[data.entry] = nil
        } else if let data = event[Entry.removed] {
            entries[data.entry] = nil
        } else if let data = event[Entry.answered] {
            entries[data.entry]?.take(data.answer, of: data.member, to: data.occurrence, note: data.note)
        } else if let data = event[Entry.starred] {
            entries[data.entry]?.stars = data.stars
        }
    }
}

extension Snapshot {
    /// Entries as they were listed, by identifier.
    public var entries: [Identifier: Entry] {
        get { self[CalendarsPart.self].entries }
        _modify { yield &self[CalendarsPart.self].entries }
    }
}
