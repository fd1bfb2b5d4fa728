import KinClient
import KinCodec
import KinModel
import Testing

@Suite struct FollowerTests {
    static let ada = "01a1fd3b-e129-7742-9828-dfba90345cf3"
    static let oak = "01a1fd3b-e129-7aab-ab24-e7eb491f08fa"

    static let snapshot: JSON = [
        "family": ["id": .string(oak), "name": "Okoro"], "me": .string(ada),
        "households": [["id": .string(oak), "name": "Oak"]], "members": [], "positions": [],
        "sharing": ["state": "off"],
    ]

    static func reset(id: JSON = 2, cursor: String = "c1") -> [UInt8] {
        RPC.result(
            id: id, ["mode": "reset", "cursor": .string(cursor), "view": "all~1", "snapshot": snapshot])
    }
    static func resumed(_ mode: String) -> [UInt8] {
        RPC.result(id: 2, ["mode": .string(mode), "cursor": "zz", "view": "all~1", "snapshot": nil])
    }
    static func event(_ cursor: String, lat: Double) -> [UInt8] {
        RPC.notification(
            method: "event",
            params: [
                "cursor": .string(cursor), "type": "position", "at": "2026-11-20T18:04:05.123Z", "by": .string(ada),
                "about": "position/x",
                "data": ["member": .string(ada), "lat": .double(lat), "lon": 1.5, "at": "2026-11-20T18:04:05.000Z"],
            ])
    }
    static func upto(_ cursor: String) -> [UInt8] {
        RPC.notification(method: "upto", params: ["cursor": .string(cursor)])
    }
    static func closing(_ code: Int64, retryAfter: JSON = nil) -> [UInt8] {
        RPC.notification(method: "closing", params: ["code": .int(code), "reason": "So.", "retryAfter": retryAfter])
    }

    /// The follow request's parameters among the orders.
    static func asked(_ orders: [Follower.Order]) -> JSON? {
        for case .send(let bytes) in orders {
            guard let json = try? JSON.parse(bytes), json["method"]?.string == "live.follow" else { continue }
            return json["params"]
        }
        return nil
    }

    /// A follower in each state, at 1,000 ms.
    static func follower(_ state: Follower.State) -> Follower {
        var follower = Follower(credential: state == .signingIn ? .token("t") : .none)
        if state == .idle { return follower }
        _ = follower.take(.started, now: 1000, random: 0)
        if state == .connecting { return follower }
        if state == .waiting {
            _ = follower.take(.disconnected(nil), now: 1000, random: .max)
            return follower
        }
        _ = follower.take(.connected, now: 1000, random: 0)
        if state == .following { _ = follower.take(.received(reset()), now: 1000, random: 0) }
        if state == .stopped { _ = follower.take(.received(closing(4102)), now: 1000, random: 0) }
        return follower
    }

    static let states: [Follower.State] = [
        .idle, .connecting, .signingIn, .asking, .following, .waiting, .stopped,
    ]

    /// What each fact leads to in each state.
    @Test func `every fact in every state leads where the table says`() {
        typealias Row = (fact: Follower.Fact, now: UInt64, next: [Follower.State: Follower.State])
        let late: UInt64 = 1000 + Follower.silenceMillisecondsMax
        let alive: [Follower.State] = [.connecting, .signingIn, .asking, .following]
        func all(_ from: [Follower.State], to state: Follower.State) -> [Follower.State: Follower.State] {
            Dictionary(uniqueKeysWithValues: from.map { ($0, state) })
        }
        let open: [Follower.State] = [.signingIn, .asking, .following]
        let rows: [Row] = [
            (.started, 1000, [.idle: .connecting]),
            (.connected, 1000, [.connecting: .asking]),
            (.disconnected(nil), 1000, all(alive, to: .waiting)),
            (.disconnected(Closing(code: 1012)), 1000, all(alive, to: .waiting)),
            (.disconnected(Closing(code: 4008)), 1000, all(alive, to: .waiting)),
            (.disconnected(Closing(code: 4101)), 1000, all(alive, to: .stopped)),
            (.timePassed, 2000, [.waiting: .connecting]),
            (.timePassed, late, all(open, to: .waiting).merging([.waiting: .connecting]) { $1 }),
            (.received(Self.reset()), 1000, [.asking: .following]),
            (.received(Self.reset(id: 9)), 1000, [:]),
            (.received(Self.resumed("replay")), 1000, [.asking: .waiting]),
            (.received(RPC.result(id: 1, [:])), 1000, [.signingIn: .asking]),
            (.received(Self.event("c2", lat: 1)), 1000, [:]),
            (.received(Self.upto("c2")), 1000, [:]),
            (.received(Self.closing(1012)), 1000, all(open, to: .waiting)),
            (.received(Self.closing(4103)), 1000, all(open, to: .stopped)),
            (.received(Array("no json".utf8)), 1000, all(open, to: .waiting)),
            (.received(RPC.error(id: 2, code: 1401, message: "No.")), 1000, all(open, to: .stopped)),
            (.received(RPC.error(id: 2, code: 1403, message: "No.")), 1000, all(open, to: .stopped)),
            (.received(RPC.error(id: 1, code: 1401, message: "No.")), 1000, all(open, to: .stopped)),
            (.received(RPC.error(id: 2, code: 1503, message: "Later.")), 1000, all(open, to: .waiting)),
            (.received(RPC.error(id: 2, code: 1429, message: "Later.")), 1000, all(open, to: .waiting)),
            (.received(RPC.error(id: "aside", code: 1422, message: "No.")), 1000, [:]),
        ]
        for row in rows {
            for state in Self.states {
                var follower = Self.follower(state)
                #expect(follower.state == state)
                _ = follower.take(row.fact, now: row.now, random: 1 << 63)
                #expect(follower.state == row.next[state] ?? state, "\(state) on \(row.fact)")
            }
        }
    }

