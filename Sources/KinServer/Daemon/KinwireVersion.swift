/// The version of Kinwire.
public enum KinwireVersion {
    /// Such as `0.1.0`.
    public static let text = "0.1.0"
}
