package import KinModel

extension House {
    package static let trustClock = Method.command(
        "clock.trust", "Says that the machine's clock is right, so that the daemon doubts it no longer.",
        access: .admins,
        note: "What fell due meanwhile is done. Set the clock first where it is wrong: this cannot be taken back.",
        result: .object([.required("time", .time, "What time it is from now on.")]), events: [],
        apply: { (act, _) throws(Rejection) in
            guard let reading = act.clock?.reading, reading.wall >= TrustedClock.earliest else {
                throw Rejection(
                    .conflict, "This machine's clock is before the year 2026, which cannot be. Set it first.")
            }
            act.vouchForClock()
            return .done(["time": .time(reading.wall)])
        }
    ).freeingRoom()

    /// The clock in `daemon.status`.
    package static let clockShape = Shape.object([
        .required("time", .time, "What time it is, as far as the daemon believes."),
        .required("isSynchronised", .bool, "The kernel says that something sets the machine's clock right."),
        .optional(
            "doubt",
            .object([
                .required("why", .oneOf(["jumped", "behind", "ahead"])), .required("since", .time),
                .required("says", .time, "What the machine's clock says."),
            ]),
            "Why it is not believed. Nothing is deleted or ended meanwhile, and what has an end is withheld."),
    ])

    /// The clock's state, in this shape.
    package static func shown(_ clock: TrustedClock) -> JSON {
        .object(leavingOut: [
            "time": .time(clock.now), "isSynchronised": .bool(clock.reading.isSynchronised),
            "doubt": clock.doubt.map { doubt in
                [
                    "why": .string(doubt.rawValue), "since": .time(clock.doubtSince ?? clock.now),
                    "says": .time(clock.reading.wall),
                ]
            },
        ])
    }
}
