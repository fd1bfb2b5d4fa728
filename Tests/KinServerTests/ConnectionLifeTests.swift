import Testing

@testable import KinServer
@testable import KinServerBox

/// A connection's life by itself: facts and moments in, orders out.
@Suite struct ConnectionLifeTests {
    typealias Life = ConnectionLife
    let limits = ServerLimits()
    static let second: UInt64 = 1_000_000_000

    func life(_ facts: Life.Fact..., at now: UInt64 = 0) -> Life {
        var life = Life(now, limits)
        for fact in facts { _ = life.take(fact, now, limits) }
        return life
    }

    func take(_ life: inout Life, _ fact: Life.Fact) -> Life.Order? { life.take(fact, 0, limits) }

    /// What is due at a moment.
    func due(_ life: inout Life, at seconds: Int, isFollowing: Bool = false, owes: Bool = false) -> Life.Due? {
        life.takeDue(UInt64(seconds) * Self.second, limits, isFollowing: isFollowing, owesBytes: owes)
    }

    @Test func `each stage that may last too long says so when it has, and not before`() {
        let cases: [(Life, Int, Life.Due)] = [
            (life(), limits.firstByteSeconds, .init(order: .close, limit: "first_byte")),
            (life(.handshakeBegan), limits.handshakeSeconds, .init(order: .close, limit: "handshake")),
            // TLS is owed a goodbye.
            (
                life(.handshakeBegan, .handshakeDone), limits.firstByteSeconds,
                .init(order: .end, limit: "first_byte")
            ),
            (life(.headBegan), limits.headSeconds, .init(order: .answerLate, limit: "slow_request")),
            (life(.headBegan, .bodyBegan), limits.bodySeconds, .init(order: .answerLate, limit: "slow_request")),
            (life(.requestIsWhole, .answered), limits.idleSeconds, .init(order: .end, limit: "idle")),
            (
                life(.speaks(isNobody: true, isPinged: false)), limits.signInSeconds,
                .init(order: .refuseNobody, limit: "sign_in")
            ),
            (life(.saidGoodbye, .awaitsGoodbye), limits.lingerSeconds, .init(order: .close)),
            (life(.ends), limits.drainSeconds, .init(order: .close)),
            (life(.ends, .tookAll), limits.lingerSeconds, .init(order: .close)),
            (life(.toldStuck), limits.stuckGoodbyeSeconds, .init(order: .close)),
        ]
        for (life, seconds, expected) in cases {
            #expect(life.nextDue(limits, isFollowing: false) == UInt64(seconds) * Self.second, "\(life.stage)")
            var early = life
            #expect(due(&early, at: seconds - 1) == nil, "\(life.stage)")
            var late = life
            #expect(due(&late, at: seconds) == expected, "\(life.stage)")
            // Once is enough.
            #expect(due(&late, at: seconds) == nil, "\(life.stage)")
        }
        for fact in [Life.Fact.requestIsWhole, .signedIn, .speaks(isNobody: false, isPinged: false), .closes] {
            #expect(life(fact).nextDue(limits, isFollowing: false) == nil, "\(fact)")
        }
    }

    @Test func `who still takes its answer is given time for it again and again`() {
        for facts in [[Life.Fact.ends], [.saidGoodbye, .awaitsGoodbye], [.saidGoodbye, .ends, .tookAll]] {
            var life = Life(0, limits)
            for fact in facts { _ = life.take(fact, 0, limits) }
            #expect(due(&life, at: 10, owes: true) == nil)
            #expect(life.nextDue(limits, isFollowing: false) == UInt64(10 + limits.drainSeconds) * Self.second)
            #expect(due(&life, at: 20, owes: false) == .init(order: .close))
        }
    }

    @Test func `the end takes its steps in one order, and no fact leads back`() {
        var life = life(.speaks(isNobody: false, isPinged: true))
        #expect(take(&life, .saidGoodbye) == nil && life.hasSaidGoodbye)
        #expect(take(&life, .awaitsGoodbye) == nil && life.stage == .goodbye)
        #expect(take(&life, .ends) == nil && life.stage == .lastBytes && life.isEnding)
        #expect(take(&life, .tookAll) == .shutDown && life.stage == .lingering && !life.isEnding)
        #expect(take(&life, .tookAll) == nil)
        #expect(take(&life, .inputEnded(.answers)) == .close)
        #expect(take(&life, .closes) == nil && life.isClosed)
        let listening: [Life.Fact] = [
            .handshakeBegan, .handshakeDone, .headBegan, .bodyBegan, .requestIsWhole, .answered, .signedIn, .signedOut,
            .speaks(isNobody: true, isPinged: false), .awaitsGoodbye,
        ]
        for end in [[Life.Fact.saidGoodbye, .awaitsGoodbye], [.ends], [.ends, .tookAll], [.toldStuck], [.closes]] {
            for fact in listening {
                var life = Life(0, limits)
                for step in end { _ = life.take(step, 0, limits) }
                let stage = life.stage
                #expect(take(&life, fact) == nil && life.stage == stage, "\(fact) after \(end)")
            }
        }
    }

