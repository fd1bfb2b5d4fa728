import COpenSSL
import Synchronization

/// The keys with which a server seals its session tickets (RFC 5077 §4, RFC 8446 §4.6.1): the current one, and the one
/// before it, whose tickets are still accepted. libssl's own key would stay the same for as long as the context lives,
/// and with it somebody could decrypt TLS 1.2 traffic of that whole time.
final class TicketKeys: Sendable {
    struct Key: Sendable {
        /// The key's name in the ticket, by which the key is found again.
        let name: [UInt8]
        /// AES-256 in CBC mode.
        let cipher: [UInt8]
        /// HMAC-SHA-256.
        let mac: [UInt8]

        init() {
            name = Self.random(16)
            cipher = Self.random(32)
            mac = Self.random(32)
        }

        static func random(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            precondition(
                unsafe RAND_priv_bytes(&bytes, CInt(count)) == 1, "a machine without randomness can keep no secret")
            return bytes
        }
    }

    /// Newest first. libssl asks on the loop's thread, in a handshake.
    private let keys = Mutex([Key()])

    /// New tickets are sealed with a fresh key; those of the key before are still taken, older ones no more.
    func rotate() {
        let fresh = Key()
        keys.withLock { $0 = [fresh] + $0.prefix(1) }
    }

    var newest: Key { keys.withLock { $0[0] } }

    func find(_ name: [UInt8]) -> (key: Key, isNewest: Bool)? {
        keys.withLock { keys in
            keys.firstIndex { $0.name == name }.map { (keys[$0], $0 == 0) }
        }
    }

    /// Has a context seal with these keys, which must live as long as it does.
    func serve(_ context: OpaquePointer) -> Bool {
        let here = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe SSL_CTX_set_ex_data(context, 0, here) == 1
            && SSL_CTX_set_tlsext_ticket_key_evp_cb(context, sealTicket) == 1
    }
}

/// SSL_CTX_set_tlsext_ticket_key_evp_cb(3): the name and the start value have 16 bytes each; 0 is "no such key" and a
/// whole handshake, 2 is "taken, and give a new one", −1 ends the handshake.
private let sealTicket:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?, CInt
    ) -> CInt = { ssl, name, start, cipher, mac, isSealing in
        guard let name = unsafe name, let start = unsafe start,
            let place = unsafe SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0)
        else { return -1 }
        // Put there by `serve`; the context's owner keeps it as long as the context.
        let keys = unsafe Unmanaged<TicketKeys>.fromOpaque(place).takeUnretainedValue()
        let key: TicketKeys.Key
        var isNewest = true
        if isSealing == 1 {
            key = keys.newest
            let bytes = TicketKeys.Key.random(16)
            for index in 0..<16 { unsafe (name[index], start[index]) = (key.name[index], bytes[index]) }
        } else {
            guard let found = unsafe keys.find(Array(UnsafeBufferPointer(start: name, count: 16))) else { return 0 }
            (key, isNewest) = found
        }
        let isKeyed =
            isSealing == 1
            ? unsafe EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.cipher, start)
            : unsafe EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.cipher, start)
        guard isKeyed == 1, unsafe kin_mac_set_key(mac, key.mac, key.mac.count) == 1 else { return -1 }
        return isNewest ? 1 : 2
    }
