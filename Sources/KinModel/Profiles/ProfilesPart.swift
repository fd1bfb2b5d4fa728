/// The entries of members' profiles, as far as one member sees them.
public struct ProfilesPart: SnapshotPart {
    /// Entries in sight, by identifier.
    public var profiles: [Identifier: ProfileEntry] = [:]

    /// Its name in the snapshot.
    public static let names = ["profiles"]

    /// Nothing said.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) {
        for entry in (json["profiles"]?.array ?? []).compactMap(ProfileEntry.init) { profiles[entry.id] = entry }
    }

    /// The entries.
    public func json(_ name: String) -> JSON { .sorted(profiles, \.json) }

    /// Empties it.
    public mutating func clear(_ name: String) { profiles = [:] }

    /// Applies what an event says of an entry.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[ProfileEntry.added] ?? event[ProfileEntry.changed] ?? event[ProfileEntry.shown] {
            profiles[data.entry.id] = data.entry
        } else if let data = event[ProfileEntry.hidden] ?? event[ProfileEntry.removed] {
            profiles[data.entry] = nil
        }
    }
}

extension Snapshot {
    /// Entries of profiles in sight, by identifier.
    public var profiles: [Identifier: ProfileEntry] {
        get { self[ProfilesPart.self].profiles }
        _modify { yield &self[ProfilesPart.self].profiles }
    }
}
