import Testing

@testable import KinServer
@testable import KinServerBox

/// A connection's life as a table: at each stage, what each fact leads to and which order follows.
@Suite struct ConnectionLifeTableTests {
    typealias Life = ConnectionLife
    typealias Stage = ConnectionLife.Stage
    typealias Fact = ConnectionLife.Fact

    private static let limits = ServerLimits()

    /// The facts that lead to a stage.
    private static func way(to stage: Stage) -> [Fact] {
        switch stage {
        case .firstByte: []
        case .handshake: [.handshakeBegan]
        case .head: [.headBegan]
        case .body: [.headBegan, .bodyBegan]
        case .idle: [.requestIsWhole, .answered]
        case .signIn: [.speaks(isNobody: true, isPinged: true)]
        case .open: [.speaks(isNobody: false, isPinged: true)]
        case .goodbye: [.saidGoodbye, .awaitsGoodbye]
        case .lastBytes: [.ends]
        case .lingering: [.ends, .tookAll]
        case .stuck: [.toldStuck]
        case .closed: [.closes]
        }
    }

    private static func life(at stage: Stage) -> Life {
        var life = Life(0, limits)
        for fact in way(to: stage) { _ = life.take(fact, 0, limits) }
        return life
    }

    /// What a fact does to a connection that is still listened to; `nil` where the stage stays.
    private static let listened: [(fact: Fact, next: Stage?)] = [
        (.handshakeBegan, .handshake), (.headBegan, .head), (.bodyBegan, .body), (.requestIsWhole, .open),
        (.requestWaits, .open), (.bodyWaits, nil), (.bodyGoesOn, nil), (.answered, .idle),
        (.speaks(isNobody: true, isPinged: false), .signIn), (.speaks(isNobody: false, isPinged: true), .open),
        (.signedIn, .open), (.signedOut, .signIn), (.saidGoodbye, nil), (.awaitsGoodbye, .goodbye),
        (.dropsInput, nil), (.toldUpto, nil),
    ]

    /// The facts that count at every stage but the last.
    private static let always: [(fact: Fact, next: Stage)] = [
        (.ends, .lastBytes), (.toldStuck, .stuck), (.closes, .closed),
    ]

    private static let inputEnds: [(left: Life.Left, order: Life.Order)] = [
        (.answers, .watch), (.goodbye, .end), (.nothing, .close),
    ]

    @Test(arguments: Stage.allCases) func `each stage is reached, and it alone`(stage: Stage) {
        #expect(Self.life(at: stage).stage == stage)
    }

    @Test(arguments: Stage.allCases)
    func `a fact leads on where somebody is listened to, and nowhere else`(stage: Stage) {
        for (fact, next) in Self.listened {
            var life = Self.life(at: stage)
            let order = life.take(fact, 1, Self.limits)
            #expect(order == nil, "\(fact)")
            #expect(life.stage == (stage.isListenedTo ? next ?? stage : stage), "\(fact)")
        }
        var life = Self.life(at: stage)
        _ = life.take(.handshakeDone, 1, Self.limits)
        #expect(life.stage == (stage == .handshake ? .firstByte : stage))
    }

    @Test(arguments: Stage.allCases) func `an end counts at every stage, and after the last nothing`(stage: Stage) {
        for (fact, next) in Self.always {
            var life = Self.life(at: stage)
            let order = life.take(fact, 1, Self.limits)
            #expect(order == nil && life.stage == (stage == .closed ? .closed : next), "\(fact)")
        }
        var life = Self.life(at: stage)
        let order = life.take(.tookAll, 1, Self.limits)
        #expect(order == (stage == .lastBytes ? .shutDown : nil))
        #expect(life.stage == (stage == .lastBytes ? .lingering : stage))
    }

    @Test(arguments: Stage.allCases) func `the end of what a client sends has an order`(stage: Stage) {
        for (left, order) in Self.inputEnds {
            var life = Self.life(at: stage)
            let taken = life.take(.inputEnded(left), 1, Self.limits)
            #expect(life.stage == stage)
            switch stage {
            case .closed, .lastBytes: #expect(taken == nil, "\(left)")
            case .lingering: #expect(taken == .close, "\(left)")
            default: #expect(taken == order, "\(left)")
            }
        }
    }

