/// The version of Kinwire: of the daemon and of the command line alike.
public enum KinwireVersion {
    /// Such as `0.1.0`.
    public static let text = "0.1.0"
}
