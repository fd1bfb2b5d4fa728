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

    init(_ certificate: Certificate) {
        names = certificate.names.map(\.text)
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        subject = certificate.subject
        issuer = certificate.issuer
        sha256 = hexadecimal(certificate.sha256)
    }
}

/// Reads the first certificate of a PEM text.
public func certificateSummary(_ pem: [UInt8]) throws(TLSFailure) -> CertificateSummary {
    let certificates = try Certificate.all(pem: pem)
    return CertificateSummary(certificates[0])
}

/// Lower-case digits, two a byte, with something between the bytes.
func hexadecimal(_ bytes: [UInt8], separator: String = "") -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: separator)
}
