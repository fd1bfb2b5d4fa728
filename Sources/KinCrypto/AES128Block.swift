import COpenSSL

/// AES-128 over one block (FIPS 197): how a cursor hides its position. Not for messages; one key, distinct blocks.
///
/// 0.2 µs a block: a context with the expanded key is copied for each call. (A new context each time took 0.4 µs; one
/// context for all would take 0.02 µs, and a lock.)
public struct AES128Block: Sendable {
    private let encryption: Schedule
    private let decryption: Schedule

    /// A key of exactly 16 bytes.
    public init(key: [UInt8]) {
        precondition(key.count == 16, "an AES-128 key has 16 bytes")
        encryption = Schedule(key, enciphering: 1)
        decryption = Schedule(key, enciphering: 0)
    }

    /// The block of these two big-endian halves, enciphered.
    public func encrypt(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) { encryption.turn(high, low) }

    /// The block of these two big-endian halves, deciphered.
    public func decrypt(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) { decryption.turn(high, low) }

    /// An expanded key.
    @safe private final class Schedule: @unchecked Sendable {
        /// Rule: never changed after `init`, only copied from, which libcrypto allows on several threads at once.
        private let context: OpaquePointer?

        init(_ key: [UInt8], enciphering: CInt) {
            unsafe context = EVP_CIPHER_CTX_new()
            let begun = unsafe EVP_CipherInit_ex2(context, EVP_aes_128_ecb(), key, nil, enciphering, nil)
            precondition(begun == 1, "libcrypto always has AES-128")
            unsafe EVP_CIPHER_CTX_set_padding(context, 0)
        }

        deinit { unsafe EVP_CIPHER_CTX_free(context) }

        func turn(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) {
            var input = (high.bigEndian, low.bigEndian)
            var output: (UInt64, UInt64) = (0, 0)
            var written: CInt = 0
            let copy = unsafe EVP_CIPHER_CTX_new()
            defer { unsafe EVP_CIPHER_CTX_free(copy) }
            let copied = unsafe EVP_CIPHER_CTX_copy(copy, context)
            let done = unsafe withUnsafeMutableBytes(of: &output) { target in
                unsafe withUnsafeBytes(of: &input) { source in
                    unsafe EVP_CipherUpdate(
                        copy, target.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
                        source.baseAddress?.assumingMemoryBound(to: UInt8.self), 16)
                }
            }
            precondition(copied == 1 && done == 1 && written == 16, "one block in, one block out")
            return (UInt64(bigEndian: output.0), UInt64(bigEndian: output.1))
        }
    }
}
