package import KinModel

/// Limits of the area, each with its unit; those of what is seen of an entry stand beside it.
extension Limits {
    /// Entries of one member's profile.
    package static let profileEntriesMax = 24
    /// Bytes of profiles in a snapshot.
    package static let profilesSnapshotBytesMax = 128 << 10
    /// Bytes that no entry takes in a snapshot, with the comma behind it.
    package static let profileEntryBytesMax = 4 << 10
}
