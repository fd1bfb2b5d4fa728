import KinKeeper
import KinModel

/// A list of points on its way to a ``Track/Batch``: a long one is read some at a time, since the keeper has others
/// waiting. Nothing is done before all of it was read.
struct PointList: Sendable {
    private var points: [Point] = []
    /// How many of the list were read.
    private var count = 0

    /// Reads the next of a list. Answers the points once all were read; before that what has to be carried to the next
    /// turn. `one` reads the item of an index; `nil` leaves it out.
    static func read(
        _ list: [JSON], _ act: Act, one: (JSON, Int) throws(Rejection) -> Point?
    ) throws(Rejection) -> (points: [Point]?, rest: PointList) {
        var read = act.carried as? PointList ?? PointList()
        let some = list.indices[read.count...].prefix(Limits.itemsCheckedPerTurn)
        for index in some {
            if let point = try one(list[index], index) { read.points.append(point) }
        }
        read.count = some.endIndex
        return (read.count == list.count ? read.points : nil, read)
    }
}
