import KinKeeper
import KinStore

/// The members who follow the map now, and the members whose positions each is noted to have been shown today. So a
/// position that moves all day costs a comparison of two small sets for each event, and one note for each viewer and
/// day.
///
/// Confined to the loop's thread.
struct Lookers {
    private var connections: [Int32: Int] = [:]
    private var following = Audience()
    private var noted: [String: Audience] = [:]
    private var day: Int64 = 0

    /// A connection of a member begins to follow the map.
    mutating func came(_ number: Int32) {
        connections[number, default: 0] += 1
        following.insert(number)
    }

    /// A connection of a member follows the map no longer.
    mutating func went(_ number: Int32) {
        let left = connections[number, default: 1] - 1
        connections[number] = left > 0 ? left : nil
        if left <= 0 { following.remove(number) }
    }

    /// The followers who are shown this position for the first time on this day; mostly none.
    mutating func first(_ row: LogRow, day: Int64) -> Audience? {
        if day != self.day {
            self.day = day
            noted.removeAll(keepingCapacity: true)
        }
        let known = noted[row.about] ?? Audience()
        guard row.audience.hasMember(in: following, notIn: known) else { return nil }
        let first = row.audience.intersection(following).subtracting(known)
        noted[row.about] = known.union(first)
        return first
    }
}
