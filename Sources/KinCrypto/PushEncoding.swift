import COpenSSL

/// Encrypts messages to a browser, which pass through its maker's push service, so that only the browser can read them:
/// one record of `aes128gcm` (RFC 8188), with a key agreed with the browser's (RFC 8291).
public enum PushEncoding {
    /// Bytes of the whole that every push service takes (RFC 8030 §7.2).
    public static let bytesMax = 4096
    /// Bytes of a record, as RFC 8291 §4 has it.
    private static let recordBytes = 4096
    /// Salt, record size, and a key's point with its length.
    private static let headerBytes = 16 + 4 + 1 + 65
    /// The delimiter of the text, and the authentication tag.
    private static let besides = 1 + 16
    /// Bytes of text at most.
    public static let plainBytesMax = bytesMax - headerBytes - besides

    /// The lengths that texts are padded to: the push service learns only which of the three it is.
    static let lengths = [1024, 2048, plainBytesMax]

    /// Enciphers a text for the browser with this key and this secret.
    ///
    /// - Parameters:
    ///   - point: The browser's, 65 bytes (`p256dh`).
    ///   - auth: The browser's, 16 bytes.
    ///   - salt: 16 random bytes.
    ///   - key: A new one for each message.
    ///   - isPadded: False for vectors.
    /// - Returns: `nil` where the point is none, or the text is too long.
    public static func seal(
        _ plain: [UInt8], to point: [UInt8], auth: [UInt8], salt: [UInt8], key: P256Key, isPadded: Bool = true
    ) -> [UInt8]? {
        guard let secret = key.agree(with: point), auth.count == 16 else { return nil }
        let info = Array("WebPush: info\0".utf8) + point + key.point
        let material = Digest.hmacSHA256(key: Digest.hmacSHA256(key: auth, secret), info + [1])
        return seal(plain, material: material, salt: salt, keyID: key.point, isPadded: isPadded)
    }

    /// The same with a key that both sides have already (RFC 8188 §2).
    static func seal(
        _ plain: [UInt8], material: [UInt8], salt: [UInt8], keyID: [UInt8], isPadded: Bool
    ) -> [UInt8]? {
        precondition(salt.count == 16 && keyID.count < 256, "a header has 16 bytes of salt, and a short name")
        guard plain.count <= plainBytesMax else { return nil }
        let root = Digest.hmacSHA256(key: salt, material)
        func derived(_ what: String, _ count: Int) -> [UInt8] {
            Array(Digest.hmacSHA256(key: root, Array("Content-Encoding: \(what)\0".utf8) + [1]).prefix(count))
        }
        let length = isPadded ? lengths.first { $0 >= plain.count } ?? plain.count : plain.count
        // 2 ends the text of the last record; zeros follow.
        let padded = plain + [2] + [UInt8](repeating: 0, count: length - plain.count)
        let size = (0..<4).map { UInt8(truncatingIfNeeded: recordBytes >> (24 - 8 * $0)) }
        return salt + size + [UInt8(keyID.count)] + keyID
            + encrypted(padded, key: derived("aes128gcm", 16), nonce: derived("nonce", 12))
    }

    /// AES-128-GCM (SP 800-38D), the code of 16 bytes behind.
    private static func encrypted(_ plain: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: plain.count + 16)
        var (count, last): (CInt, CInt) = (0, 0)
        let begun = unsafe EVP_EncryptInit_ex2(context, EVP_aes_128_gcm(), key, nonce, nil)
        let done = unsafe EVP_EncryptUpdate(context, &output, &count, plain, CInt(plain.count))
        var (tail, tag) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16))
        let ended = unsafe EVP_EncryptFinal_ex(context, &tail, &last)
        let tagged = unsafe kin_cipher_tag(context, &tag)
        precondition(
            begun == 1 && done == 1 && ended == 1 && tagged == 1 && Int(count) == plain.count,
            "libcrypto always has AES-128-GCM")
        output.replaceSubrange(plain.count..., with: tag)
        return output
    }
}
