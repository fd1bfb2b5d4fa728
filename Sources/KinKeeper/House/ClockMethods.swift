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
    package struct Clock: WireRecord {
        /// The reason for which it is not believed.
        package struct Doubted: WireRecord {
            let why: TrustedClock.Doubt
            let since: Instant
            let says: Instant

            package static let fields = Fields(
                nil, Doubted.init(why:since:says:), .required("why", \.why, .word),
                .required("since", \.since, .time),
                .required("says", \.says, .time, "What the machine's clock says."))
        }

        let time: Instant
        let isSynchronised: Bool
        let doubt: Doubted?

        package static let fields = Fields(
            nil, Clock.init(time:isSynchronised:doubt:),
            .required("time", \.time, .time, "What time it is, as far as the daemon believes."),
            .required(
                "isSynchronised", \.isSynchronised, .bool,
                "The kernel says that something sets the machine's clock right."),
            .optional(
                "doubt", \.doubt, Doubted.form,
                "Why it is not believed. Nothing is deleted or ended meanwhile, and what has an end is withheld."))
    }

    /// The clock's state.
    package static func shown(_ clock: TrustedClock) -> JSON {
        let doubt = clock.doubt.map {
            Clock.Doubted(why: $0, since: clock.doubtSince ?? clock.now, says: clock.reading.wall)
        }
        return Clock(time: clock.now, isSynchronised: clock.reading.isSynchronised, doubt: doubt).json
    }
}
