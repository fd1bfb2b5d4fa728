import KinKeeper
import KinModel
import KinStore

/// Which of a member's devices ring with an entry, by the rules of each.
struct Hearing {
    /// Devices that are not told.
    private(set) var deaf: Set<Identifier> = []
    /// Devices that show it without a sound.
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

    /// Nor are devices told that none of some entries would reach.
    mutating func reachNone(of entries: [Hearing]) {
        guard let first = entries.first else { return }
        deaf.formUnion(entries.dropFirst().reduce(first.deaf) { $0.intersection($1.deaf) })
    }

    /// The notice as a device is told it; `nil`: the device is told nothing.
    func notice(_ notice: Notice, for device: Identifier) -> Notice? {
        deaf.contains(device) ? nil : silent.contains(device) ? notice.silenced : notice
    }
}

extension Set<Identifier> {
    /// In an order that repeats itself; `nil` where there are none.
    var listed: [Identifier]? { isEmpty ? nil : sorted() }
}
