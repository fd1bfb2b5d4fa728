/// What a certificate says of itself, for `kin doctor` and for people.
public struct CertificateSummary: Sendable, Equatable {
    /// DNS names and addresses it is good for.
    public let names: [String]
    /// Begin and end, milliseconds since 1970.
    public let notBefore: Int64
    /// See ``notBefore``.
    public let notAfter: Int64
    /// Whose it is and who signed it, as one line each.
    public let subject: String
    /// See ``subject``.
    public let issuer: String
    /// SHA-256 of the certificate: 64 lower-case hexadecimal digits.
    public let sha256: String
}

/// Reads the first certificate of a PEM text.
public func certificateSummary(_ pem: [UInt8]) throws(TLSFailure) -> CertificateSummary { throw .library("not yet") }
