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
            member: row.identifier("member"), lat: row.double("lat"), lon: row.double("lon"), at: row.instant("at"),
            accuracy: row.optionalDouble("accuracy"), altitude: row.optionalDouble("altitude"),
            speed: row.optionalDouble("speed"), course: row.optionalDouble("course"),
            battery: row.optionalDouble("battery"))
    }

    /// The same, and charging, moving, since.
    init(latest row: borrowing Row) {
        let since = row.optionalInstant("since")
        self.init(
            member: row.identifier("member"), lat: row.double("lat"), lon: row.double("lon"), at: row.instant("at"),
            accuracy: row.optionalDouble("accuracy"), altitude: row.optionalDouble("altitude"),
            speed: row.optionalDouble("speed"), course: row.optionalDouble("course"),
            battery: row.optionalDouble("battery"), charging: row.optionalBool("charging"),
            motion: since.map { row.optionalBool("moving") == true ? .moving(since: $0) : .still(since: $0) })
    }
}
