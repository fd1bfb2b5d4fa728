extension HTTPHeaders {
    /// The values of all cookies of that name (RFC 6265 §4.2), in order; names are case-sensitive. Quotes around a
    /// value stay. More than one means that somebody else set one too.
    public func cookies(_ name: String) -> [String] {
        []
    }
}
