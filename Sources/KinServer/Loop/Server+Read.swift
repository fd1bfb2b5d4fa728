import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinTLS

extension Server {
    // MARK: Accepting

    func accept(_ token: Token, _ peer: Peer, listener: Int) {
        counters.accepted += 1
        let now = time.monotonicNanoseconds()
        var isMachine = false
        if case .unix(let uid, _, _) = peer { isMachine = uid == 0 || uid == settings.ownUserID }
        let connection = Connection(
            token: token, peer: peer, isMachine: isMachine, isForMetrics: listener >= settings.metricsListeners,
            now: now, limits: limits)
        connections.insert(connection)
        if connections.isOverfull || ending.hasBegun {
            hitLimit("connections")
            return refuse(connection, 503, "There are too many connections; try again later.")
        }
        if connection.address != nil, !connection.isLocal, hall.policy.proxyWord(connection) == nil {
            if connections.isOneTooMany(atAddressOf: connection) {
                hitLimit("connections_per_address")
                return refuse(connection, 429, "There are too many connections from your address; close some.")
            }
        }
        plan(connection)
    }

    /// Closes a connection that is one too many. Its protocol is not known yet. It is told once, in HTTP, as far as the
    /// socket takes it.
    private func refuse(_ connection: Connection, _ status: Int, _ sentence: String) {
        counters.refused += 1
        let answer = HTTPAnswer.problem(status, sentence, headers: ["Retry-After": "30"])
        respondWithoutExchange(connection, answer)
        _ = unsafe connection.out.withUnsafeBytes { unsafe network.write(connection.token, $0) }
        network.shutdownWriting(connection.token)
        // Closing with a request unread would send a reset, which can overtake the answer.
        _ = unsafe network.read(connection.token, into: buffers.read)
        close(connection)
    }

    // MARK: Reading

