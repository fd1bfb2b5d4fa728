import KinKeeper
import KinModel
import KinStore

/// The devices of a member that ring for an entry, by the rules of each device.
struct Hearing {
    /// Devices that are not told of the entry.
    private(set) var deaf: Set<Identifier> = []
    /// Devices that show the entry without a sound.
    private(set) var silent: Set<Identifier> = []
    /// Whether any device has rules of its own.
    let hasRules: Bool

    /// `nil` stands for several entries that are told together, or for one that is no longer there.
    init(
        of entry: InboxEntry?, isOfficial: Bool? = nil, _ owner: Roster.Entry, _ act: Act
    ) throws(Rejection) {
        let isOfficial = isOfficial ?? entry?.isOfficial ?? false
        guard !isOfficial else {
            hasRules = false
            return
        }
        deaf = Set(
            try act.rows("SELECT id FROM notice_devices WHERE member = ? AND only IS NOT NULL", .id(owner.id)) { row in
                row.identifier(0)
            })
        let loudness = try act.hooks.inbox?.loudnessOnDevices(act, entry, owner.id) ?? [:]
        hasRules = !loudness.isEmpty
        for (device, how) in loudness {
            switch how {
            case .sound: break
            case .silent: silent.insert(device)
            case .still: deaf.insert(device)
            }
        }
    }

    /// Adds the devices that would be told of none of some entries.
    mutating func reachNone(of entries: [Hearing]) {
        guard let first = entries.first else { return }
        deaf.formUnion(entries.dropFirst().reduce(first.deaf) { $0.intersection($1.deaf) })
    }

    /// The notice in the form for a device; `nil`: the device is told nothing.
    func notice(_ notice: Notice, for device: Identifier) -> Notice? {
        deaf.contains(device) ? nil : silent.contains(device) ? notice.silenced : notice
    }
}

extension Set<Identifier> {
    /// The identifiers in a fixed order; `nil` if there are none.
    var listed: [Identifier]? { isEmpty ? nil : sorted() }
}
