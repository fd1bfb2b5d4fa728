/// The alarms that one member raised or is called by, as long as they go on.
public struct AlarmsPart: SnapshotPart {
    /// By identifier.
    public var alarms: [Identifier: Alarm] = [:]

    /// Its name in the snapshot.
    public static let names = ["alarms"]

    /// None.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) {
        for alarm in (json["alarms"]?.array ?? []).compactMap(Alarm.init) { alarms[alarm.id] = alarm }
    }

    /// The alarms.
    public func json(_ name: String) -> JSON { .sorted(alarms, \.json) }

    /// Forgets them.
    public mutating func clear(_ name: String) { alarms = [:] }

    /// Applies what an event says of one.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Alarm.raised] ?? event[Alarm.updated] {
            alarms[data.alarm.id] = data.alarm
        } else if let data = event[Alarm.answered] {
            guard let called = alarms[data.alarm]?.called else { return }
            alarms[data.alarm]?.called =
                called.filter { $0.member < data.call.member } + [data.call]
                + called.filter { data.call.member < $0.member }
        } else if let data = event[Alarm.reached] {
            guard let index = alarms[data.alarm]?.called.firstIndex(where: { $0.member == data.member }) else { return }
            alarms[data.alarm]?.called[index].reached = data.at
        } else if let data = event[Alarm.moved] {
            alarms[data.alarm]?.position = data.position
        } else if let data = event[Alarm.ended] {
            alarms[data.alarm] = nil
        }
    }
}

extension Snapshot {
    /// Alarms that go on, by identifier.
    public var alarms: [Identifier: Alarm] {
        get { self[AlarmsPart.self].alarms }
        _modify { yield &self[AlarmsPart.self].alarms }
    }
}
