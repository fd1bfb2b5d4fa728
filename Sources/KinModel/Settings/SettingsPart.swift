/// The looking member's own settings.
public struct SettingsPart: SnapshotPart {
    /// What is set.
    public var settings = Settings()

    /// Its name in the snapshot.
    public static let names = ["settings"]

    /// Nothing set.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) { settings = json["settings"].flatMap(Settings.init) ?? Settings() }

    /// The settings.
    public func json(_ name: String) -> JSON { settings.json }

    /// Forgets them.
    public mutating func clear(_ name: String) { settings = Settings() }

    /// Applies what an event says of them.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Settings.changed] { settings = data.settings }
    }
}

extension Snapshot {
    /// The looking member's own settings.
    public var settings: Settings {
        get { self[SettingsPart.self].settings }
        _modify { yield &self[SettingsPart.self].settings }
    }
}
