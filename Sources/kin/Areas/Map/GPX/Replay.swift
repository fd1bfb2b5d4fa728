import KinModel

/// When each point of a track is sent, and what time it is given.
struct Replay {
    enum Pace: Equatable {
        /// As it was recorded, so many times faster.
        case live(speed: Double)
        /// All at once.
        case atOnce
    }

    let track: Track
    let pace: Pace
    /// Leave the recorded times.
    let keepsTimes: Bool
    /// When the replay began.
    let began: Instant

    /// The moment to send a point at.
    func due(_ index: Int) -> Instant {
        guard case .live(let speed) = pace else { return began }
        return began.adding(milliseconds: scaled(offset(index), by: speed))
    }

    /// The time a point says. Live: the moment it is due, so that what is sharing now shows it; at once: shifted so that
    /// the last is now and none lies ahead.
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
