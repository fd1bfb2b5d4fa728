import COpenSSL

/// What all sessions of one side have in common: certificate and key, or what is trusted. To replace it at run time,
/// make a new one and use it for new sessions; sessions keep theirs.
@safe public final class TLSContext: @unchecked Sendable {
    /// Whom a client trusts.
    public enum Trust: Sendable, Equatable {
        /// The root certificate with this SHA-256 (32 bytes), which the server sends along, and nothing else. The host's
        /// name is not checked: whoever holds a key this root stands for is the family's daemon.
        case pinned([UInt8])
        /// What this machine trusts.
        case system
        /// The PEM certificates in this file.
        case file(String)
        /// Anyone. Only for fetching a root certificate that a person then compares: nothing secret may be sent.
        case anyone
    }

    /// Rule: not changed after `init`, but for the ticket keys, which have their own lock; libssl counts references atomically and locks where sessions share it.
    let pointer: OpaquePointer
    /// `nil` for a server.
    let trust: Trust?
    /// What a server's tickets are sealed with; `nil` for a client.
    private let ticketKeys: TicketKeys?
    /// Holds the 32 pinned bytes for libssl's callback, as long as a session can call it.
    private let pin: UnsafeMutablePointer<UInt8>?

    /// A server's context from PEM: the certificate, then what leads to the root, and the key.
    public init(serverChainPEM: [UInt8], keyPEM: [UInt8]) throws(TLSFailure) {
        let chain = try Certificate.all(pem: serverChainPEM)
        let key = try PrivateKey(pem: keyPEM)
        guard chain[0].belongs(to: key) else {
            throw .certificate("Certificate and key don't belong together: give the pair that was made at once.")
        }
        unsafe pointer = try Self.make(TLS_server_method())
        trust = nil
        unsafe pin = nil
        let ticketKeys = TicketKeys()
        self.ticketKeys = ticketKeys
        ERR_clear_error()
        var fine = unsafe SSL_CTX_use_certificate(pointer, chain[0].pointer) == 1
        fine = unsafe SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1 && fine
        for certificate in chain.dropFirst() {
            fine = unsafe kin_ctx_add_chain_certificate(pointer, certificate.pointer) == 1 && fine
        }
        let scope = Array("kinwire".utf8)
        fine = unsafe SSL_CTX_set_session_id_context(pointer, scope, CUnsignedInt(scope.count)) == 1 && fine
        fine = unsafe ticketKeys.serve(pointer) && fine
        guard fine else { throw .certificate("libssl does not take the certificate: \(libraryReason()).") }
        unsafe SSL_CTX_set_options(pointer, kin_server_options)
        // Sessions live in the clients' tickets, not here.
        unsafe kin_ctx_set_session_cache_mode(pointer, CLong(SSL_SESS_CACHE_OFF))
        unsafe SSL_CTX_set_alpn_select_cb(pointer, chooseProtocol, nil)
    }

    /// A client's context.
    public init(clientTrusting trust: Trust) throws(TLSFailure) {
        unsafe pointer = try Self.make(TLS_client_method())
        self.trust = trust
        ticketKeys = nil
        ERR_clear_error()
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        switch trust {
        case .pinned(let digest):
            precondition(digest.count == 32, "a pin is a SHA-256")
            let pin = UnsafeMutablePointer<UInt8>.allocate(capacity: 32)
            unsafe pin.initialize(from: digest, count: 32)
            unsafe self.pin = pin
            unsafe SSL_CTX_set_cert_verify_callback(pointer, verifyPinned, pin)
        case .anyone:
            unsafe pin = nil
            unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
        case .system:
            unsafe pin = nil
            guard unsafe SSL_CTX_set_default_verify_paths(pointer) == 1 else {
                throw .library("This machine's trusted certificates could not be read: \(libraryReason()).")
            }
        case .file(let path):
            unsafe pin = nil
            guard unsafe SSL_CTX_load_verify_file(pointer, path) == 1 else {
                throw .file("No trusted certificate could be read from \(path): \(libraryReason()).")
            }
        }
    }

    /// Seals session tickets with a fresh key from here on. Tickets of the key before are still accepted, and renewed.
    /// A client with an older one makes a full handshake. On any thread.
    public func rotateTicketKeys() { ticketKeys?.rotate() }

    deinit {
        unsafe SSL_CTX_free(pointer)
        unsafe pin?.deallocate()
    }

    /// What both sides want: TLS 1.2 with forward secrecy and authenticated ciphers, or 1.3; little memory when idle.
    private static func make(_ method: OpaquePointer?) throws(TLSFailure) -> OpaquePointer {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(method) else {
            throw .library("libssl does not start: \(libraryReason()).")
        }
        var fine = unsafe kin_ctx_set_min_version(context, CInt(TLS1_2_VERSION)) == 1
        fine =
            unsafe SSL_CTX_set_cipher_list(
                context, "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL:!eNULL:!PSK:!SRP") == 1 && fine
        fine = unsafe kin_ctx_set_groups(context, "X25519:P-256:P-384") == 1 && fine
        guard fine else {
            unsafe SSL_CTX_free(context)
            throw .library("libssl knows no modern cipher: \(libraryReason()).")
        }
        // A write is repeated, if ever, with the same bytes at another address. (A write to memory never waits.)
        unsafe kin_ctx_set_mode(
            context, CLong(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN))
        unsafe SSL_CTX_set_options(context, kin_options)
        return unsafe context
    }
}

/// RFC 7301 §3.2: `http/1.1` when it is offered; a client that offers only others is refused, so that a browser cannot
/// be led to speak something else here.
private let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenCount, offered, count, _ in
    guard let offered = unsafe offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(count))
    var start = 0
    while start < list.count {
        let length = unsafe Int(list[start])
        guard start + 1 + length <= list.count else { break }
        if unsafe list[(start + 1)..<(start + 1 + length)].elementsEqual(httpProtocol) {
            unsafe chosen?.pointee = offered + start + 1
            unsafe chosenCount?.pointee = UInt8(length)
            return SSL_TLSEXT_ERR_OK
        }
        start += 1 + length
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

let httpProtocol = Array("http/1.1".utf8)

/// Verifies with one trusted certificate: the one of the server's chain whose SHA-256 is pinned, signed by itself.
private let verifyPinned: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { store, pin in
    guard let pin = unsafe pin, let sent = unsafe X509_STORE_CTX_get0_untrusted(store) else { return 0 }
    let wanted = unsafe UnsafeRawBufferPointer(start: pin, count: 32)
    for index in 0..<max(0, unsafe kin_certificates_count(sent)) {
        guard let certificate = unsafe kin_certificates_at(sent, index),
            unsafe Certificate.sha256(of: certificate).elementsEqual(wanted)
        else { continue }
        let trusted = unsafe kin_certificates_new()
        defer { unsafe kin_certificates_free(trusted) }
        guard unsafe kin_certificates_push(trusted, certificate) > 0 else { return 0 }
        unsafe X509_STORE_CTX_set0_trusted_stack(store, trusted)
        return unsafe X509_verify_cert(store)
    }
    // The code that is put into the "no pinned root" sentence.
    unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT)
    return 0
}
