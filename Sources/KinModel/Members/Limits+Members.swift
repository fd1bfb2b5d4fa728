/// Limits of what somebody signs in with, each with its unit.
extension Limits {
    /// Days after its last sign-in for which a device is known.
    package static let knownDeviceDays: Int64 = 365
    /// Days a session is kept unused.
    package static let sessionDays: Int64 = 400
    /// Bytes of a password.
    package static let passwordBytesMax = 1024
}
