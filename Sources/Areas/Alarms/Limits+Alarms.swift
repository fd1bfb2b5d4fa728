package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Hours after which an alarm ends by itself.
    package static let alarmHours: Int64 = 12
    /// Alarms that one member raises in an hour.
    package static let alarmsPerHourMax: Int64 = 12
    /// Seconds for which a call for help rings in the household, before it calls the family.
    package static let alarmSecondsToFamily: Int64 = 120
    /// Seconds between the first rings of a call for help.
    package static let sosRingSeconds: Int64 = 60
    /// Rings of a call for help that come that close together.
    package static let sosRingsClose = 5
    /// Seconds between the later rings of a call for help.
    package static let sosLaterRingSeconds: Int64 = 300
    /// Seconds between the first rings of a call to come.
    package static let comeRingSeconds: Int64 = 120
    /// Rings of a call to come that come that close together.
    package static let comeRingsClose = 10
    /// Seconds between its later rings, while nobody has answered.
    package static let comeLaterRingSeconds: Int64 = 900
    /// Seconds between two rings of a question whether all is well.
    package static let checkRingSeconds: Int64 = 300
    /// Seconds within which a question whether all is well must be answered, if it names no time.
    package static let checkSeconds: Int64 = 1800
    /// Hours after which a member's last position no longer says where the member is.
    package static let alarmPositionHours: Int64 = 12
    /// Members and households that an alarm names.
    package static let alarmToMax = 64
    /// Addresses at which shortcuts raise alarms for one member.
    package static let alarmShortcutsMax: Int64 = 16
    /// Bytes of alarms in a snapshot.
    package static let alarmsSnapshotBytesMax = 128 << 10
    /// Bytes that every alarm takes in a snapshot at least.
    package static let alarmBytesMin = 200
    /// Bytes that an alarm takes in a snapshot at most, when all members are called.
    package static let alarmBytesMax = 64 << 10
}
