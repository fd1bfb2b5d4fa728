import COpenSSL

/// SHA-256 (FIPS 180-4) of what comes piece by piece: files larger than memory wants to hold.
@safe public struct RunningDigest: ~Copyable {
    /// Owned here alone; freed at the end.
    private let context: OpaquePointer

    /// Of nothing yet.
    public init() {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto always has SHA-256")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// The next piece.
    public mutating func update(_ bytes: [UInt8]) {
        precondition(unsafe EVP_DigestUpdate(context, bytes, bytes.count) == 1, "libcrypto digests any bytes")
    }

    /// The 32 bytes of the digest, once.
    public consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        let made = unsafe EVP_DigestFinal_ex(context, &digest, &count)
        precondition(made == 1 && count == 32, "libcrypto always has SHA-256")
        return digest
    }
}
