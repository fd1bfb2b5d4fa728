public import KinModel

extension Instant {
    /// As the field `Date` has it (IMF-fixdate, RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var httpDate: String {
        ""
    }
}