    @Test(arguments: Stage.allCases) func `input counts until the last bytes or until it is dropped`(stage: Stage) {
        var life = Self.life(at: stage)
        let isLate = stage == .lastBytes || stage == .lingering
        #expect(life.isInputDropped == isLate)
        _ = life.take(.dropsInput, 1, Self.limits)
        #expect(life.isInputDropped == (stage != .closed))
    }

    // MARK: Its socket

    /// What the socket's traffic leads to, of a connection that is open, read and not blocked.
    private static let traffic: [(traffic: Life.Traffic, order: Life.Order?)] = [
        (.came(at: 1), nil), (.stoodBetween, nil), (.stoodWithin, nil), (.parsed(at: 1), nil), (.filled, .watch),
        (.gotRoom(at: 1), nil), (.took(at: 1), nil), (.tookRest, nil), (.unblocked, nil), (.hungUp, nil),
    ]

    @Test(arguments: Stage.allCases) func `traffic changes no stage`(stage: Stage) {
        for (traffic, order) in Self.traffic {
            var life = Self.life(at: stage)
            let taken = life.take(traffic)
            #expect(taken == order && life.stage == stage, "\(traffic)")
        }
    }

    @Test(arguments: Stage.allCases)
    func `what the kernel is to report changes by an order, and only once`(stage: Stage) {
        var life = Self.life(at: stage)
        let filled = [life.take(.filled), life.take(.filled)]
        #expect(filled == [.watch, nil] && !life.isRead)
        let roomy = [life.take(.gotRoom(at: 2)), life.take(.gotRoom(at: 2))]
        #expect(roomy == [.watch, nil] && life.isRead)
        let order: Life.Order? = stage == .closed ? nil : .watch
        let blocked = life.take(.blocked, 3, Self.limits)
        #expect(blocked == order && life.isBlocked == (stage != .closed))
        let taken = [life.take(.unblocked), life.take(.tookRest), life.take(.tookRest)]
        #expect(taken == [nil, order, nil] && !life.isBlocked)
    }

    @Test func `a client that is gone is closed at once where it is not read`() {
        var life = Self.life(at: .open)
        let whileRead = life.take(.hungUp)
        #expect(whileRead == nil, "the next read finds out")
        _ = life.take(.filled)
        let whileFull = life.take(.hungUp)
        #expect(whileFull == .close)
        _ = life.take(.dropsInput, 1, Self.limits)
        let atTheEnd = life.take(.hungUp)
        #expect(atTheEnd == nil, "its last bytes may still be taken")
    }

    // MARK: What keeps requests waiting

    @Test func `a request that others wait for is let go by its own answer alone`() {
        var life = Self.life(at: .open)
        #expect(life.mayAsk && life.heldBy == nil)
        life.take(.heldBy(7))
        life.take(.answered(6))
        #expect(!life.mayAsk && life.heldBy == 7)
        life.take(.answered(7))
        #expect(life.mayAsk && life.heldBy == nil)
        // The goodbye answers for all.
        life.take(.heldBy(8))
        _ = life.take(.awaitsGoodbye, 1, Self.limits)
        #expect(life.heldBy == nil)
    }

    @Test func `whoever has used a share asks nothing more, and a request that is held waits besides`() {
        var life = Self.life(at: .open)
        life.take(.usedShare)
        life.take(.heldBy(1))
        life.take(.answered(1))
        #expect(!life.mayAsk && life.waitsForTurn)
        life.take(.gotShare)
        #expect(life.mayAsk && !life.waitsForTurn)
    }

    @Test func `parsing and handshakes have their moments, which change nothing else`() {
        var life = Self.life(at: .handshake)
        let due = life.nextDue(Self.limits, isFollowing: false)
        life.take(.handshakeWaits)
        life.take(.parseBegan)
        #expect(life.isHandshakeWaiting && life.isParsing && life.mayAsk)
        life.take(.handshakeGoesOn)
        life.take(.parseEnded)
        #expect(!life.isHandshakeWaiting && !life.isParsing)
        #expect(life.stage == .handshake && life.nextDue(Self.limits, isFollowing: false) == due)
    }
}
