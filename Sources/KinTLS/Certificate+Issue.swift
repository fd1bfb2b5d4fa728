import COpenSSL

extension Certificate {
    /// The contents of a new certificate.
    struct Draft {
        /// The common name. Never with a dot, so that nobody takes it for a DNS name.
        var commonName: String
        /// Milliseconds since 1970; seconds count.
        var notBefore: Int64
        /// Milliseconds since 1970, included.
        var notAfter: Int64
        /// Extensions in the notation of x509v3_config(5), except the key identifiers.
        var extensions: [(nid: CInt, value: String)]
    }

    /// Makes a certificate for a key, signed by an issuer's key (`issuer` is `nil`: by itself).
    static func issue(
        _ draft: Draft, for key: PrivateKey, issuer: Certificate?, issuerKey: PrivateKey
    ) throws(TLSFailure) -> Certificate {
        ERR_clear_error()
        guard let pointer = unsafe X509_new() else { throw .library("A certificate could not be made: no memory.") }
        let certificate = unsafe Certificate(owning: pointer)
        unsafe X509_set_version(pointer, CLong(X509_VERSION_3))
        // 127 random bits: positive, and more than the 64 that are asked for.
        let serial = unsafe BN_new()
        defer { unsafe BN_free(serial) }
        var fine = unsafe BN_rand(serial, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1
        fine = unsafe BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(pointer)) != nil && fine
        fine = unsafe ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(draft.notBefore / 1000)) != nil && fine
        fine = unsafe ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(draft.notAfter / 1000)) != nil && fine
        fine = unsafe X509_set_pubkey(pointer, key.pointer) == 1 && fine
        let name = unsafe X509_get_subject_name(pointer)
        for (field, value) in [("O", "Kinwire"), ("CN", draft.commonName)] {
            let bytes = Array(value.utf8)
            fine =
                unsafe X509_NAME_add_entry_by_txt(
                    name, field, MBSTRING_UTF8, bytes, CInt(clamping: bytes.count), -1, 0) == 1 && fine
        }
        fine = unsafe X509_set_issuer_name(pointer, X509_get_subject_name(issuer?.pointer ?? pointer)) == 1 && fine
        let identifiers: [(nid: CInt, value: String)] = [
            (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
        ]
        for (nid, value) in identifiers + draft.extensions {
            fine = unsafe kin_add_extension(pointer, issuer?.pointer ?? pointer, nid, value) == 1 && fine
        }
        guard fine, unsafe X509_sign(pointer, issuerKey.pointer, EVP_sha256()) > 0 else {
            throw .library("A certificate could not be made: \(libraryReason()).")
        }
        return certificate
    }

    /// Whether this intermediate's name constraints permit a name: asked of libcrypto's own check, with a certificate
    /// that holds only this name, so that it is the verifier's answer.
    func permits(_ name: ServedName) -> Bool {
        guard let constraints = unsafe kin_name_constraints(pointer) else { return true }
        defer { unsafe NAME_CONSTRAINTS_free(constraints) }
        guard let probe = unsafe X509_new() else { return false }
        defer {
            unsafe X509_free(probe)
            ERR_clear_error()
        }
        guard unsafe kin_add_extension(probe, probe, NID_subject_alt_name, name.entry) == 1 else { return false }
        // Has libcrypto parse the extensions; the answer is about something else.
        unsafe X509_check_purpose(probe, -1, 0)
        return unsafe NAME_CONSTRAINTS_check(probe, constraints) == X509_V_OK
    }
}
