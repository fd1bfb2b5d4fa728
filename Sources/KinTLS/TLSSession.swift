import COpenSSL

/// One TLS connection without its socket: ciphertext goes in and out as bytes.
///
/// After each call of `received`, `read`, `write` or `close`, take what is to be sent with `takeOutput`. A client begins
/// with `read`. Confined to one thread at a time.
@safe public final class TLSSession {
    /// What a read or a write came to.
    public enum Outcome: Sendable, Equatable {
        /// That many bytes were read or written, at least one.
        case bytes(Int)
        /// More ciphertext from the peer is needed first. (For a write: the handshake is not over.)
        case needsMore
        /// The peer said goodbye (close_notify): nothing more will come. For a write: we did.
        case closed
        /// It is over; the sentence says why. Take the output once more: it may hold the alert for the peer.
        case failed(String)
    }

    // Fixed at birth.
    private let ssl: OpaquePointer
    private let wire = TLSWire()
    /// Lives as long as its sessions: a callback uses its pin.
    private let context: TLSContext
    // Lives across turns.
    private var failure: String?
    private var hasSaidGoodbye = false

    /// A server's side of a new connection.
    public convenience init(server context: TLSContext) throws(TLSFailure) {
        precondition(context.trust == nil, "a server's session needs a server's context")
        try self.init(context)
        unsafe SSL_set_accept_state(ssl)
    }

    /// A client's side of a new connection to this host: a DNS name, or an address (in brackets or not).
    ///
    /// - Parameters:
    ///   - alpn: what will be spoken inside (RFC 7301), `nil` to leave it open.
    ///   - ticket: what ``ticket`` gave on an earlier connection to this server with this context's trust; shortens the
    ///     handshake, and trust is not checked anew.
    public convenience init(
        client context: TLSContext, host: String, alpn: String? = "http/1.1", ticket: [UInt8]? = nil
    ) throws(TLSFailure) {
        precondition(context.trust != nil, "a client's session needs a client's context")
        try self.init(context)
        unsafe SSL_set_connect_state(ssl)
        ERR_clear_error()
        let name = ServedName(address: host) ?? ServedName(dns: host)
        var fine = true
        let isChecked =
            switch context.trust {
            case .pinned, .anyone: false
            default: true
            }
        let parameters = unsafe SSL_get0_param(ssl)
        switch name {
        case .dns(let name):
            fine = unsafe kin_set_server_name(ssl, name) == 1
            if isChecked { fine = unsafe X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1 && fine }
        case .address(let bytes):
            // RFC 6066 §3: no address in the server name.
            if isChecked { fine = unsafe X509_VERIFY_PARAM_set1_ip(parameters, bytes, bytes.count) == 1 }
        case nil:
            guard !isChecked else { throw .library("“\(host)” is neither a host name nor an address.") }
        }
        if let alpn {
            let bytes = Array(alpn.utf8)
            precondition((1...255).contains(bytes.count), "RFC 7301: 1 to 255 bytes")
            fine =
                unsafe SSL_set_alpn_protos(ssl, [UInt8(bytes.count)] + bytes, CUnsignedInt(bytes.count + 1)) == 0
                && fine
        }
        if let ticket { resume(ticket) }
        guard fine else { throw .library("libssl does not take “\(host)”: \(libraryReason()).") }
    }

    private init(_ context: TLSContext) throws(TLSFailure) {
        ERR_clear_error()
        guard let made = unsafe SSL_new(context.pointer) else {
            throw .library("A TLS session could not be made: \(libraryReason()).")
        }
        unsafe ssl = made
        self.context = context
        guard let bio = unsafe wire.makeBIO() else { throw .library("A TLS session could not be made: no memory.") }
        unsafe SSL_set_bio(ssl, bio, bio)
    }

    deinit { unsafe SSL_free(ssl) }

    /// Ciphertext arrived. It is copied and kept until read.
    public func received(_ ciphertext: UnsafeRawBufferPointer) { unsafe wire.received(ciphertext) }
    /// Ciphertext arrived. It is copied and kept until read.
    public func received(_ ciphertext: [UInt8]) {
        unsafe ciphertext.withUnsafeBytes { unsafe wire.received($0) }
    }

