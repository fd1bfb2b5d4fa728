import KinKeeper
import KinModel
import KinStore

extension Map {
    /// A position on the wire.
    static let position = Shape.named(
        "Position",
        .object(
            [
                .required("member", .id),
                .optional(
                    "precision", .oneOf([Precision.coarse.rawValue]),
                    "coarse: the middle of a cell of about a kilometre, the time rounded down, and nothing else. Else exact."
                ),
            ] + Point.measures + [
                .optional("movingSince", .time, "Since when the member is on the way; or else:"),
                .optional("stillSince", .time, "Since when the member is at one place. Neither: not known."),
            ]))
}

extension Position {
    /// From the columns member, lat, lon, at, accuracy, altitude, speed, course, battery.
    init(_ row: borrowing Row) {
        self.init(
            member: row.identifier(0), lat: row.double(1), lon: row.double(2), at: row.instant(3),
            accuracy: row.optionalDouble(4), altitude: row.optionalDouble(5), speed: row.optionalDouble(6),
            course: row.optionalDouble(7), battery: row.optionalDouble(8))
    }

    /// The same, and behind them charging, moving, since.
    init(latest row: borrowing Row) {
        let since = row.optionalInstant(11)
        self.init(
            member: row.identifier(0), lat: row.double(1), lon: row.double(2), at: row.instant(3),
            accuracy: row.optionalDouble(4), altitude: row.optionalDouble(5), speed: row.optionalDouble(6),
            course: row.optionalDouble(7), battery: row.optionalDouble(8),
            charging: row.optionalInt(9).map { $0 != 0 },
            motion: since.map { row.optionalInt(10) == 1 ? .moving(since: $0) : .still(since: $0) })
    }
}
