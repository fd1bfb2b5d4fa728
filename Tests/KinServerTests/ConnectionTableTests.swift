import KinKeeper
import KinLoop
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// The table of connections by itself: how many there may be, when each is looked at, and what a turn leaves.
@Suite struct ConnectionTableTests {
    private var table: ConnectionTable
    private let limits: ServerLimits

    init() {
        var limits = ServerLimits()
        limits.connectionsMax = 3
        limits.connectionsPerAddressMax = 2
        limits.connectionsPerMemberMax = 1
        self.limits = limits
        table = ConnectionTable(limits)
    }

    private mutating func connect(_ slot: UInt32, from address: String = "203.0.113.7") throws -> Connection {
        let connection = Connection(
            token: Token(slot: slot, generation: 1), peer: .tcp(try #require(IPAddress(address)), port: 40_000),
            isMachine: false, now: 0, limits: limits)
        table.insert(connection)
        return connection
    }

    private mutating func close(_ connection: Connection) {
        _ = connection.life.take(.closes, 0, limits)
        table.close(connection)
    }

    @Test mutating func `one too many is one too many, and nobody is once another has gone`() throws {
        var all: [Connection] = []
        for slot in 0..<3 {
            all.append(try connect(UInt32(slot)))
            #expect(!table.isOverfull)
            let isOneTooMany = table.isOneTooMany(atAddressOf: all[slot])
            #expect(isOneTooMany == (slot == 2))
        }
        let fourth = try connect(3, from: "203.0.113.8")
        #expect(table.isOverfull)
        let isAlone = !table.isOneTooMany(atAddressOf: fourth)
        #expect(isAlone)
        close(all[0])
        table.reap()
        #expect(!table.isOverfull && table.count == 3)
        let isStillThere = table.isOneTooMany(atAddressOf: all[1])
        #expect(!isStillThere, "the same connection is counted once")
        for connection in [all[1], all[2], fourth] { close(connection) }
        table.reap()
        #expect(table.count == 0 && table.perAddress.isEmpty && table.closed.isEmpty)
    }

    @Test mutating func `a member's connections are counted from elsewhere alone`() throws {
        let member = Identifier(high: 1, low: 7)
        for (slot, address) in ["203.0.113.7", "127.0.0.1", "203.0.113.8"].enumerated() {
            let connection = try connect(UInt32(slot), from: address)
            connection.identity = Identity(member: member, number: 1, session: nil)
            table.countAtMember(connection)
            #expect(table.isOneTooMany(of: member) == (slot == 2))
        }
        for connection in Array(table.open) { close(connection) }
        table.reap()
        #expect(table.perMember.isEmpty)
    }

    @Test mutating func `moments come in their order, and that of whoever is gone never`() throws {
        let (first, second, third) = (try connect(0), try connect(1), try connect(2))
        table.plan(first, at: 30)
        table.plan(second, at: 10)
        table.plan(third, at: 20)
        close(third)
        var due: [Token] = []
        while let connection = table.popDue(now: 29) { due.append(connection.token) }
        #expect(due == [second.token])
        table.plan(first, at: nil)
        #expect(table.planned == 0)
        let wait = table.timeoutMilliseconds(now: 0)
        #expect(wait == nil)
        table.plan(first, at: 2_000_001)
        let next = table.timeoutMilliseconds(now: 0)
        #expect(next == 3, "whole milliseconds, rounded up")
        close(first)
        table.reap()
        #expect(table.planned == 0)
    }

    @Test mutating func `whoever has something to send is written to once a turn`() throws {
        let connection = try connect(0)
        let (isNew, isNewAgain) = (table.markDirty(connection), table.markDirty(connection))
        #expect(isNew && !isNewAgain && table.hasDirty)
        let taken = table.takeDirty().map(\.token)
        #expect(taken == [connection.token] && !table.hasDirty)
    }
}
