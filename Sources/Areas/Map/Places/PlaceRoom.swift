import KinKeeper
import KinModel

/// The room that places take in snapshots, by their owners. A snapshot shows those that are shared with anybody, at most
/// all of them, and those that its member keeps for oneself. So what one member keeps takes nobody's room; and of the
/// shared ones nobody has so many that others find no room.
struct PlaceRoom {
    /// Bytes of each owner's places that nobody else sees.
    private(set) var kept: [Identifier: Int] = [:]
    /// Bytes of each owner's others.
    private(set) var shared: [Identifier: Int] = [:]

    static let keptMax = Limits.ownPlacesSnapshotBytesMax
    static let sharedMax = Limits.placesSnapshotBytesMax - keptMax - frameBytes
    /// The part's name and brackets.
    private static let frameBytes = 32

    init(_ pins: [Pin]) {
        for pin in pins { add(pin) }
    }

    mutating func add(_ pin: Pin) { count(pin, 1) }
    mutating func take(_ pin: Pin) { count(pin, -1) }

    private mutating func count(_ pin: Pin, _ sign: Int) {
        // With the comma behind it.
        let bytes = sign * (pin.place.brief.json.bytes.count + 1)
        if pin.isKept {
            kept[pin.place.owner, default: 0] += bytes
        } else {
            shared[pin.place.owner, default: 0] += bytes
        }
    }

    private var sharedByAll: Int { shared.values.reduce(0, +) }

    /// Whether one more that a member keeps for oneself fits.
    func hasRoomForKept(of owner: Identifier) -> Bool { kept[owner] ?? 0 <= Self.keptMax }

    /// Refuses what an owner has no room for; what grew no larger is never refused.
    func check(of owner: Identifier, since before: PlaceRoom) throws(Rejection) {
        let (ownKept, ownShared) = (kept[owner] ?? 0, shared[owner] ?? 0)
        guard ownKept <= before.kept[owner] ?? 0 || hasRoomForKept(of: owner) else {
            throw Rejection(
                .tooLarge,
                "You keep as many places for yourself as there is room for; remove one, or choose shorter names.")
        }
        guard ownShared > before.shared[owner] ?? 0 else { return }
        // Places of a household that dissolved are their owner's alone, and may be more than there is room for.
        let most = Self.sharedMax - max(0, (kept.values.max() ?? 0) - Self.keptMax)
        guard Quota.mayGrow(own: Int64(ownShared), all: Int64(sharedByAll), most: Int64(most)) else {
            throw Rejection(
                .tooLarge,
                "Your shared places leave no room for those of others; remove one, or choose shorter names.")
        }
    }
}

extension Pin {
    /// Whether it is for nobody but its owner.
    var isKept: Bool {
        if case .members(let members) = audience { members.allSatisfy { $0 == place.owner } } else { false }
    }
}