    @Test func `a client that sends nothing more gets what it asked for, and ends as its transport does`() {
        var waiting = life(.speaks(isNobody: false, isPinged: false))
        #expect(take(&waiting, .inputEnded(.answers)) == .watch && !waiting.isRead)
        #expect(take(&waiting, .ends) == nil)
        #expect(take(&waiting, .tookAll) == .close, "it has closed its side already")
        var owed = life(.handshakeBegan, .handshakeDone)
        #expect(take(&owed, .inputEnded(.goodbye)) == .end)
        var nothing = life()
        #expect(take(&nothing, .inputEnded(.nothing)) == .close)
        var ending = life(.ends)
        #expect(take(&ending, .inputEnded(.nothing)) == nil, "its last bytes go out first")
        var late = life(.speaks(isNobody: false, isPinged: true))
        #expect(take(&late, .inputEnded(.answers)) == .watch)
        #expect(take(&late, .awaitsGoodbye) == .end, "its goodbye will not come")
    }

    @Test func `time does not run while a body waits for the disk`() {
        var life = life(.headBegan, .bodyBegan)
        let used = UInt64(limits.bodySeconds - 5) * Self.second
        _ = life.take(.bodyWaits, used, limits)
        _ = life.take(.bodyWaits, used + 1, limits)
        #expect(life.nextDue(limits, isFollowing: false) == nil)
        let later = used + 1000 * Self.second
        _ = life.take(.bodyGoesOn, later, limits)
        #expect(life.nextDue(limits, isFollowing: false) == later + 5 * Self.second)
        _ = life.take(.bodyGoesOn, later + 1, limits)
        #expect(life.nextDue(limits, isFollowing: false) == later + 5 * Self.second)
    }

    @Test func `a socket that takes nothing is told so, counted from when it last took something`() {
        var life = life(.speaks(isNobody: false, isPinged: false))
        _ = life.take(.blocked, 0, limits)
        _ = life.take(.unblocked)
        #expect(!life.isBlocked && life.blockedAt == 0)
        _ = life.take(.took(at: 30 * Self.second))
        let patience = limits.stuckMilliseconds / 1000
        #expect(due(&life, at: 29 + patience) == nil)
        #expect(due(&life, at: 30 + patience) == .init(order: .refuseStuck, limit: "stuck"))
        _ = life.take(.toldStuck, 100 * Self.second, limits)
        #expect(due(&life, at: 101) == nil, "it was told")
        let (once, twice) = (life.take(.tookRest), life.take(.tookRest))
        #expect(once == .watch && twice == nil)
        _ = life.take(.took(at: 1))
        #expect(life.blockedAt == nil, "who is not blocked has no such moment")
    }

    @Test func `a message has its time from its first byte, pings in its midst win none`() {
        var life = life(.speaks(isNobody: false, isPinged: true))
        _ = life.take(.stoodWithin)
        let (begins, goesOn) = (life.take(.parsed(at: Self.second)), life.take(.parsed(at: 2 * Self.second)))
        #expect(begins == .plan && goesOn == nil)
        // A ping came and was answered: still within.
        _ = life.take(.stoodWithin)
        let isNew = life.take(.parsed(at: 20 * Self.second))
        #expect(isNew == nil && life.messageBegunAt == Self.second)
        // While it is not read its time stands still.
        let stops = life.take(.filled)
        let ping = UInt64(limits.pingMilliseconds / 1000) * Self.second
        #expect(stops == .watch && life.nextDue(limits, isFollowing: false) == ping)
        let goesOnRead = life.take(.gotRoom(at: 30 * Self.second))
        #expect(goesOnRead == .watch && life.messageBegunAt == 30 * Self.second)
        #expect(due(&life, at: 30 + limits.messageSeconds)?.order == .refuseSlowMessage)
        // It is over, and the next one begins in the same reading.
        _ = life.take(.stoodBetween)
        _ = life.take(.stoodWithin)
        let isAnother = life.take(.parsed(at: 100 * Self.second))
        #expect(isAnother == .plan && life.messageBegunAt == 100 * Self.second)
        // It is over, and none begins.
        _ = life.take(.stoodBetween)
        let isOver = life.take(.parsed(at: 101 * Self.second))
        #expect(isOver == nil && life.messageBegunAt == nil)
    }

    @Test func `WebSockets are pinged and heard, until they are told to end`() {
        var life = life(.speaks(isNobody: false, isPinged: true))
        let ping = limits.pingMilliseconds / 1000
        #expect(due(&life, at: ping) == .init(order: .ping))
        #expect(due(&life, at: ping) == nil)
        _ = life.take(.came(at: UInt64(ping) * Self.second))
        let silence = limits.silenceMilliseconds / 1000
        #expect(due(&life, at: silence)?.order == .ping)
        #expect(due(&life, at: ping + silence) == .init(order: .close, limit: "silence"))
        for fact in [Life.Fact.saidGoodbye, .ends, .closes] {
            var ended = life
            _ = ended.take(fact, 0, limits)
            #expect(ended.takeDue(.max / 2, limits, isFollowing: false, owesBytes: false)?.limit == nil)
        }
    }

    @Test func `who follows is told where the log stands`() {
        var life = life(.speaks(isNobody: false, isPinged: false))
        _ = take(&life, .toldUpto)
        let upto = limits.uptoMilliseconds / 1000
        #expect(life.nextDue(limits, isFollowing: true) == UInt64(upto) * Self.second)
        #expect(due(&life, at: upto) == nil, "it does not follow")
        #expect(due(&life, at: upto, isFollowing: true) == .init(order: .upto))
        #expect(due(&life, at: upto, isFollowing: true) == nil)
    }
}
