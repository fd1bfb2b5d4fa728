import KinModel

/// The followers that speak another protocol than ours, and when it was last noted that a listening device was handed
/// something.
///
/// Confined to the loop's thread.
struct Subscriptions {
    /// By their connections' keys.
    private var kept: [UInt64: any Subscription] = [:]
    private var noted: [Identifier: UInt64] = [:]

    var isEmpty: Bool { kept.isEmpty }

    /// All of them, in no order.
    var all: Dictionary<UInt64, any Subscription>.Values { kept.values }

    /// A connection's, where it follows in another protocol than ours.
    subscript(connection: Connection) -> (any Subscription)? { connection.isForeign ? kept[connection.key] : nil }

    /// A connection follows in another protocol from here on.
    mutating func add(_ subscription: any Subscription, _ connection: Connection) {
        connection.isForeign = true
        kept[connection.key] = subscription
    }

    /// A connection is over.
    mutating func end(_ connection: Connection) {
        if connection.isForeign { kept[connection.key] = nil }
    }

    /// Whether so many nanoseconds have passed since it was noted of a device.
    func isToBeNoted(_ device: Identifier, at now: UInt64, after pause: UInt64) -> Bool {
        noted[device].map { now - $0 >= pause } ?? true
    }

    /// It is noted of these devices. Of more than `most` all that is known is forgotten: they are noted once more.
    mutating func note(_ devices: Set<Identifier>, at now: UInt64, most: Int) {
        if noted.count > most { noted.removeAll() }
        for device in devices { noted[device] = now }
    }
}
