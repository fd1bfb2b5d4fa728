/// A connection's life, as a state machine without input or output: facts go in, an order comes out. Its driver owns
/// the socket and the clock, on a real network or a simulated one.
///
/// Facts come in three sorts, by what they cost. A ``Fact`` may begin a stage, so its driver looks at the clock and
/// plans anew. ``Traffic`` happens with every read and write: its moment is read only where it counts, and its driver
/// plans anew only where an order came. A ``Wait`` has neither a moment nor an order. That time passed is a fact too
/// (``takeDue(_:_:isFollowing:owesBytes:)``). Nothing else changes it.
///
/// It knows the connection's stage, until when that must be over, whether the socket is read and its input counts, what
/// keeps the next request waiting, and since when the socket takes nothing. All moments are nanoseconds of a clock that
/// only goes forward.
struct ConnectionLife {
    /// The stage of a connection.
    enum Stage: Hashable, CaseIterable, Sendable {
        /// Nothing was said yet, or nothing within TLS.
        case firstByte
        case handshake
        /// A request's head is on its way.
        case head
        /// A request's content is on its way.
        case body
        /// Between two requests.
        case idle
        /// It carries messages, and nobody has signed in.
        case signIn
        /// It carries messages, and has no deadline.
        case open
        /// The reason for the end was sent, and the client's own goodbye is waited for.
        case goodbye
        /// The last bytes are sent, then it ends; its input no longer counts.
        case lastBytes
        /// All was sent and our side is closed; the client has a moment to close its own.
        case lingering
        /// It takes nothing. The reason for the end was put into its way, in case it takes that.
        case stuck
        case closed

        /// Whether its input still counts.
        var isListenedTo: Bool {
            switch self {
            case .firstByte, .handshake, .head, .body, .idle, .signIn, .open: true
            case .goodbye, .lastBytes, .lingering, .stuck, .closed: false
            }
        }
    }

    /// Something that happened.
    enum Fact: Hashable, Sendable {
        /// A TLS handshake begins; it is done.
        case handshakeBegan, handshakeDone
        /// The first bytes of a request's head came; its content is next; all of it is here.
        case headBegan, bodyBegan, requestIsWhole
        /// Something else decides whether its content may come.
        case requestWaits
        /// Its content waits for the disk; it continues.
        case bodyWaits, bodyGoesOn
        /// The answer is written, and another request may come.
        case answered
        /// From here on it carries messages, before or after sign-in. WebSockets are pinged.
        case speaks(isNobody: Bool, isPinged: Bool)
        /// Somebody signed in, or out.
        case signedIn, signedOut
        /// The reason for its end was sent, in the transport's own way.
        case saidGoodbye
        /// Its own goodbye is waited for.
        case awaitsGoodbye
        /// The rest of what it sends is dropped: the answer is known already.
        case dropsInput
        /// The bytes that are ready for it are its last.
        case ends
        /// All that was ready for it is taken.
        case tookAll
        /// The client sends nothing more. `Left` says what remains to be done, besides sending bytes that are ready.
        case inputEnded(Left)
        /// Its socket takes nothing more.
        case blocked
        /// The log's position was told.
        case toldUpto
        /// The moment for it to take its goodbye is over.
        case toldStuck
        /// It is closed.
        case closes
    }

    /// Something that happened at its socket, or with the bytes that were read of it.
    enum Traffic: Hashable, Sendable {
        /// Bytes came from it.
        case came(at: UInt64)
        /// After a step of its parser it stands between two messages or lines, or within one.
        case stoodBetween, stoodWithin
        /// The bytes read are parsed.
        case parsed(at: UInt64)
        /// There is no room for more of what it sends; there is room again.
        case filled
        case gotRoom(at: UInt64)
        /// Its socket took some bytes. Only while it counts as blocked does the moment matter.
        case took(at: UInt64)
        /// Its socket took all that waited.
        case tookRest
        /// Its socket takes something again.
        case unblocked
        /// The client is gone, as the kernel says of a connection whether it is read or not.
        case hungUp
    }

    /// Something that keeps its next bytes or its next request waiting, or does so no longer. None of these has a
    /// deadline or an order of its own.
    enum Wait: Hashable, Sendable {
        /// A request was sent for whose answer the later ones wait, so that all are applied in their order; a request
        /// was answered.
        case heldBy(UInt64), answered(UInt64)
        /// Its member or address has used its share of this turn; its last request is on its way.
        case usedShare, gotShare
        /// Its bytes are being parsed; they are parsed.
        case parseBegan, parseEnded
        /// Its handshake waits for a turn with room for another step; it takes the step.
        case handshakeWaits, handshakeGoesOn
    }

