import CSodium

/// libsodium's secretbox (XSalsa20-Poly1305) as OwnTracks uses it: 24 bytes of nonce, then the box; the key is a
/// passphrase filled up with zeros to 32 bytes.
public enum SecretBox {
    static let nonceBytes = Int(crypto_secretbox_NONCEBYTES)
    static let codeBytes = Int(crypto_secretbox_MACBYTES)
    static let keyBytes = Int(crypto_secretbox_KEYBYTES)

    /// Opens nonce and box. `nil` when it is too short, was changed, or was closed with another key. Key bytes past the
    /// 32nd don't count, as with OwnTracks.
    public static func open(_ boxWithNonce: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard ready, boxWithNonce.count >= nonceBytes + codeBytes else { return nil }
        let nonce = Array(boxWithNonce[..<nonceBytes])
        let box = Array(boxWithNonce[nonceBytes...])
        var message = [UInt8](repeating: 0, count: box.count - codeBytes)
        let opened = unsafe crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, full(key))
        return opened == 0 ? message : nil
    }

    /// Closes a message with a random nonce (or the one given, of 24 bytes, never used twice with one key).
    public static func seal(_ message: [UInt8], key: [UInt8], nonce: [UInt8]? = nil) -> [UInt8] {
        let nonce = nonce ?? Randomness.bytes(nonceBytes)
        precondition(nonce.count == nonceBytes, "a secretbox's nonce has 24 bytes")
        precondition(ready, "libsodium finds a processor it can use")
        var box = [UInt8](repeating: 0, count: codeBytes + message.count)
        let sealed = unsafe crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, full(key))
        precondition(sealed == 0, "secretbox takes any message that fits in memory")
        return nonce + box
    }

    /// Picks the fastest implementation; may be called from any thread, works once.
    private static let ready = sodium_init() >= 0

    private static func full(_ key: [UInt8]) -> [UInt8] {
        let cut = key.prefix(keyBytes)
        return cut + [UInt8](repeating: 0, count: keyBytes - cut.count)
    }
}