    /// Goes on with the handshake and reads plaintext into a buffer of at least one byte. Call until it is not
    /// `.bytes`.
    public func read(into plain: UnsafeMutableRawBufferPointer) -> Outcome {
        precondition(plain.count > 0, "a read needs room")
        if let failure { return .failed(failure) }
        ERR_clear_error()
        let count = unsafe SSL_read(ssl, plain.baseAddress, CInt(clamping: plain.count))
        return count > 0 ? .bytes(Int(count)) : outcome(count)
    }

    /// Enciphers plaintext: all of it (up to 2³¹−1 bytes), or nothing while the handshake isn't over. Nothing to
    /// write is `.needsMore`.
    public func write(_ plain: UnsafeRawBufferPointer) -> Outcome {
        if let failure { return .failed(failure) }
        guard !hasSaidGoodbye else { return .closed }
        guard plain.count > 0 else { return .needsMore }
        ERR_clear_error()
        let count = unsafe SSL_write(ssl, plain.baseAddress, CInt(clamping: plain.count))
        return count > 0 ? .bytes(Int(count)) : outcome(count)
    }

    private func outcome(_ result: CInt) -> Outcome {
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsMore
        case SSL_ERROR_ZERO_RETURN: return .closed
        default:
            let isPinned = if case .pinned = context.trust { true } else { false }
            let sentence = unsafe sessionFailureSentence(verification: SSL_get_verify_result(ssl), pinned: isPinned)
            failure = sentence
            return .failed(sentence)
        }
    }

    /// Whether ciphertext waits to be sent.
    public var hasOutput: Bool { !wire.output.isEmpty }
    /// Bytes of ciphertext that wait to be sent.
    public var outputCount: Int { wire.output.count }
    /// Appends the ciphertext that waits to be sent; without copying when `output` is empty.
    public func takeOutput(into output: inout [UInt8]) { wire.takeOutput(into: &output) }

    /// Says goodbye (close_notify), once; not during a handshake or after a failure. Reading may go on.
    public func close() {
        guard failure == nil, !hasSaidGoodbye, isHandshakeComplete else { return }
        hasSaidGoodbye = true
        ERR_clear_error()
        unsafe SSL_shutdown(ssl)
        ERR_clear_error()
    }
}

extension TLSSession {
    /// Whether application data may flow.
    public var isHandshakeComplete: Bool { unsafe SSL_is_init_finished(ssl) == 1 }

    /// `TLSv1.3` or `TLSv1.2`.
    public var version: String { unsafe String(cString: SSL_get_version(ssl)) }

    /// The application protocol both sides agreed on (RFC 7301), `nil` when none was asked for.
    public var alpn: String? {
        var bytes: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        unsafe SSL_get0_alpn_selected(ssl, &bytes, &count)
        guard let bytes = unsafe bytes, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// Whether the handshake was shortened by a ticket.
    public var resumed: Bool { unsafe SSL_session_reused(ssl) == 1 }

    /// The server's name the client asked for (RFC 6066 SNI), `nil` for none.
    public var serverName: String? {
        guard let name = unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) else { return nil }
        return unsafe String(cString: name)
    }

    /// For a client, what shortens a later handshake with the same server; a secret. `nil` while the server has given
    /// none: with TLS 1.3 it comes after the handshake, with the first reads.
    public var ticket: [UInt8]? {
        guard let session = unsafe SSL_get1_session(ssl) else { return nil }
        defer { unsafe SSL_SESSION_free(session) }
        guard unsafe SSL_SESSION_is_resumable(session) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(max(0, unsafe i2d_SSL_SESSION(session, nil))))
        let count = bytes.count
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe i2d_SSL_SESSION(session, &cursor)
        }
        return Int(written) == count && count > 0 ? bytes : nil
    }

    /// A ticket that is not readable is no harm: the handshake is a full one.
    private func resume(_ ticket: [UInt8]) {
        unsafe ticket.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let session = unsafe d2i_SSL_SESSION(nil, &cursor, buffer.count) else { return }
            unsafe SSL_set_session(ssl, session)
            unsafe SSL_SESSION_free(session)
        }
        ERR_clear_error()
    }
}
