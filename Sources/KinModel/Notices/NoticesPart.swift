/// The looking member's own devices that ring.
public struct NoticesPart: SnapshotPart {
    /// In the order in which they were added.
    public var devices: [NoticeDevice] = []

    /// Its name in the snapshot.
    public static let names = ["noticeDevices"]

    /// None.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) { devices = (json["noticeDevices"]?.array ?? []).compactMap(NoticeDevice.init) }

    /// The devices.
    public func json(_ name: String) -> JSON { .array(devices.map(\.json)) }

    /// Forgets them.
    public mutating func clear(_ name: String) { devices = [] }

    /// What an event says of them. What they ring with is not kept.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[NoticeDevice.changed] { devices = data.devices }
    }
}

extension Snapshot {
    /// The looking member's own devices that ring.
    public var noticeDevices: [NoticeDevice] {
        get { self[NoticesPart.self].devices }
        _modify { yield &self[NoticesPart.self].devices }
    }
}
