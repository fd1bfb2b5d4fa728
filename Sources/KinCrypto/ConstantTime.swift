import COpenSSL

/// Whether two byte strings are equal, in a time that tells nothing about where they differ. Their lengths are no
/// secret.
public func equalInConstantTime(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe CRYPTO_memcmp(a, b, a.count) == 0
}
