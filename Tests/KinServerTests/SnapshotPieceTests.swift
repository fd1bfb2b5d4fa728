import KinCodec
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinStore
import Synchronization
import Testing

@testable import KinKeeper
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Snapshots that are much longer than what is made ready for a client at a time.
@Suite struct SnapshotPieceTests {
    /// How a client follows.
    enum Transport: CaseIterable {
        case lines, webSocket, deflated, smallWindow, serverSentEvents, ndjson

        /// What it asks for besides.
        var headers: [String] {
            switch self {
            case .lines, .webSocket: []
            case .deflated: ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"]
            case .smallWindow: ["Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=10"]
            case .serverSentEvents: ["Accept: text/event-stream"]
            case .ndjson: ["Accept: application/x-ndjson"]
            }
        }
    }

    private static func box(
        _ registry: Registry = Filling.registry, _ change: (inout ServerLimits) -> Void = { _ in }
    ) throws -> Box {
        var setting = Box.Setting()
        setting.registry = registry
        change(&setting.limits)
        return try Box.family(setting)
    }

    /// A client that is about to follow; the daemon may have so many bytes on their way to it.
    private func client(_ box: Box, _ name: String, _ transport: Transport, room: Int = 50_000) throws -> BoxClient {
        if transport == .lines { return try box.line(name, room: room) }
        let client = box.connect(room: room)
        switch transport {
        case .serverSentEvents, .ndjson: break
        default:
            let bearer = "Authorization: Bearer \(try box.person(name).token)"
            #expect(try client.openWebSocket([bearer] + transport.headers).status == 101)
        }
        return client
    }

    /// Puts the question on its way.
    private func follow(_ box: Box, _ client: BoxClient, _ name: String, _ transport: Transport) throws {
        switch transport {
        case .serverSentEvents, .ndjson:
            let bearer = "Authorization: Bearer \(try box.person(name).token)"
            let lines = ["GET /live HTTP/1.1", "Host: box.local", bearer] + transport.headers
            client.post(lines.joined(separator: "\r\n") + "\r\n\r\n")
        default: client.postCall("live.follow")
        }
    }

    /// The messages among bytes that arrived, and whether the last of them is whole.
    private func messages(_ bytes: [UInt8], _ transport: Transport) throws -> (all: [JSON], isWhole: Bool) {
        switch transport {
        case .lines: return try lines(bytes)
        case .webSocket, .deflated, .smallWindow:
            var machine = WebSocketMachine(
                role: .client, messageBytesMax: 16 << 20, isDeflated: transport != .webSocket)
            var rest = bytes
            var found: [JSON] = []
            while true {
                let (consumed, event) = machine.consume(rest)
                rest.removeFirst(consumed)
                switch event {
                case .message(_, let json): found.append(try JSON.parse(json))
                case .needsMore: return (found, !found.isEmpty)
                case .close: return (found, false)
                case .failed(_, let reason):
                    Issue.record("\(reason)")
                    return (found, false)
                case .ping, .pong: break
                }
            }
        case .serverSentEvents, .ndjson:
            var parser = HTTPResponseParser()
            parser.bodyBytesMax = 16 << 20
            var rest = bytes
            var body: [UInt8] = []
            reading: while true {
                let (consumed, step) = parser.consume(rest)
                rest.removeFirst(consumed)
                switch step {
                case .body(let bytes): body += bytes
                case .head: break
                default: break reading
                }
            }
            if transport == .ndjson { return try lines(body) }
            var found: [JSON] = []
            var events = ServerSentEventParser(eventBytesMax: 16 << 20)
            while true {
                let (consumed, step) = events.consume(body.span)
                body.removeFirst(consumed)
                switch step {
                case .event(_, let data, let id):
                    let json = try JSON.parse(Array(data.utf8))
                    #expect(json["params"]?["cursor"]?.string == id)
                    found.append(json)
                case .needsMore: return (found, true)
                case .tooLong: Issue.record("too long")
                default: break
                }
            }
        }
    }