    @Test func `a fact out of place gives no order`() {
        for (state, fact) in [
            (Follower.State.idle, Follower.Fact.connected), (.waiting, .connected), (.waiting, .disconnected(nil)),
            (.stopped, .timePassed), (.stopped, .received(Self.upto("x"))), (.connecting, .received(Self.upto("x"))),
            (.asking, .received(Self.event("c", lat: 1))), (.following, .started),
        ] {
            var follower = Self.follower(state)
            #expect(follower.take(fact, now: 5000, random: 0).isEmpty, "\(state) on \(fact)")
        }
    }

    @Test func `it signs in first, and asks to follow when that is done`() throws {
        var follower = Follower(credential: .token("secret"), view: "map", types: ["position"])
        #expect(follower.take(.started, now: 0, random: 0) == [.connect])
        let first = follower.take(.connected, now: 0, random: 0)
        #expect(first.count == 2)
        #expect(
            first[0] == .send(RPC.request(id: 1, method: "session.resume", params: ["token": "secret"])))
        #expect(first[1] == .wait(until: 60_000))
        let second = follower.take(.received(RPC.result(id: 1, [:])), now: 10, random: 0)
        #expect(Self.asked(second) == ["since": nil, "view": "map", "types": ["position"]])
    }

    @Test func `a reset brings the snapshot, events move it, and upto moves the cursor`() throws {
        var follower = Self.follower(.asking)
        let snapshot = try #require(Snapshot(Self.snapshot))
        #expect(follower.take(.received(Self.reset()), now: 1000, random: 0) == [.reset(snapshot)])
        #expect(follower.cursor == "c1")
        #expect(follower.view == "all~1")
        let orders = follower.take(.received(Self.event("c2", lat: 45.5)), now: 1000, random: 0)
        guard case .deliver(let event) = try #require(orders.first) else {
            Issue.record("an event is delivered")
            return
        }
        #expect(event.cursor == "c2")
        #expect(follower.cursor == "c2")
        let member = try #require(Identifier(Self.ada))
        #expect(follower.snapshot?.positions[member]?.lat == 45.5)
        #expect(follower.take(.received(Self.upto("c3")), now: 1000, random: 0) == [.caughtUp(cursor: "c3")])
        #expect(follower.cursor == "c3")
    }

    @Test func `after a break it goes on from its cursor, with the view it was given`() {
        var follower = Self.follower(.following)
        _ = follower.take(.received(Self.event("c2", lat: 1)), now: 1000, random: 0)
        #expect(follower.take(.disconnected(nil), now: 2000, random: .max) == [.wait(until: 2500)])
        #expect(follower.take(.timePassed, now: 2500, random: 0) == [.connect])
        let orders = follower.take(.connected, now: 2500, random: 0)
        #expect(Self.asked(orders) == ["since": "c2", "view": "all~1"])
        #expect(follower.take(.received(Self.resumed("replay")), now: 2500, random: 0).isEmpty)
        // The answer's cursor may already be past what the replay brings.
        #expect(follower.cursor == "c2")
        _ = follower.take(.received(Self.event("c3", lat: 2)), now: 2500, random: 0)
        #expect(follower.cursor == "c3")
        #expect(follower.snapshot?.positions.values.first?.lat == 2)
    }

    @Test func `a reset in mid-stream replaces what was seen`() throws {
        var follower = Self.follower(.following)
        _ = follower.take(.received(Self.event("c2", lat: 1)), now: 1000, random: 0)
        let params: JSON = ["cursor": "c9", "view": "all~2", "snapshot": Self.snapshot]
        let orders = follower.take(
            .received(RPC.notification(method: "reset", params: params)), now: 1000, random: 0)
        #expect(orders == [.reset(try #require(Snapshot(Self.snapshot)))])
        #expect(follower.cursor == "c9")
        #expect(follower.view == "all~2")
        #expect(follower.snapshot?.positions.isEmpty == true)
    }

    @Test func `it stops for good when signed out, revoked, removed or not let in`() {
        for code in [4101, 4102, 4103] as [Int64] {
            var follower = Self.follower(.following)
            #expect(
                follower.take(.received(Self.closing(code)), now: 1000, random: 0)
                    == [.disconnect, .stop(.closed(Closing(code: Int(code), reason: "So.")))])
        }
        var follower = Self.follower(.signingIn)
        let orders = follower.take(
            .received(RPC.error(id: 1, code: 1401, message: "No longer good.")), now: 1000, random: 0)
        #expect(orders == [.disconnect, .stop(.refused(Rejection(.notSignedIn, "No longer good.")))])
    }

    @Test func `it waits as long as the daemon asks, and some`() {
        var follower = Self.follower(.following)
        #expect(
            follower.take(.received(Self.closing(1012, retryAfter: 4)), now: 1000, random: 0)
                == [.disconnect, .wait(until: 5000)])
        follower = Self.follower(.asking)
        let busy = RPC.error(id: 2, code: 1429, message: "Later.", data: ["kind": "slow-down", "retryAfter": 9])
        #expect(
            follower.take(.received(busy), now: 1000, random: .max) == [.disconnect, .wait(until: 10_500)])
    }

    @Test func `the bound grows until it is caught up again`() {
        var follower = Self.follower(.connecting)
        var now: UInt64 = 1000
        for bound in [500, 1000, 2000, 4000] as [UInt64] {
            #expect(follower.take(.disconnected(nil), now: now, random: .max) == [.wait(until: now + bound)])
            now += bound
            #expect(follower.take(.timePassed, now: now, random: 0) == [.connect])
        }
        _ = follower.take(.connected, now: now, random: 0)
        _ = follower.take(.received(Self.reset()), now: now, random: 0)
        // Taking the request alone is no success: a daemon that breaks off at once again and again is not hurried.
        #expect(follower.take(.disconnected(nil), now: now, random: .max) == [.wait(until: now + 8000)])
        _ = follower.take(.timePassed, now: now + 8000, random: 0)
        _ = follower.take(.connected, now: now, random: 0)
        _ = follower.take(.received(Self.resumed("live")), now: now, random: 0)
        _ = follower.take(.received(Self.upto("c4")), now: now, random: 0)
        #expect(follower.take(.disconnected(nil), now: now, random: .max) == [.wait(until: now + 500)])
    }

    @Test func `a silent connection is given up, a living one is not`() {
        var follower = Self.follower(.following)
        _ = follower.take(.received(Self.upto("c2")), now: 40_000, random: 0)
        #expect(follower.take(.timePassed, now: 61_000, random: 0) == [.wait(until: 100_000)])
        #expect(follower.take(.timePassed, now: 100_000, random: .max) == [.disconnect, .wait(until: 100_500)])
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"event","params":{"cursor":"c"}}"#,
        #"{"jsonrpc":"2.0","method":"upto","params":{}}"#,
        #"{"jsonrpc":"2.0","method":"reset","params":{"cursor":"c","snapshot":5}}"#, "[]", "{", "null",
        #"{"jsonrpc":"1.0","method":"upto","params":{"cursor":"c"}}"#,
    ])
    func `what cannot be read breaks the connection, never the follower`(message: String) {
        var follower = Self.follower(.following)
        let orders = follower.take(.received(Array(message.utf8)), now: 1000, random: .max)
        #expect(orders == [.disconnect, .wait(until: 1500)])
        #expect(follower.cursor == "c1")
    }

    @Test func `notifications of a newer daemon change nothing`() {
        var follower = Self.follower(.following)
        let message = RPC.notification(method: "typing", params: ["member": "x"])
        #expect(follower.take(.received(message), now: 1000, random: 0).isEmpty)
    }

    @Test func `what passes is told to who asked for it, and moves nothing`() throws {
        let member = Identifier(high: 1, low: 2)
        let message = RPC.notification(
            method: "passing", params: ["type": "message.typing", "by": .id(member), "about": "room/x"])
        var deaf = Self.follower(.following)
        #expect(deaf.take(.received(message), now: 1000, random: 0).isEmpty)
        var follower = Follower(credential: .none, since: "c5", wantsPassing: true)
        _ = follower.take(.started, now: 0, random: 0)
        #expect(Self.asked(follower.take(.connected, now: 0, random: 0)) == ["since": "c5", "passing": true])
        _ = follower.take(.received(Self.resumed("replay")), now: 0, random: 0)
        let orders = follower.take(.received(message), now: 0, random: 0)
        guard case .pass(let passing) = try #require(orders.first) else {
            Issue.record("\(orders)")
            return
        }
        #expect(passing.by == member && passing.type == "message.typing" && !passing.isAtMachine)
        #expect(follower.cursor == "c5")
        let none = RPC.notification(method: "passing", params: ["type": "message.typing"])
        #expect(follower.take(.received(none), now: 0, random: 0).isEmpty)
    }

    @Test func `from a cursor alone events are delivered without a snapshot to fold onto`() {
        var follower = Follower(credential: .none, since: "c5")
        _ = follower.take(.started, now: 0, random: 0)
        #expect(Self.asked(follower.take(.connected, now: 0, random: 0)) == ["since": "c5"])
        _ = follower.take(.received(Self.resumed("replay")), now: 0, random: 0)
        #expect(follower.take(.received(Self.event("c6", lat: 1)), now: 0, random: 0).count == 1)
        #expect(follower.snapshot == nil)
    }
}
