import COpenSSL

/// Digests of libcrypto, in one call each.
public enum Digest {
    /// SHA-256 (FIPS 180-4): 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let made = unsafe SHA256(bytes, bytes.count, &digest)
        precondition(unsafe made != nil, "libcrypto always has SHA-256")
        return digest
    }

    /// SHA-1: 20 bytes. For the accept value of a WebSocket handshake (RFC 6455 §4.2.2), where it protects nothing;
    /// never for anything that has to resist somebody.
    public static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        let made = unsafe SHA1(bytes, bytes.count, &digest)
        precondition(unsafe made != nil, "libcrypto always has SHA-1")
        return digest
    }

    /// HMAC-SHA-256 (RFC 2104): 32 bytes. The key may have any length, also none.
    public static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        // An empty key still needs an address: HMAC takes NULL for "the key of last time".
        let length = key.count
        let key = key.isEmpty ? [0] : key
        var code = [UInt8](repeating: 0, count: 32)
        let made = unsafe HMAC(EVP_sha256(), key, CInt(length), bytes, bytes.count, &code, nil)
        precondition(unsafe made != nil, "libcrypto always has HMAC-SHA-256")
        return code
    }
}