    /// The work that remains for a client that sends nothing more.
    enum Left: Hashable, Sendable {
        /// Answers or events that it asked for.
        case answers
        /// Only the transport's own end: TLS must send close_notify (RFC 8446 §6.1).
        case goodbye
        /// Nothing at all.
        case nothing
    }

    /// An order to the driver.
    enum Order: Hashable, Sendable {
        /// Close the socket.
        case close
        /// Send what is ready, then end.
        case end
        /// Close our side, and continue reading.
        case shutDown
        /// Ask the kernel for reports on the socket: that bytes came, if the connection is read; that it takes bytes again,
        /// if it is blocked.
        case watch
        /// Plan its next moment anew, as after each order: it may come earlier.
        case plan
        /// Answer 408: the request took too long to arrive.
        case answerLate
        /// Say that nobody has signed in, and end.
        case refuseNobody
        /// Say that a message took too long to arrive, and end.
        case refuseSlowMessage
        /// Say that it takes nothing, and end.
        case refuseStuck
        /// Tell the log's position.
        case upto
        case ping
    }

    /// An order, and the limit that was reached, where that is the reason.
    struct Due: Hashable {
        let order: Order
        var limit: String?
    }

    // There are thousands of connections. So small properties stand together, and an optional moment takes no more room
    // than a moment.
    /// When bytes last came from it.
    private var heardAt: UInt64
    private var pingedAt: UInt64
    private var uptoAt: UInt64 = 0
    private var messageBegan = Moment()
    private var blocked = Moment()
    private var held = Moment()
    /// When the stage must be over.
    private var deadline = Deadline.none
    private(set) var stage = Stage.firstByte
    private var isEncrypted = false
    private var isPinged = false
    /// Whether the reason for its end was sent.
    private(set) var hasSaidGoodbye = false
    /// Whether what is ready for it are its last bytes.
    private(set) var isEnding = false
    /// Whether its socket is read.
    private(set) var isRead = true
    /// Whether its client sends nothing more.
    private(set) var isInputEnded = false
    /// Whether its input no longer counts.
    private(set) var isInputDropped = false
    /// Whether its member or address has used its share of this turn.
    private(set) var waitsForTurn = false
    /// Whether its bytes are being parsed: an immediate answer must not start parsing the bytes after them.
    private(set) var isParsing = false
    /// Whether its handshake waits for a turn with room for another step.
    private(set) var isHandshakeWaiting = false
    /// Whether a part of a message or line has arrived.
    private(set) var isWithinMessage = false
    /// Whether its socket takes nothing, and has not reported since that it does.
    private(set) var isBlocked = false

    /// Since when a message or line has been coming in.
    private(set) var messageBegunAt: UInt64? {
        get { messageBegan.value }
        set { messageBegan.value = newValue }
    }
    /// Since when its socket has taken nothing.
    private(set) var blockedAt: UInt64? {
        get { blocked.value }
        set { blocked.value = newValue }
    }

    /// The slow request that is under way, by its number.
    private(set) var heldBy: UInt64? {
        get { held.value }
        set { held.value = newValue }
    }

    /// A moment or a number, or none, in eight bytes.
    private struct Moment {
        private var stored = UInt64.max
        var value: UInt64? {
            get { stored == .max ? nil : stored }
            set { stored = newValue ?? .max }
        }
    }

    /// When a stage must be over.
    private enum Deadline {
        /// Never.
        case none
        case at(UInt64)
        /// The clock stands still, with so much left.
        case stopped(left: UInt64)
    }

    init(_ now: UInt64, _ limits: ServerLimits) {
        heardAt = now
        pingedAt = now
        enter(.firstByte, limits.firstByteSeconds, now)
    }

    var isClosed: Bool { stage == .closed }
    /// Whether the reason for its end was sent, or it is ending.
    var isToldToEnd: Bool { isEnding || hasSaidGoodbye }

    private mutating func enter(_ stage: Stage, _ seconds: Int?, _ now: UInt64) {
        self.stage = stage
        deadline = seconds.map { .at(now &+ UInt64($0) &* 1_000_000_000) } ?? .none
    }

    // MARK: Facts

