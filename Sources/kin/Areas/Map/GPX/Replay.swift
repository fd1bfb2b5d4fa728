import KinModel

/// The times at which the points of a track are sent, and the times that they name.
struct Replay {
    enum Pace: Equatable {
        /// As they were recorded, but so many times faster.
        case live(speed: Double)
        /// All at once.
        case atOnce
    }

    let track: Track
    let pace: Pace
    /// Whether the recorded times stay.
    let keepsTimes: Bool
    /// The time at which the replay began.
    let began: Instant

    /// The moment at which a point is sent.
    func due(_ index: Int) -> Instant {
        guard case .live(let speed) = pace else { return began }
        return began.adding(milliseconds: scaled(offset(index), by: speed))
    }

    /// The time that a point names. Live, it is the moment at which the point is due, so that present sharing shows it.
    /// At once, all times are shifted, so that the last is now and none lies ahead.
    func time(_ index: Int) -> Instant {
        if keepsTimes { return track.points[index].at ?? track.start }
        if case .live = pace { return due(index) }
        return began.adding(milliseconds: offset(index) - track.duration)
    }

    private func offset(_ index: Int) -> Int64 {
        (track.points[index].at ?? track.start).milliseconds(since: track.start)
    }

    private func scaled(_ milliseconds: Int64, by speed: Double) -> Int64 {
        Int64(exactly: (Double(milliseconds) / speed).rounded()) ?? milliseconds
    }

    /// A point as the OwnTracks app posts it: `vel` in km/h, `tst` in seconds (with a fraction, since a fast replay has
    /// several points a second), an `_id` that stays the same when it is sent again.
    func message(_ index: Int, id: String) -> JSON {
        let point = track.points[index]
        let milliseconds = time(index).milliseconds
        return .object(leavingOut: [
            "_type": "location", "lat": .double(point.lat), "lon": .double(point.lon),
            "tst": milliseconds % 1000 == 0 ? .int(milliseconds / 1000) : .double(Double(milliseconds) / 1000),
            "alt": point.elevation.map { .double($0) }, "vel": point.speed.map { .double($0 * 3.6) },
            "cog": point.course.map { .double($0) }, "t": "t", "_id": .string("\(id)-\(index)"),
        ])
    }
}
