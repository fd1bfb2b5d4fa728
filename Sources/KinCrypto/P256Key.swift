import COpenSSL

/// A key of the curve P-256 (FIPS 186-4), as Web Push uses them: to agree on a secret, and to sign.
public struct P256Key: Sendable {
    /// The private number, 32 bytes.
    public let scalar: [UInt8]
    /// The point that others know, uncompressed: 65 bytes.
    public let point: [UInt8]

    /// The key of 32 bytes; `nil` where they are no valid scalar. Fewer than one in 2^32 random ones are invalid.
    public init?(scalar: [UInt8]) {
        guard scalar.count == 32 else { return nil }
        var point = [UInt8](repeating: 0, count: 65)
        guard unsafe kin_p256_times(scalar, nil, &point) == 1 else { return nil }
        self.scalar = scalar
        self.point = point
    }

    /// A new key of random bytes, by whoever draws them.
    public init(_ random: (Int) -> [UInt8]) {
        while true {
            if let made = P256Key(scalar: random(32)) {
                self = made
                return
            }
        }
    }

    /// The shared secret (SP 800-56A): 32 bytes; `nil` where the other's point is not on the curve.
    public func agree(with point: [UInt8]) -> [UInt8]? {
        guard point.count == 65, point[0] == 4 else { return nil }
        var secret = [UInt8](repeating: 0, count: 32)
        guard unsafe kin_p256_times(scalar, point, &secret) == 1 else { return nil }
        return secret
    }

    /// A signature with SHA-256 as JSON web tokens have it (RFC 7518 §3.4): two numbers of 32 bytes.
    public func sign(_ bytes: [UInt8]) -> [UInt8] {
        let key = unsafe kin_p256_key(scalar, point)
        let context = unsafe EVP_MD_CTX_new()
        defer {
            unsafe EVP_MD_CTX_free(context)
            unsafe EVP_PKEY_free(key)
        }
        var (der, count) = ([UInt8](repeating: 0, count: 80), 80)
        let begun = unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key)
        let signed = unsafe EVP_DigestSign(context, &der, &count, bytes, bytes.count)
        precondition(begun == 1 && signed == 1, "libcrypto always signs with a key that it made")
        return Self.numbers(ofDER: Array(der[..<count]))
    }

    /// The two numbers of a signature: a sequence of two integers (X.690).
    private static func numbers(ofDER der: [UInt8]) -> [UInt8] {
        var rest = der.dropFirst(2)
        var numbers: [UInt8] = []
        for _ in 0..<2 {
            let count = Int(rest[rest.startIndex + 1])
            let number = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            numbers += [UInt8](repeating: 0, count: 32 - number.count) + number
            rest = rest.dropFirst(2 + count)
        }
        return numbers
    }
}