    /// Takes a fact and answers the order that follows. A fact that does not fit the stage changes nothing.
    mutating func take(_ fact: Fact, _ now: UInt64, _ limits: ServerLimits) -> Order? {
        guard stage != .closed else { return nil }
        switch fact {
        case .handshakeBegan: if stage.isListenedTo { enter(.handshake, limits.handshakeSeconds, now) }
        case .handshakeDone:
            guard stage == .handshake else { break }
            isEncrypted = true
            enter(.firstByte, limits.firstByteSeconds, now)
        case .headBegan: if stage.isListenedTo { enter(.head, limits.headSeconds, now) }
        case .bodyBegan: if stage.isListenedTo { enter(.body, limits.bodySeconds, now) }
        case .requestIsWhole, .requestWaits: if stage.isListenedTo { enter(.open, nil, now) }
        case .bodyWaits:
            guard case .at(let end) = deadline else { break }
            deadline = .stopped(left: end > now ? end &- now : 0)
        case .bodyGoesOn:
            guard case .stopped(let left) = deadline else { break }
            deadline = .at(now &+ left)
        case .answered: if stage.isListenedTo { enter(.idle, limits.idleSeconds, now) }
        case .speaks(let isNobody, let isPinged):
            self.isPinged = isPinged
            pingedAt = now
            guard stage.isListenedTo else { break }
            isNobody ? enter(.signIn, limits.signInSeconds, now) : enter(.open, nil, now)
        case .signedIn: if stage.isListenedTo { enter(.open, nil, now) }
        case .signedOut: if stage.isListenedTo { enter(.signIn, limits.signInSeconds, now) }
        case .saidGoodbye: hasSaidGoodbye = true
        case .awaitsGoodbye:
            // No answer is waited for any more.
            heldBy = nil
            guard stage.isListenedTo else { break }
            enter(.goodbye, limits.lingerSeconds, now)
            if isInputEnded { return .end }
        case .dropsInput: isInputDropped = true
        case .ends:
            isEnding = true
            isInputDropped = true
            enter(.lastBytes, limits.drainSeconds, now)
        case .tookAll:
            guard isEnding else { break }
            isEnding = false
            if isInputEnded { return .close }
            enter(.lingering, limits.lingerSeconds, now)
            return .shutDown
        case .inputEnded(let left): return inputEnded(left)
        case .blocked:
            isBlocked = true
            if blockedAt == nil { blockedAt = now }
            return .watch
        case .toldUpto: uptoAt = now
        case .toldStuck:
            enter(.stuck, limits.stuckGoodbyeSeconds, now)
            isBlocked = false
        case .closes: enter(.closed, nil, now)
        }
        return nil
    }

    private mutating func inputEnded(_ left: Left) -> Order? {
        isInputEnded = true
        if isEnding { return nil }
        if stage == .lingering { return .close }
        switch left {
        case .answers:
            isRead = false
            return .watch
        case .goodbye: return .end
        case .nothing: return .close
        }
    }

    /// Takes something that keeps it waiting, or does so no longer.
    mutating func take(_ wait: Wait) {
        switch wait {
        case .heldBy(let request): heldBy = request
        case .answered(let request): if heldBy == request { heldBy = nil }
        case .usedShare: waitsForTurn = true
        case .gotShare: waitsForTurn = false
        case .parseBegan: isParsing = true
        case .parseEnded: isParsing = false
        case .handshakeWaits: isHandshakeWaiting = true
        case .handshakeGoesOn: isHandshakeWaiting = false
        }
    }

    /// Whether its next request may be taken, as far as its own requests decide that.
    var mayAsk: Bool { heldBy == nil && !waitsForTurn }

    /// Whether a message has begun to come in, or has ended, since the read before: only then does ``Traffic/parsed(at:)``
    /// change anything.
    var isMessageNews: Bool { isWithinMessage != (messageBegunAt != nil) }