    private func lines(_ bytes: [UInt8]) throws -> (all: [JSON], isWhole: Bool) {
        let whole = bytes.lastIndex(of: 0x0A).map { bytes[...$0] } ?? []
        return (try whole.split(separator: 0x0A).map { try JSON.parse(Array($0)) }, whole.count == bytes.count)
    }

    /// The snapshot of a message: a response's or a notification's.
    private func seen(_ message: JSON?) -> JSON? { (message?["result"] ?? message?["params"])?["snapshot"] }

    // MARK: Arriving

    @Test(arguments: Transport.allCases)
    func `ten areas of 250 kB each arrive whole, and one piece of them is ready at a time`(
        _ transport: Transport
    ) throws {
        let box = try Self.box()
        let ben = try client(box, "ben", transport)
        var ready = 0
        var room = 0
        box.afterTurn = {
            for connection in box.server.connections.open { ready = max(ready, connection.pendingBytes) }
            room = max(room, box.server.snapshots.room.bytes)
        }
        try follow(box, ben, "ben", transport)
        try box.settle()
        let all = try messages(ben.receive(), transport)
        #expect(all.all.count == 1 && all.isWhole)
        let snapshot = try #require(seen(all.all.first))
        for number in 0..<Filling.count { #expect(snapshot["filling\(number)"]?.string == Filling.texts[number]) }
        #expect(snapshot["me"]?.identifier == (try box.person("ben").id))
        #expect(snapshot["members"]?.array?.count == 4 && snapshot["more"] == nil)
        #expect(snapshot.object?.names.prefix(2) == ["family", "me"])
        // The whole has 2.5 MB. A part, twice while it is encoded, a piece and the compressed pieces are all there ever is.
        let limits = ServerLimits()
        #expect(ready > 0 && ready <= limits.outBytesMax + limits.snapshotPieceBytesMax + 1024)
        #expect(room > limits.snapshotPieceBytesMax && room < 1_300_000)
        #expect(box.worker.snapshotBytesHeldMax < 1_900_000)
        #expect(box.server.snapshots.room.bytes == 0 && box.server.snapshots.room.takers == [])
        // And it goes on from there.
        let ada = try box.line("ada")
        _ = try ada.result("activity.announce", ["text": "Supper"])
        #expect(ben.receive().count > 0)
    }

    @Test func `pieces of any size are the same message, split within characters and all`() throws {
        for bytes in [1, 7, 100, 4096] {
            for transport in Transport.allCases {
                let box = try Self.box(.family) { limits in
                    limits.snapshotPieceBytesMax = bytes
                    limits.outBytesMax = 600
                }
                let ada = try box.line("ada")
                _ = try ada.result("activity.announce", ["text": "Grüße 🦊 an alle"])
                let ben = try client(box, "ben", transport, room: 500)
                try follow(box, ben, "ben", transport)
                try box.settle()
                let all = try messages(ben.receive(), transport)
                #expect(all.isWhole)
                let fresh = try Registry.family.snapshot(
                    for: try box.person("ben").id, view: .all(for: try box.person("ben").id), in: box.reader)
                #expect(seen(all.all.first).flatMap(Snapshot.init) == fresh?.snapshot, "\(bytes) \(transport)")
            }
        }
    }

    // MARK: What comes meanwhile

    @Test(arguments: Transport.allCases, [4 << 20, 3000])
    func `what is committed meanwhile comes behind it, and none is lost`(_ transport: Transport, feed: Int) throws {
        let box = try Self.box { $0.feedBytes = feed }
        let ben = try client(box, "ben", transport)
        try ben.stall(true)
        try follow(box, ben, "ben", transport)
        try box.settle()
        #expect(box.server.snapshots.room.takers.count == 1)
        let ada = try box.line("ada")
        for number in 0..<12 { _ = try ada.result("activity.announce", ["text": .string("number \(number)")]) }
        try ben.stall(false)
        let all = try messages(ben.receive(), transport)
        #expect(all.isWhole && seen(all.all.first)?["filling9"]?.string == Filling.texts[9])
        let texts = all.all.dropFirst().compactMap { $0["params"]?["data"]?["text"]?.string }
        #expect(texts == (0..<12).map { "number \($0)" })
    }

    @Test(arguments: [Transport.lines, .webSocket, .deflated])
    func `replies stand behind the whole message, those of another follow too`(_ transport: Transport) throws {
        let box = try Self.box()
        let ben = try client(box, "ben", transport)
        try ben.stall(true)
        try follow(box, ben, "ben", transport)
        try box.settle()
        let shown = ben.postCall("session.list")
        let left = ben.postCall("live.unfollow")
        let broken = ben.postCall("no.such")
        let again = ben.postCall("live.follow", ["view": "activity"])
        try box.settle()
        #expect(box.server.snapshots.room.takers.count == 1)
        try ben.stall(false)
        let all = try messages(ben.receive(), transport)
        #expect(all.isWhole)
        #expect(seen(all.all.first)?["filling9"] != nil)
        let ids = all.all.dropFirst().compactMap { $0["id"]?.int }
        #expect(Set(ids) == [shown, left, broken, again] && ids.count == 4 && ids.last == again)
        #expect(seen(all.all.last)?["inbox"] != nil)
        let ada = try box.line("ada")
        _ = try ada.result("activity.announce", ["text": "Supper"])
        #expect(ben.receive().count > 0)
    }

    // MARK: Ending within it

    @Test(arguments: Transport.allCases)
    func `a connection that is cut within a piece leaves nothing behind`(_ transport: Transport) throws {
        let box = try Self.box()
        for isRude in [false, true] {
            let ben = try client(box, "ben", transport)
            try ben.stall(true)
            try follow(box, ben, "ben", transport)
            try box.settle()
            #expect(box.server.snapshots.room.takers.count == 1 && box.server.snapshots.room.bytes > 0)
            ben.leave(isRude: isRude)
            try box.settle()
            // Whoever still might read is waited for a minute.
            for _ in 0..<4 { try box.advance(seconds: 61) }
            #expect(box.server.snapshots.room.takers == [] && box.server.snapshots.room.bytes == 0)
            #expect(box.server.openConnections == 0 && box.server.fanOut.followers.count == 0)
        }
        let next = try client(box, "ben", transport)
        try follow(box, next, "ben", transport)
        try box.settle()
        #expect(try messages(next.receive(), transport).isWhole)
    }

    @Test(arguments: Transport.allCases)
    func `whoever loses sight within it gets no more of it`(_ transport: Transport) throws {
        let box = try Self.box()
        let ada = try box.line("ada")
        _ = try ada.result("sharing.set", ["state": "on"])
        _ = try ada.result(
            "position.report",
            ["lat": 47.5, "lon": 8.5, "at": .time(Instant(milliseconds: box.time.wallMilliseconds()))])
        let ben = try client(box, "ben", transport)
        try ben.stall(true)
        try follow(box, ben, "ben", transport)
        try box.settle()
        _ = try ada.result("sharing.set", ["state": "off"])
        #expect(box.server.snapshots.room.takers == [] && box.server.snapshots.room.bytes == 0)
        try ben.stall(false)
        let cut = ben.receive()
        let all = try messages(cut, transport)
        #expect(all.all.isEmpty)
        #expect(cut.count < 300_000)
        let back = try client(box, "ben", transport)
        try follow(box, back, "ben", transport)
        try box.settle()
        #expect(seen(try messages(back.receive(), transport).all.first)?["filling9"] != nil)
    }

    @Test func `a session that is ended within it is told by the close frame`() throws {
        let box = try Self.box()
        let ben = try client(box, "ben", .webSocket)
        try ben.stall(true)
        try follow(box, ben, "ben", .webSocket)
        try box.settle()
        let other = box.connect()
        _ = try other.result("session.resume", ["token": .string(try box.signIn("ben").token)])
        _ = try other.result("session.revoke", ["session": .id(try box.person("ben").session)])
        try ben.stall(false)
        var machine = WebSocketMachine(role: .client, messageBytesMax: 16 << 20)
        var rest = ben.receive()
        var last = WebSocketMachine.Event.needsMore
        while true {
            let (consumed, event) = machine.consume(rest)
            rest.removeFirst(consumed)
            if case .needsMore = event { break }
            last = event
            if case .close = event { break }
        }
        guard case .close(let code, _) = last else {
            Issue.record("\(last)")
            return
        }
        #expect(code == CloseCode.sessionRevoked.rawValue)
    }

    // MARK: Room

    @Test func `snapshots on their way are bounded together, and who takes none makes room for others`() throws {
        let box = try Self.box { $0.snapshotsBytesMax = 1 << 20 }
        // Of each member three that differ; the reader makes a few at a time, which all may begin.
        var clients: [BoxClient] = []
        for name in ["ada", "hal", "ben", "gil"] {
            for view in ["all", "activity", "members"] {
                let one = try client(box, name, .lines)
                try one.stall(true)
                one.postCall("live.follow", ["view": .string(view)])
                clients.append(one)
            }
        }
        try box.settle()
        let taking = box.server.snapshots.room.takers.count
        #expect(taking > 0 && taking <= SnapshotRoom.askedMax + 1)
        #expect(box.server.snapshots.line.count == clients.count - taking)
        // One second takes nobody's turn, twenty do.
        try box.advance(seconds: 1)
        #expect(box.server.snapshots.room.takers.count == taking)
        for one in clients { try one.stall(false) }
        for _ in 0..<3 { try box.advance(seconds: 10) }
        for one in clients { #expect(seen(try messages(one.receive(), .lines).all.first)?["filling9"] != nil) }
        #expect(box.server.snapshots.room.bytes == 0 && box.server.snapshots.line.count == 0)
        #expect(box.server.counters.limitsHit["snapshots"] == nil)
        // Where they take nothing, they are sent away one after the other, and the last ones get theirs.
        for one in clients { one.leave() }
        try box.settle()
        clients = []
        for name in ["ada", "hal", "ben", "gil"] {
            for view in ["all", "activity", "members"] {
                let one = try client(box, name, .lines)
                try one.stall(true)
                one.postCall("live.follow", ["view": .string(view)])
                clients.append(one)
            }
        }
        try box.settle()
        #expect(box.server.snapshots.line.count > 0)
        for _ in 0..<8 { try box.advance(seconds: 21) }
        #expect(box.server.counters.limitsHit["snapshots", default: 0] > 0 && box.server.snapshots.line.count == 0)
    }

    @Test func `who shares a snapshot shares its bytes`() throws {
        let box = try Self.box()
        var clients: [BoxClient] = []
        for _ in 0..<5 {
            let one = try client(box, "ben", .lines)
            try one.stall(true)
            try follow(box, one, "ben", .lines)
            clients.append(one)
        }
        try box.settle()
        let limits = ServerLimits()
        #expect(box.server.snapshots.room.takers.count == 5)
        #expect(box.server.snapshots.room.bytes < 1_300_000 + 5 * limits.snapshotPieceBytesMax)
        for one in clients {
            try one.stall(false)
            #expect(seen(try messages(one.receive(), .lines).all.first)?["filling9"] != nil)
        }
        #expect(box.server.snapshots.room.bytes == 0)
    }

    // MARK: Outgrown

    @Test func `a part that outgrew its bound is left out, and the log says so once an hour`() throws {
        let box = try Self.box(Registry.family.adding(Filling.area(Filling.Part<0>.self, bytesMax: 1000)))
        for _ in 0..<3 {
            let ben = try client(box, "ben", .lines)
            try follow(box, ben, "ben", .lines)
            try box.settle()
            let part = seen(try messages(ben.receive(), .lines).all.first)
            #expect(part?["filling0"] == nil && part?["more"] == ["filling0"] && part?["members"] != nil)
        }
        func told() -> Int { box.notes.count { $0.contains("Filling0") } }
        #expect(told() == 1)
        try box.advance(seconds: 3600)
        let ben = try client(box, "ben", .lines)
        try follow(box, ben, "ben", .lines)
        try box.settle()
        #expect(told() == 2)
    }

    // MARK: A reader that dies, or takes for ever

    @Test func `at whatever read of the disk a snapshot's reader dies, it is said, and the next one is whole`() throws {
        let box = try Self.box(.family)
        /// A snapshot for somebody new, by a reader that knows nothing by heart; `nil` where none came.
        func read(dyingAt n: Int?) throws -> JSON? {
            let ben = try client(box, "ben", .lines)
            defer { ben.leave() }
            box.isReaderBusy = true
            try follow(box, ben, "ben", .lines)
            try box.settle()
            (box.isKeeperBusy, box.isReaderBusy) = (true, false)
            box.worker.rest()
            if let n { box.disk.failAt(n, .read, .ioError) }
            try box.settle()
            box.disk.heal()
            box.isKeeperBusy = false
            try box.settle()
            return seen(try messages(ben.receive(), .lines).all.first)
        }
        let whole = try #require(try read(dyingAt: nil))
        var deaths = 0
        while deaths < 1000 {
            let one = try read(dyingAt: deaths + 1)
            if let one {
                #expect(one == whole)
                break
            }
            deaths += 1
            #expect(try read(dyingAt: nil) == whole)
        }
        #expect((3..<1000).contains(deaths))
        #expect(box.notes.contains { $0.contains("A snapshot could not be read: The disk failed") })
        #expect(box.server.snapshots.room.bytes == 0)
    }

    /// An area whose part takes a statement that runs on, as long as it is told so.
    private final class Slowness: Sendable {
        let time = Mutex<SimulatedTime?>(nil)

        /// Ended at once after its time is over; a daemon that does not end it gets its number and goes on.
        func wait(_ database: Database) throws(StoreFailure) {
            guard let time = time.withLock({ $0 }) else { return }
            time.advance(milliseconds: Int64(Limits.longReadMillisecondsMax))
            _ = try database.first(
                """
                WITH RECURSIVE numbers(number) AS
                (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 3000000)
                SELECT count(*) FROM numbers
                """
            ) { row in row.int(0) }
        }
    }

    @Test func `a snapshot that is not read in 20 s is given up with its sentence, and the next one is whole`() throws {
        #expect(Limits.longReadMillisecondsMax == 20_000)
        let slowness = Slowness()
        let box = try Self.box(
            Registry.family.adding(
                Area(
                    "Slow", view: "slow", tables: [], migrations: [], methods: [], events: [],
                    show: { (database, _, _) throws(StoreFailure) in try slowness.wait(database) })))
        let ben = try client(box, "ben", .lines)
        slowness.time.withLock { $0 = box.time }
        try follow(box, ben, "ben", .lines)
        try box.settle()
        #expect(try messages(ben.receive(), .lines).all.allSatisfy { seen($0) == nil })
        #expect(box.notes.contains { $0.contains(StoreFailure.overdue.sentence) })
        #expect(box.server.snapshots.room.bytes == 0)
        slowness.time.withLock { $0 = nil }
        let again = try client(box, "ben", .lines)
        try follow(box, again, "ben", .lines)
        try box.settle()
        #expect(seen(try messages(again.receive(), .lines).all.first)?["members"] != nil)
    }
}
