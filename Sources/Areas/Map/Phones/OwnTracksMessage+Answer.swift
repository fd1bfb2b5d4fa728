import KinKeeper
import KinModel

extension OwnTracksMessage {
    /// A member's position for the app: whole numbers, km/h, seconds.
    static func location(of position: Position, tid: String) -> JSON {
        .object(leavingOut: [
            "_type": "location", "tid": .string(tid), "lat": .double(position.lat), "lon": .double(position.lon),
            "tst": .int(seconds(position.at)), "vel": position.speed.flatMap { whole($0 * 3.6) },
            "alt": position.altitude.flatMap(whole),
            // 359.6 is nearer to north than to 359.
            "cog": position.course.flatMap { whole($0.rounded() == 360 ? 0 : $0) },
            "acc": position.accuracy.flatMap(whole),
        ])
    }

    /// Rounded down, before 1970 too.
    private static func seconds(_ at: Instant) -> Int64 {
        let (seconds, rest) = at.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? seconds - 1 : seconds
    }

    private static func whole(_ number: Double) -> JSON? { Int64(exactly: number.rounded()).map { .int($0) } }
}
