import Glibc
import KinKeeper

/// A cell of about a kilometre in the map's grid. Coarse viewers see it in the place of a position.
///
/// Rows of latitude are 0.009° high, 1.0 km. A row has a whole number of cells around the earth, each about 1.0 km wide
/// in the row's middle. The last touches the first, at the antimeridian. The rows at the poles have three. The grid
/// never changes: a point belongs to the same cell for ever, so many points of one cell reveal no more than one.
struct Cell: Hashable, Sendable {
    /// From 0 in the south to ``rows`` − 1 in the north.
    let row: Int64
    /// Eastward from the antimeridian, from 0.
    let column: Int64

    /// Rows from pole to pole.
    static let rows: Int64 = 20_000
    private static let rowDegrees = 180 / Double(rows)
    /// Kilometres around the equator, as a sphere.
    private static let equatorKilometres = 40_030.0

    /// A cell by its numbers, which come from another cell.
    init(row: Int64, column: Int64) {
        self.row = row
        self.column = column
    }

    /// The cell of a point; numbers outside their range count as the nearest inside.
    init(lat: Double, lon: Double) {
        let row = Self.number(((lat + 90) / Self.rowDegrees).rounded(.down), below: Self.rows)
        let columns = Self.columns(inRow: row)
        // 180° is the antimeridian too.
        let turn = lon >= 180 ? lon - 360 : lon
        self.row = row
        column = Self.number(((turn + 180) / 360 * Double(columns)).rounded(.down), below: columns)
    }

    private static func number(_ value: Double, below bound: Int64) -> Int64 {
        Int64(exactly: min(max(value, 0), Double(bound - 1))) ?? 0
    }

    /// Cells of a row.
    static func columns(inRow row: Int64) -> Int64 {
        let middle = -90 + (Double(row) + 0.5) * rowDegrees
        return Int64(max(3, (equatorKilometres * cos(middle * .pi / 180)).rounded()))
    }

    /// The cell's middle in degrees, to five places.
    var middle: (lat: Double, lon: Double) {
        let lat = -90 + (Double(row) + 0.5) * Self.rowDegrees
        let lon = -180 + (Double(column) + 0.5) * 360 / Double(Self.columns(inRow: row))
        return (Self.short(lat), Self.short(lon))
    }

    private static func short(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }

    /// Whether two cells are one or have a border or corner in common.
    func touches(_ other: Cell) -> Bool {
        guard abs(row - other.row) <= 1 else { return false }
        let (count, otherCount) = (Self.columns(inRow: row), Self.columns(inRow: other.row))
        // Both cells' borders in parts of the earth's turn, which are whole numbers when both counts divide it.
        let turn = count * otherCount
        let (west, east) = (column * otherCount, (column + 1) * otherCount)
        let (otherWest, otherEast) = (other.column * count, (other.column + 1) * count)
        return [-turn, 0, turn].contains { west <= otherEast + $0 && otherWest + $0 <= east }
    }
}
