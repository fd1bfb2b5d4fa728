import COpenSSL
@_spi(_Unicode) import Swift

/// Passwords as scrypt hashes (RFC 7914) in the text form `$scrypt$ln=15,r=8,p=3$SALT$HASH` (base64 without padding).
///
/// One hash or one check takes about 0.2 s of processor and 32 MiB: call it on a worker, few at once. The memory is
/// above malloc's highest threshold for mapping, so the system has it back at once.
public enum PasswordHash {
    /// log₂ of N.
    static let costLog2: UInt64 = 15
    static let blockSize: UInt64 = 8
    static let parallelism: UInt64 = 3
    static let hashBytes = 32
    /// scrypt needs 128·r·(N + p) bytes and a little; anything beyond this is refused by libcrypto.
    static let memoryBytesMax: UInt64 = 64 << 20

    /// Hashes a password with this salt (16 random bytes for a new password).
    public static func make(_ password: String, salt: [UInt8]) -> String {
        let hash = scrypt(
            composed(password), salt: salt, costLog2: costLog2, blockSize: blockSize, parallelism: parallelism,
            count: hashBytes)
        guard let hash else { preconditionFailure("scrypt's parameters are constants that fit, memory is not short") }
        return "$scrypt$ln=\(costLog2),r=\(blockSize),p=\(parallelism)$" + Base64.encode(salt, padding: false) + "$"
            + Base64.encode(hash, padding: false)
    }

    /// Whether this is the password of the encoded hash. `false` too when the text is no such hash, or asks for more
    /// than 64 MiB.
    public static func matches(_ password: String, _ encoded: String) -> Bool {
        let parts = encoded.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1].elementsEqual("scrypt".utf8),
            let numbers = parameters(parts[2]), let salt = Base64.decode(String(parts[3]) ?? "?", padding: false),
            let hash = Base64.decode(String(parts[4]) ?? "?", padding: false), (16...64).contains(hash.count),
            let found = scrypt(
                composed(password), salt: salt, costLog2: numbers.ln, blockSize: numbers.r, parallelism: numbers.p,
                count: hash.count)
        else { return false }
        return equalInConstantTime(found, hash)
    }

    /// A hash no password is known for, to be checked when there is no such account, so that the answer takes as long.
    public static let decoy =
        "$scrypt$ln=15,r=8,p=3$S2lud2lyZURlY295U2FsdA$bm9ib2R5IGtub3dzIGEgcGFzc3dvcmQgZm9yIG1lISE"

    /// UTF-8 in Unicode's composed form (NFC), as RFC 8265 §4.2 asks: one keyboard sends “ü”, another “u” with a
    /// diaeresis. The standard library has this form for its `==`, but not yet in public; the test of it would notice.
    private static func composed(_ password: String) -> [UInt8] {
        var scalars = String.UnicodeScalarView()
        for scalar in password._nfc { scalars.append(scalar) }
        return Array(String(scalars).utf8)
    }

    private static func parameters(_ text: Substring.UTF8View) -> (ln: UInt64, r: UInt64, p: UInt64)? {
        let fields = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        func number(_ index: Int, _ name: String, _ range: ClosedRange<UInt64>) -> UInt64? {
            guard fields.count == 3, fields[index].starts(with: name.utf8),
                let digits = String(fields[index].dropFirst(name.utf8.count)), let value = UInt64(digits),
                range.contains(value)
            else { return nil }
            return value
        }
        guard let ln = number(0, "ln=", 1...20), let r = number(1, "r=", 1...32), let p = number(2, "p=", 1...16)
        else { return nil }
        return (ln, r, p)
    }

    /// RFC 7914 itself. `nil` when it would need more than ``memoryBytesMax``.
    static func scrypt(
        _ password: [UInt8], salt: [UInt8], costLog2: UInt64, blockSize: UInt64, parallelism: UInt64, count: Int
    ) -> [UInt8]? {
        // NULL as password would mean "only check the parameters"; an empty one needs an address.
        let length = password.count
        let password = password.isEmpty ? [0] : password
        var hash = [UInt8](repeating: 0, count: count)
        let made = unsafe password.withUnsafeBytes { secret in
            unsafe EVP_PBE_scrypt(
                secret.baseAddress?.assumingMemoryBound(to: CChar.self), length, salt, salt.count, 1 << costLog2,
                blockSize, parallelism, memoryBytesMax, &hash, count)
        }
        if made != 1 { ERR_clear_error() }
        return made == 1 ? hash : nil
    }
}
