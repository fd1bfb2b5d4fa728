import KinKeeper
import KinModel

/// The room that one member's places take: those that only the member sees, and those that are shared. Every member has
/// as much, whatever others have put on the map, because those places may be hidden from the member.
struct PlaceRoom {
    /// Bytes of each owner's places that nobody else sees.
    private(set) var kept: [Identifier: Int] = [:]
    /// Bytes of each owner's others.
    private(set) var shared: [Identifier: Int] = [:]

    static let keptMax = Limits.keptPlacesBytesMax
    static let sharedMax = Limits.sharedPlacesBytesMax
    /// The part's name and brackets in a snapshot.
    static let frameBytes = 32
    /// No place takes more in a snapshot.
    static let largest = 1024

    init(_ places: [StoredPlace]) {
        for place in places { add(place) }
    }

    mutating func add(_ place: StoredPlace) { count(place, 1) }
    mutating func take(_ place: StoredPlace) { count(place, -1) }

    private mutating func count(_ place: StoredPlace, _ sign: Int) {
        let bytes = sign * Self.bytes(place.wire.brief)
        if place.isKept {
            kept[place.owner, default: 0] += bytes
        } else {
            shared[place.owner, default: 0] += bytes
        }
    }

    /// Bytes of one in a snapshot, with the comma behind it.
    static func bytes(_ brief: Place) -> Int { brief.json.bytes.count + 1 }

    /// Whether one more that a member keeps for oneself fits.
    func hasRoomForKept(of owner: Identifier) -> Bool { kept[owner] ?? 0 <= Self.keptMax }

    /// Refuses what exceeds an owner's room; a change that makes nothing larger is never refused.
    func check(of owner: Identifier, since before: PlaceRoom) throws(Rejection) {
        guard kept[owner] ?? 0 <= before.kept[owner] ?? 0 || hasRoomForKept(of: owner) else {
            throw Rejection(
                .tooLarge,
                "You keep as many places for yourself as there is room for; remove one, or choose shorter names.")
        }
        guard shared[owner] ?? 0 <= before.shared[owner] ?? 0 || shared[owner] ?? 0 <= Self.sharedMax else {
            throw Rejection(
                .tooLarge, "You share as many places as there is room for; remove one, or choose shorter names.")
        }
    }
}

extension StoredPlace {
    /// Whether it is for nobody but its owner.
    var isKept: Bool { sharedWith.isOnly(wire.owner) }
}
