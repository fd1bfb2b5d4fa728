import Glibc
import KinCodec
import KinLoop
import KinModel
import KinSimulation
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// The bytes an object of a class has, as its metadata says (after kind, superclass, flags and address point). What the
/// allocator gives may be 16 more, when so little would be left over.
private func size(of type: AnyClass) -> Int { Int(unsafeBitCast(type, to: UnsafePointer<UInt32>.self)[6]) }

/// What a delivery and a connection cost: system calls, bytes and memory, counted and not timed. Who needs more says
/// here why.
@Suite(.serialized) struct BudgetTests {
    private static let followers = 100
    private let box: Box
    private let ada: BoxClient
    private var clients: [BoxClient] = []

    init() throws {
        box = try Box.family()
        box.network.isSmooth = true
        ada = try box.line("ada")
    }

    /// So many members' connections that follow.
    private mutating func follow(_ count: Int = followers, webSocket: Bool = false) throws {
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        for _ in 0..<count {
            if webSocket {
                let client = box.connect()
                _ = try client.openWebSocket([bearer])
                clients.append(client)
            } else {
                clients.append(try box.line("ben"))
            }
        }
        for client in clients { client.postCall("live.follow") }
        try box.settle()
        for client in clients { _ = client.receive() }
    }

    /// What happens costs so many calls.
    private func calls(_ act: () throws -> Void) throws -> NetworkCalls {
        let before = box.network.calls
        try act()
        try box.settle()
        return box.network.calls - before
    }

    @Test mutating func `an event costs one call a follower`() throws {
        try follow()
        let cost = try calls { ada.postCall("activity.announce", ["text": "one"]) }
        // The command: one read and its reply.
        #expect(cost.writes == Self.followers + 1)
        #expect(cost.reads == 1)
        #expect(cost.interests == 0 && cost.closes == 0)
    }

    @Test mutating func `sixteen events of a turn cost one call a follower together`() throws {
        try follow()
        let cost = try calls {
            for number in 0..<16 { ada.postCall("activity.announce", ["text": .string("\(number)")]) }
        }
        #expect(cost.writes == Self.followers + 1)
        #expect(cost.reads == 1)
        #expect(cost.interests == 0)
        for client in clients { #expect(try client.messages().count == 16) }
    }

    @Test func `with many followers a commit's events wait for those of the commit under way`() throws {
        for (count, writes) in [(4, 4), (8, 2 * 4)] {
            var setting = Box.Setting()
            setting.limits.followersToWaitFor = count
            let box = try Box.family(setting)
            box.network.isSmooth = true
            let ada = try box.line("ada")
            for _ in 0..<4 { _ = try box.line("ben").result("live.follow") }
            ada.postCall("activity.announce", ["text": "first"])
            box.network.travel(isWhole: true)
            try box.server.turn()
            // The first is committed while the second is on its way to the keeper.
            box.keeperTurn()
            ada.postCall("activity.announce", ["text": "second"])
            box.network.travel(isWhole: true)
            let before = box.network.calls
            try box.server.turn()
            try box.settle()
            #expect((box.network.calls - before).writes == writes + 2, "two replies, and the events")
        }
    }

    @Test mutating func `an event in its envelope costs its bytes and at most ten more on a WebSocket, one on lines`()
        throws
    {
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        try follow(1)
        try follow(1, webSocket: true)
        let stream = box.connect()
        _ = try stream.ask("GET /live", [bearer, "Accept: text/event-stream"])
        _ = stream.receive()
        _ = try ada.result("activity.announce", ["text": .string(String(repeating: "x", count: 200))])
        let line = clients[0].receive()
        let frame = clients[1].receive()
        let event = stream.receive()
        #expect(frame.count - (line.count - 1) == 4)
        // Its id, which is the cursor, the field's name, and a chunk's frame.
        #expect(event.count - (line.count - 1) < 100)
        // JSON's own frame around what was announced.
        #expect(line.count < 200 + 330)
    }

    @Test func `a connection costs a read, a write and its end`() throws {
        let whole = try calls {
            let client = box.connect()
            client.post("GET /healthz HTTP/1.1\r\nHost: box.local\r\nConnection: close\r\n\r\n")
            try box.settle()
            client.leave()
        }
        #expect(whole.writes == 1)
        // The request, and its end.
        #expect(whole.reads == 2)
        #expect(whole.shutdowns == 1 && whole.closes == 1)
        #expect(whole.interests == 0)
        let kept = box.connect()
        try kept.ask("GET /healthz")
        let again = try calls { try kept.ask("GET /healthz") }
        #expect(again.count == 2)
        let signIn = try calls {
            let client = box.connect()
            client.postCall("session.resume", ["token": .string(try box.person("ben").token)])
            client.postCall("live.follow")
        }
        #expect(signIn.reads <= 2 && signIn.writes <= 3)
        #expect(signIn.interests <= 4, "it is not read while it waits for its sign-in and its snapshot")
    }

    @Test mutating func `a follower that waits holds no buffer, and its objects stay small`() throws {
        try follow(8)
        try follow(8, webSocket: true)
        for number in 0..<50 { _ = try ada.result("activity.announce", ["text": .string("\(number)")]) }
        for connection in box.server.connections.open where connection.following != nil {
            #expect(connection.out.capacity == 0 && connection.wire.capacity == 0 && connection.unread.capacity == 0)
            #expect(HeldBytes.of(connection) < 64)
            #expect(size(of: type(of: connection)) <= 424)
            let following = try #require(connection.following)
            #expect(size(of: type(of: following)) <= 144)
        }
    }

    @Test func `a few seconds after a storm memory is given back, and daily traffic is no storm`() throws {
        func comeAndGo(_ count: Int) throws {
            for _ in 0..<count {
                let client = box.connect()
                try client.send("GET /healthz HTTP/1.1\r\nHost: box.local\r\nConnection: close\r\n\r\n")
                client.leave()
                try box.settle()
            }
        }
        // Those who are in the house signed in just now.
        try box.advance(seconds: 61)
        for _ in 0..<3 {
            try comeAndGo(200)
            #expect(box.server.timers[.memory] == nil)
            try box.advance(seconds: 61)
        }
        try comeAndGo(300)
        #expect(box.server.timers[.memory] != nil)
        try box.advance(seconds: 6)
        #expect(box.server.churn.count < 10 && box.server.timers[.memory] == nil)
    }

    @Test func `a storm that goes on gives memory back again, and once more when it is over`() throws {
        func comeAndGo(_ count: Int) throws {
            for _ in 0..<count { box.connect().leave() }
            try box.settle()
        }
        try comeAndGo(300)
        for _ in 0..<3 {
            try comeAndGo(100)
            try box.advance(seconds: 11)
            #expect(box.server.timers[.memory] != nil)
        }
        try box.advance(seconds: 11)
        #expect(box.server.timers[.memory] == nil)
    }

    @Test mutating func `thousands of deliveries leave nothing behind in any connection`() throws {
        try follow(webSocket: true)
        func deliver(_ count: Int) throws {
            for number in 0..<count { _ = try ada.result("activity.announce", ["text": .string("\(number)")]) }
            for client in clients { _ = client.receive() }
        }
        try deliver(20)
        let held = HeldBytes.of(box.server) - box.server.fanOut.feed.bytesHeld
        try deliver(20)
        #expect(HeldBytes.of(box.server) - box.server.fanOut.feed.bytesHeld <= held)
    }
}
