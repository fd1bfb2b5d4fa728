import KinModel
import KinStore

/// What the family agrees to do together: proposals with slots, votes, and what comes of them.
enum Meetings {
    static let area = Area(
        "Meetings",
        migrations: migrations,
        methods: [],
        events: events)

    /// A bound on the meetings in one snapshot: the smallest takes more than 400 bytes.
    static let currentMax = Limits.meetingsSnapshotBytesMax / 400
}
