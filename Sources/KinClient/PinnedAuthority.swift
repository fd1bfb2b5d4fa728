import KinCodec
import KinCrypto
public import KinModel
import KinTLS

/// A family's root certificate as its daemon hands it out, before anybody trusts it.
public struct PinnedAuthority: Sendable, Hashable {
    /// The certificate's DER bytes.
    public let certificate: [UInt8]

    /// What a person compares and what is pinned.
    public var fingerprint: Fingerprint { Fingerprint(ofCertificate: certificate) }

    /// When the root ends.
    ///
    /// - Throws: ``ClientFailure/notUnderstood(_:)`` when libssl cannot read the certificate.
    public var goodUntil: Instant {
        get throws(ClientFailure) {
            let pem = "-----BEGIN CERTIFICATE-----\n\(Base64.encode(certificate))\n-----END CERTIFICATE-----\n"
            do throws(TLSFailure) {
                return Instant(milliseconds: try certificateSummary(Array(pem.utf8)).notAfter)
            } catch { throw .notUnderstood(error.sentence) }
        }
    }

    /// Fetches `/ca.crt` without trusting anybody: whoever answers may be lying, so the fingerprint is compared with one
    /// that came another way before anything secret is sent.
    ///
    /// - Returns: `nil` when the daemon has no authority of its own, because it serves a certificate that others vouch
    ///   for.
    public static func fetch(
        from address: Address, timeoutMilliseconds: Int = 10_000
    ) throws(ClientFailure) -> PinnedAuthority? {
        let wire = try Wire.open(address, trust: .unchecked, timeoutMilliseconds: timeoutMilliseconds)
        let answer = try WebConversation(over: wire).ask(.get, "/ca.crt", timeoutMilliseconds: timeoutMilliseconds)
        wire.close()
        switch answer.head.status {
        case 200:
            guard let authority = PinnedAuthority(answer.body) else {
                throw .notUnderstood("\(address)/ca.crt is no certificate; check that a Kinwire answers there.")
            }
            return authority
        case 404: return nil
        case let status: throw .notUnderstood("\(address)/ca.crt was answered with status \(status).")
        }
    }

    /// Reads a certificate as DER or PEM (RFC 7468); of several the first.
    public init?(_ bytes: [UInt8]) {
        if bytes.first == 0x30 {
            certificate = bytes
            return
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN CERTIFICATE-----") }),
            let end = lines[start...].firstIndex(where: { $0.hasPrefix("-----END CERTIFICATE-----") }),
            let der = Base64.decode(lines[(start + 1)..<end].joined()), der.first == 0x30
        else { return nil }
        certificate = der
    }
}
