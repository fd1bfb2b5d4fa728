import COpenSSL
import Glibc

/// One X.509 certificate.
@safe final class Certificate: @unchecked Sendable {
    /// Rule: not changed once it is signed; libcrypto counts references atomically.
    let pointer: OpaquePointer

    /// Takes over a certificate of libcrypto.
    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe X509_free(pointer) }

    /// All certificates of a PEM text, in their order; at least one.
    static func all(pem: [UInt8]) throws(TLSFailure) -> [Certificate] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let source = unsafe BIO_new_mem_buf(pem, CInt(clamping: pem.count))
        defer { unsafe BIO_free(source) }
        var certificates: [Certificate] = []
        while let next = unsafe PEM_read_bio_X509(source, nil, nil, nil) {
            unsafe certificates.append(Certificate(owning: next))
        }
        // The end is told as "no start line"; anything else is a broken certificate behind a good one.
        let code = ERR_peek_last_error()
        guard !certificates.isEmpty, CInt(truncatingIfNeeded: code & 0x7F_FFFF) == PEM_R_NO_START_LINE else {
            throw .certificate("No certificate could be read as PEM: \(libraryReason()).")
        }
        return certificates
    }

    /// As PEM.
    func pem() throws(TLSFailure) -> [UInt8] {
        try unsafe written { target in unsafe PEM_write_bio_X509(target, pointer) }
    }

    /// As DER.
    func der() throws(TLSFailure) -> [UInt8] {
        try unsafe written { target in unsafe i2d_X509_bio(target, pointer) }
    }

    /// SHA-256 over the DER form: 32 bytes.
    var sha256: [UInt8] { unsafe Self.sha256(of: pointer) }

    static func sha256(of pointer: OpaquePointer) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: CUnsignedInt = 0
        let made = unsafe X509_digest(pointer, EVP_sha256(), &digest, &count)
        precondition(made == 1 && count == 32, "libcrypto always has SHA-256")
        return digest
    }

    /// DNS names and addresses of the subject alternative name.
    var names: [ServedName] {
        guard let all = unsafe kin_alternative_names(pointer) else { return [] }
        defer { unsafe GENERAL_NAMES_free(all) }
        var names: [ServedName] = []
        for index in 0..<max(0, unsafe kin_names_count(all)) {
            var kind: CInt = 0
            guard
                let text = unsafe GENERAL_NAME_get0_value(kin_names_at(all, index), &kind)?
                    .assumingMemoryBound(to: ASN1_STRING.self),
                kind == GEN_DNS || kind == GEN_IPADD
            else { continue }
            let bytes = unsafe Array(
                UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(max(0, ASN1_STRING_length(text)))))
            if kind == GEN_DNS {
                if let text = String(validating: bytes, as: UTF8.self) { names.append(.dns(text)) }
            } else {
                names.append(.address(bytes))
            }
        }
        return names
    }

    /// Whether that key signed this certificate.
    func isSigned(by issuer: Certificate) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_verify(pointer, X509_get0_pubkey(issuer.pointer)) == 1
    }

    /// Whether this is the certificate of that key.
    func belongs(to key: PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(pointer, key.pointer) == 1
    }

    /// Begin, milliseconds since 1970.
    var notBefore: Int64 { unsafe milliseconds(X509_get0_notBefore(pointer)) }
    /// End, milliseconds since 1970.
    var notAfter: Int64 { unsafe milliseconds(X509_get0_notAfter(pointer)) }

    /// A name without a time counts as ended long ago.
    private func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
        return unsafe Int64(timegm(&parts)) * 1000
    }

    /// Subject as one line, for people (RFC 2253 without escapes of UTF-8).
    var subject: String { unsafe line(X509_get_subject_name(pointer)) }
    /// Issuer as one line.
    var issuer: String { unsafe line(X509_get_issuer_name(pointer)) }

    private func line(_ name: OpaquePointer?) -> String {
        let bytes = unsafe try? written { target in
            unsafe X509_NAME_print_ex(target, name, 0, kin_name_flags) >= 0 ? 1 : 0
        }
        guard let bytes else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
