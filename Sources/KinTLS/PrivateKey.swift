import COpenSSL

/// A private key in memory; libcrypto overwrites it when it goes.
@safe final class PrivateKey: @unchecked Sendable {
    /// Rule: not changed after `init`; libcrypto counts references atomically.
    let pointer: OpaquePointer

    /// A new ECDSA P-256 key.
    init() throws(TLSFailure) {
        ERR_clear_error()
        guard let made = unsafe kin_make_p256_key() else { throw .library("No key could be made: \(libraryReason()).") }
        unsafe pointer = made
    }

    /// Reads the first key of a PEM text. One with a passphrase is refused: nobody is there to type it.
    init(pem: [UInt8]) throws(TLSFailure) {
        ERR_clear_error()
        let source = unsafe BIO_new_mem_buf(pem, CInt(clamping: pem.count))
        defer { unsafe BIO_free(source) }
        // Without this callback libcrypto would ask on the terminal.
        let refuse: @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt = {
            _, _, _, _ in -1
        }
        guard let read = unsafe PEM_read_bio_PrivateKey(source, nil, refuse, nil) else {
            throw .certificate("The key is not readable as PEM without a passphrase: \(libraryReason()).")
        }
        unsafe pointer = read
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// PKCS #8 as PEM.
    func pem() throws(TLSFailure) -> [UInt8] {
        try unsafe written { target in unsafe PEM_write_bio_PrivateKey(target, pointer, nil, nil, 0, nil, nil) }
    }
}

/// What libcrypto writes into a memory BIO.
func written(_ write: (OpaquePointer?) -> CInt) throws(TLSFailure) -> [UInt8] {
    let target = unsafe BIO_new(BIO_s_mem())
    defer { unsafe BIO_free(target) }
    guard unsafe write(target) == 1 else { throw .library("Writing a certificate failed: \(libraryReason()).") }
    var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(target))
    let count = unsafe BIO_read(target, &bytes, CInt(clamping: bytes.count))
    guard Int(count) == bytes.count else { throw .library("Writing a certificate failed.") }
    return bytes
}
