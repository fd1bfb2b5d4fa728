import COpenSSL

/// AES-128 over one block (FIPS 197): how a cursor hides its position. Not for messages; one key, distinct blocks.
public struct AES128Block: Sendable {
    private let key: [UInt8]

    /// A key of exactly 16 bytes.
    public init(key: [UInt8]) {
        precondition(key.count == 16, "an AES-128 key has 16 bytes")
        self.key = key
    }

    /// The block of these two big-endian halves, enciphered.
    public func encrypt(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) { turn(high, low, enciphering: 1) }

    /// The block of these two big-endian halves, deciphered.
    public func decrypt(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) { turn(high, low, enciphering: 0) }

    /// Fetched once: libcrypto 3 looks an implicit `EVP_aes_128_ecb()` up by name on each initialisation.
    /// Rule: a fetched cipher is immutable, reference counted and may be used from every thread.
    nonisolated(unsafe) private static let cipher: OpaquePointer? = unsafe EVP_CIPHER_fetch(nil, "AES-128-ECB", nil)

    private func turn(_ high: UInt64, _ low: UInt64, enciphering: CInt) -> (UInt64, UInt64) {
        var input = (high.bigEndian, low.bigEndian)
        var output: (UInt64, UInt64) = (0, 0)
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var done = unsafe EVP_CipherInit_ex2(context, Self.cipher, key, nil, enciphering, nil)
        unsafe EVP_CIPHER_CTX_set_padding(context, 0)
        var written: CInt = 0
        done &= unsafe withUnsafeMutableBytes(of: &output) { target in
            unsafe withUnsafeBytes(of: &input) { source in
                unsafe EVP_CipherUpdate(
                    context, target.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
                    source.baseAddress?.assumingMemoryBound(to: UInt8.self), 16)
            }
        }
        precondition(done == 1 && written == 16, "libcrypto always has AES-128")
        return (UInt64(bigEndian: output.0), UInt64(bigEndian: output.1))
    }
}
