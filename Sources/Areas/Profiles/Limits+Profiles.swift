package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of an entry stand beside the entry.
extension Limits {
    /// Entries of one member's profile.
    package static let profileEntriesMax = 24
    /// Bytes of profiles in a snapshot.
    package static let profilesSnapshotBytesMax = 128 << 10
    /// Bytes in a snapshot that every entry stays below, with the comma behind it.
    package static let profileEntryBytesMax = 4 << 10
}
