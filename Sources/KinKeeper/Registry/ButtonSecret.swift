import KinCrypto
package import KinModel

/// The secret of a button on a notification: the identifier of the offer that it belongs to, and a message
/// authentication code over that and the button's name, with a key that only the daemon has. 32 bytes, base64url. It
/// need not be stored: the daemon makes it when it writes to the device, and makes it again to check it.
package enum ButtonSecret {
    private static let codeBytes = 16

    /// The secret of a button.
    package static func make(_ offer: Identifier, _ name: String, key: [UInt8]) -> String {
        Base64.urlEncode(
            offer.bytes + Digest.hmacSHA256(key: key, offer.bytes + Array(name.utf8)).prefix(codeBytes))
    }

    /// The offer that a secret names; `nil` where the text cannot be a secret.
    package static func offer(of secret: String) -> Identifier? {
        guard secret.utf8.count <= 64, let bytes = Base64.urlDecode(secret), bytes.count == 16 + codeBytes else {
            return nil
        }
        return Identifier(bytes: Array(bytes.prefix(16)))
    }
}