    /// Takes something that happened at its socket and answers the order that follows. Most of the time there is none.
    mutating func take(_ traffic: Traffic) -> Order? {
        switch traffic {
        case .came(let now): heardAt = now
        // The time for a message starts anew between two messages or lines, even when the next one begins within the
        // same read. A control frame within a message does not start it: otherwise pings would win the client any time.
        case .stoodBetween:
            isWithinMessage = false
            messageBegunAt = nil
        case .stoodWithin: isWithinMessage = true
        case .parsed(let now):
            guard isMessageNews else { break }
            messageBegunAt = isWithinMessage ? now : nil
            if isWithinMessage { return .plan }
        case .filled:
            guard isRead else { break }
            isRead = false
            return .watch
        case .gotRoom(let now):
            guard !isRead else { break }
            isRead = true
            // The time without reading does not count as the client's silence.
            heardAt = now
            if messageBegunAt != nil { messageBegunAt = now }
            return .watch
        case .took(let now): if blockedAt != nil { blockedAt = now }
        case .tookRest:
            // The kernel was asked to report that it is writable.
            guard blockedAt != nil else { break }
            blockedAt = nil
            return .watch
        case .unblocked: isBlocked = false
        // A client that resets while it is not read is gone as well. Otherwise the kernel would report it again and
        // again until something is written.
        case .hungUp: if !isRead, !isInputDropped { return .close }
        }
        return nil
    }

    // MARK: Time

    /// When something is due; `nil` for never.
    func nextDue(_ limits: ServerLimits, isFollowing: Bool) -> UInt64? {
        guard stage != .closed else { return nil }
        var next = UInt64.max
        if case .at(let end) = deadline { next = end }
        if let blockedAt, stage != .stuck { next = min(next, blockedAt &+ Self.nanoseconds(limits.stuckMilliseconds)) }
        if let messageBegunAt, isRead {
            next = min(next, messageBegunAt &+ Self.nanoseconds(limits.messageSeconds * 1000))
        }
        if isFollowing { next = min(next, uptoAt &+ Self.nanoseconds(limits.uptoMilliseconds)) }
        if isPinged, stage.isListenedTo, !hasSaidGoodbye {
            next = min(next, pingedAt &+ Self.nanoseconds(limits.pingMilliseconds))
            if isRead { next = min(next, heardAt &+ Self.nanoseconds(limits.silenceMilliseconds)) }
        }
        return next == .max ? nil : next
    }

    /// The next thing that is due; `nil` when nothing is.
    ///
    /// - Parameters:
    ///   - isFollowing: Whether it follows the log.
    ///   - owesBytes: Whether bytes are ready that it has not taken and may still take. False when the daemon ends.
    mutating func takeDue(_ now: UInt64, _ limits: ServerLimits, isFollowing: Bool, owesBytes: Bool) -> Due? {
        if case .at(let end) = deadline, now >= end { return stageIsOver(now, limits, owesBytes: owesBytes) }
        if let blockedAt, stage != .stuck, now >= blockedAt &+ Self.nanoseconds(limits.stuckMilliseconds) {
            return Due(order: .refuseStuck, limit: "stuck")
        }
        if let begunAt = messageBegunAt, isRead, now >= begunAt &+ Self.nanoseconds(limits.messageSeconds * 1000) {
            messageBegunAt = nil
            return Due(order: .refuseSlowMessage, limit: "slow_message")
        }
        if isFollowing, now >= uptoAt &+ Self.nanoseconds(limits.uptoMilliseconds) {
            uptoAt = now
            return Due(order: .upto)
        }
        guard isPinged, stage.isListenedTo, !hasSaidGoodbye else { return nil }
        if isRead, now >= heardAt &+ Self.nanoseconds(limits.silenceMilliseconds) {
            return Due(order: .close, limit: "silence")
        }
        if now >= pingedAt &+ Self.nanoseconds(limits.pingMilliseconds) {
            pingedAt = now
            return Due(order: .ping)
        }
        return nil
    }

    private mutating func stageIsOver(_ now: UInt64, _ limits: ServerLimits, owesBytes: Bool) -> Due? {
        deadline = .none
        switch stage {
        case .head, .body: return Due(order: .answerLate, limit: "slow_request")
        case .signIn: return Due(order: .refuseNobody, limit: "sign_in")
        case .goodbye where owesBytes, .lastBytes where owesBytes, .lingering where owesBytes && hasSaidGoodbye:
            // It still takes its answer; a client that takes nothing is closed for that.
            enter(stage, limits.drainSeconds, now)
            return nil
        case .idle: return Due(order: .end, limit: "idle")
        // TLS must send close_notify (RFC 8446 §6.1).
        case .firstByte: return Due(order: isEncrypted ? .end : .close, limit: "first_byte")
        case .handshake: return Due(order: .close, limit: "handshake")
        case .goodbye, .lastBytes, .lingering, .stuck, .open: return Due(order: .close)
        case .closed: return nil
        }
    }

    private static func nanoseconds(_ milliseconds: Int) -> UInt64 { UInt64(milliseconds) &* 1_000_000 }
}