    /// Reads once: at most one buffer a connection and turn, so that no one starves the others.
    func read(_ connection: Connection) {
        guard connection.life.isRead, !connection.isClosed, !connection.life.isHandshakeWaiting else { return }
        guard !connection.life.waitsForTurn else {
            // More came while it waits for its share. The kernel would report that in every turn.
            noteRoom(connection, false)
            return
        }
        switch unsafe network.read(connection.token, into: buffers.read) {
        case .bytes(let count):
            passed(.came(at: time.monotonicNanoseconds()), connection)
            counters.bytesIn &+= count
            unsafe received(
                connection, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffers.read)[..<count]))
        case .wouldBlock: return
        case .end: inputEnded(connection)
        case .failed: close(connection)
        }
    }

    private func received(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) {
        guard !connection.life.isInputDropped else { return }
        if let tls = connection.tls {
            unsafe tls.received(bytes)
            if tls.isHandshakeComplete { pump(tls, connection) } else { handshakes.wait(connection) }
            return
        }
        unsafe parse(connection, Span(_unsafeBytes: bytes))
    }

    /// Takes decrypted bytes out of TLS.
    func pump(_ tls: TLSSession, _ connection: Connection) {
        while !connection.isClosed, !connection.life.waitsForTurn, connection.life.isRead || connection.unread.isEmpty {
            let outcome = unsafe tls.read(into: buffers.plain)
            if tls.hasOutput { markDirty(connection) }
            switch outcome {
            case .bytes(let count):
                if connection.life.stage == .handshake { happened(.handshakeDone, connection) }
                let plain = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffers.plain)[..<count])
                unsafe parse(connection, Span(_unsafeBytes: plain))
            case .needsMore:
                if tls.isHandshakeComplete, connection.life.stage == .handshake {
                    happened(.handshakeDone, connection)
                }
                return
            case .closed:
                inputEnded(connection)
                return
            case .failed(let sentence):
                tell(.connection, "A TLS connection failed: \(sentence)")
                endWhenFlushed(connection)
                return
            }
        }
    }

    private func inputEnded(_ connection: Connection) {
        happened(.inputEnded(left(for: connection)), connection)
    }

    /// The work that remains for a client that sends nothing more.
    private func left(for connection: Connection) -> ConnectionLife.Left {
        if connection.life.isInputDropped { return .nothing }
        return switch connection.codec {
        // An answer that ends only with the client is no answer that is waited for.
        case .http where connection.exchange?.isHeldOpen ?? false:
            connection.tls?.isHandshakeComplete ?? false ? .goodbye : .nothing
        // A half-closed client still gets what it asked for, and a follower its events.
        case .lines, .http: hasAll(connection) ? .goodbye : .answers
        case .webSocket, .stream, .undecided:
            connection.tls?.isHandshakeComplete ?? false ? .goodbye : .nothing
        }
    }

    /// Whether a client has got everything that it asked for.
    private func hasAll(_ connection: Connection) -> Bool {
        connection.answers.isEmpty && connection.following == nil && connection.unread.isEmpty
            && !connection.isWithinPieces
    }

    // MARK: Parsing

    /// Whether more requests of this connection may be taken now.
    func hasCredit(_ connection: Connection) -> Bool {
        // The reason for the end was sent: only its own goodbye is waited for.
        if connection.life.hasSaidGoodbye { return true }
        if !connection.life.mayAsk || ending.hasBegun { return false }
        // What a client does not take is bounded, including replies that wait for their place in its stream.
        if connection.pendingBytes > limits.outBytesMax { return false }
        let waiting = connection.following?.waiting.count ?? 0
        if connection.answers.count + waiting >= limits.requestsPerConnectionMax { return false }
        if isBodyFull(connection) { return false }
        if case .http = connection.codec { return connection.answers.isEmpty }
        return true
    }

    /// Parses what is left of before and these bytes, as far as credit reaches; keeps the rest and stops reading.
    func parse(_ connection: Connection, _ bytes: Span<UInt8>) {
        guard !connection.unread.isEmpty else { return parseAll(connection, bytes) }
        let input = bytes.isEmpty ? connection.unread : connection.unread + bytes.array
        connection.unread = []
        parseAll(connection, input.span)
    }

    /// The same without more bytes.
    func parse(_ connection: Connection) { parse(connection, [UInt8]().span) }

    /// The bytes lie in the buffer of the read. Only what outlives the call is copied. (Uploads are most of what a
    /// daemon reads.)
    private func parseAll(_ connection: Connection, _ input: Span<UInt8>) {
        var taken = 0
        connection.life.take(.parseBegan)
        defer { connection.life.take(.parseEnded) }
        while !connection.isClosed, hasCredit(connection) {
            if connection.life.isInputDropped { return }
            let (consumed, needsMore) = step(connection, input, from: taken)
            taken += consumed
            if needsMore { break }
        }
        guard !connection.isClosed else { return }
        if connection.life.isMessageNews { passed(.parsed(at: time.monotonicNanoseconds()), connection) }
        if taken < input.count { connection.unread = input.extracting(taken...).array }
        // It is read again soon: the kernel is told only if more comes meanwhile (`read`).
        if connection.life.waitsForTurn { return }
        // Where nothing is left over, another read costs little and shows whether the client is gone. A body that waits
        // for the disk is an exception.
        let mayRead =
            hasCredit(connection)
            || connection.unread.isEmpty && connection.life.heldBy == nil && !isBodyFull(connection)
        noteRoom(connection, mayRead && !connection.life.isInputEnded)
    }

    /// Notes whether there is room for more of what it sends.
    func noteRoom(_ connection: Connection, _ hasRoom: Bool) {
        guard connection.life.isRead != hasRoom else { return }
        passed(hasRoom ? .gotRoom(at: time.monotonicNanoseconds()) : .filled, connection)
    }

    /// Continues with the rest that was kept when credit ran out.
    func resume(_ connection: Connection) {
        guard !connection.isClosed, !connection.life.isParsing, hasCredit(connection) else { return }
        // A body may be complete already, which only the parser knows.
        let mayHaveEnded = connection.exchange.map { $0.upload != nil || $0.takesPieces } ?? false
        if !connection.unread.isEmpty || mayHaveEnded { parse(connection) }
        if let tls = connection.tls, !connection.isClosed, hasCredit(connection) { pump(tls, connection) }
        guard !connection.isClosed, hasCredit(connection) else { return }
        if connection.life.isInputEnded {
            if hasAll(connection) { endWhenFlushed(connection) }
        } else {
            noteRoom(connection, true)
        }
    }

    /// One step of the connection's codec: how many bytes it took, and whether it can continue without more of them.
    private func step(
        _ connection: Connection, _ input: Span<UInt8>, from start: Int
    ) -> (consumed: Int, needsMore: Bool) {
        let rest = input.extracting(start...)
        switch connection.codec {
        case .undecided: return decide(connection, input, from: start)
        case .http(var parser):
            // The parser is moved out and back: while the connection holds it, changing it would copy it.
            connection.codec = .undecided
            let (consumed, step) = parser.consume(rest)
            connection.codec = .http(parser)
            // The next request on a kept connection has as long for its head as the first one.
            if consumed > 0, connection.life.stage == .idle { happened(.headBegan, connection) }
            take(step, connection)
            if case .needsMore = step { return (consumed, true) }
            return (consumed, false)
        case .webSocket(var machine):
            connection.codec = .undecided
            machine.messageBytesMax = messageBytesMax(connection)
            let (consumed, event) = machine.consume(rest)
            connection.codec = .webSocket(machine)
            passed(machine.isBetweenMessages ? .stoodBetween : .stoodWithin, connection)
            take(event, connection)
            return (consumed, event == .needsMore)
        case .lines(var splitter):
            connection.codec = .undecided
            splitter.lineBytesMax = messageBytesMax(connection)
            let (consumed, step) = splitter.consume(rest)
            connection.codec = .lines(splitter)
            passed(splitter.isBetweenLines ? .stoodBetween : .stoodWithin, connection)
            take(step, connection)
            return (consumed, step == .needsMore)
        case .stream: return (rest.count, true)
        }
    }

    /// The first byte says what a connection speaks.
    private func decide(
        _ connection: Connection, _ input: Span<UInt8>, from start: Int
    ) -> (consumed: Int, needsMore: Bool) {
        guard start < input.count else { return (0, true) }
        if let taken = takeProxyHeader(connection, input, from: start) { return taken }
        switch input[start] {
        case 0x16:
            startTLS(connection, input.extracting(start...).array)
            return (input.count - start, true)
        case 0x0D, 0x0A: return (1, false)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            var httpLimits = HTTPLimits()
            httpLimits.bodyBytesMax = limits.bodyBytesMax
            connection.codec = .http(HTTPRequestParser(limits: httpLimits))
            happened(.headBegan, connection)
            return step(connection, input, from: start)
        case UInt8(ascii: "{") where !settings.isEcho && !connection.isForMetrics:
            connection.codec = .lines(LineSplitter(lineBytesMax: limits.bytesBeforeSignInMax))
            happened(.speaks(isNobody: !connection.isMachine, isPinged: false), connection)
            return step(connection, input, from: start)
        case UInt8(ascii: "["):
            let rejection = Rejection(.request, "There are no batches here; send one request a line.")
            connection.out += RPC.error(
                id: nil, code: rejection.kind.rawValue, message: rejection.message, data: rejection.data)
            connection.out.append(0x0A)
            endWhenFlushed(connection)
            return (input.count - start, true)
        case 0x21...0x7E:
            respondWithoutExchange(connection, .problem(400, "This is neither TLS nor HTTP nor a line of JSON."))
            return (input.count - start, true)
        default:
            endWhenFlushed(connection)
            return (input.count - start, true)
        }
    }
}
