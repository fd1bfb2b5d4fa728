import KinActivity
import KinCrypto
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Bodies too large for memory: they go to a file as they arrive, no faster than it takes them.
@Suite struct UploadTests {
    /// A piece of a picture, and its text.
    static let piece = (0..<(48 << 10)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    static let text = Base64.encode(piece)

    static func body(pieces: Int) -> String { "{\"picture\":\"" + String(repeating: text, count: pieces) + "\"}" }

    private func head(_ siege: Siege, _ bytes: Int, _ more: String = "", name: String = "hal") throws -> String {
        let hal = try siege.box.person("hal")
        return "PUT /api/members/\(hal.id)/picture HTTP/1.1\r\nHost: box.local\r\n"
            + "Authorization: Bearer \(try siege.box.person(name).token)\r\nContent-Length: \(bytes)\r\n\(more)\r\n"
    }

    private func expectNothingLeft(_ siege: Siege, _ location: SourceLocation = #_sourceLocation) {
        #expect(siege.box.arriving.files == [], sourceLocation: location)
        #expect(siege.box.arriving.bytes == 0, sourceLocation: location)
        #expect(siege.box.server.hall.bodyRoom.bytes == 0, sourceLocation: location)
        #expect(siege.box.server.requestsInFlight == 0, sourceLocation: location)
    }

    @Test func `a picture of 16 MB takes memory for its pieces alone, and a bystander misses nothing`() throws {
        let siege = try Siege()
        siege.box.pictureWork = .picture([7], face: [8])
        // As large as a picture may be, but for a piece.
        let body = Self.body(pieces: 341)
        let hal = siege.stranger()
        hal.post(try head(siege, body.utf8.count))
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            hal.post(Array(bytes[start..<min(start + 1 << 20, bytes.count)]))
            try siege.announce()
        }
        try siege.endure(seconds: 1)
        #expect(try hal.responses().map(\.status) == [200])
        let arrived = try #require(siege.box.pictureArrived)
        #expect(arrived.count == 341 * Self.piece.count)
        let count = Self.piece.count
        #expect((0..<341).allSatisfy { Array(arrived[($0 * count)..<($0 * count + count)]) == Self.piece })
        // What of it waits and is written, what reads it, one reading, and the double that arrays grow by.
        let limits = ServerLimits()
        let most = limits.pictureBodyHeldBytesMax + Intake.bytesHeldMax(outlineBytesMax: limits.pictureOutlineBytesMax)
        #expect(siege.peakBytes < 2 * (most + ReadBuffers.bytesMax))
        expectNothingLeft(siege)
        try siege.expectBystanderUnharmed()
    }

    @Test(arguments: [false, true])
    func `a body is not read while what was read of it waits for the disk, and its time stands still`(isTLS: Bool)
        throws
    {
        let siege = try Siege()
        let box = siege.box
        box.pictureWork = .picture([7], face: [8])
        let body = Self.body(pieces: 40)
        let hal = siege.stranger()
        if isTLS { try hal.startTLS() }
        box.isReaderBusy = true
        hal.post(try head(siege, body.utf8.count) + body)
        try siege.endure(seconds: 1)
        let read = box.server.counters.bytesIn
        #expect(box.server.hall.bodyRoom.bytes <= 256 << 10 + 192 << 10)
        try siege.endure(seconds: 90)
        #expect(box.server.counters.bytesIn - read < 4096, "only Ada's words")
        #expect(!hal.isOver)
        #expect(siege.peakBytes < 2 << 20)
        box.isReaderBusy = false
        try siege.endure(seconds: 1)
        #expect(try hal.responses().map(\.status) == [200])
        #expect(box.pictureArrived?.count == 40 * Self.piece.count)
        expectNothingLeft(siege)
        try siege.expectBystanderUnharmed()
    }

    static let ends = [
        "reset", "reset while written", "slow", "half-closed", "malformed", "long elsewhere", "twice", "cut", "wide",
        "forbidden", "no room", "little room", "disk full", "drain", "unread answer", "gone",
    ]

    @Test(arguments: ends) func `however a long body ends, no file stays`(end: String) throws {
        let siege = try Siege {
            if end == "no room" { $0.limits.pictureFilesBytesMax = 100 << 10 }
        }
        let box = siege.box
        let hal = siege.stranger()
        box.pictureWork = .picture([7], face: [8])
        let whole = Self.body(pieces: 20)
        let half = String(whole.prefix(whole.count / 2))
        func send(_ body: String, name: String = "hal") throws -> [Int] {
            hal.post(try head(siege, body.utf8.count, name: name) + body)
            try box.settle()
            return try hal.responses().map(\.status)
        }
        switch end {
        case "reset", "half-closed", "slow", "drain":
            hal.post(try head(siege, whole.utf8.count) + half)
            try box.settle()
            #expect(box.arriving.files.count == 1 && box.arriving.bytes > 100_000)
            if end == "slow" {
                try siege.endure(seconds: 62)
                #expect(try hal.responses().map(\.status) == [408])
            } else if end == "drain" {
                try siege.expectBystanderUnharmed()
                box.network.tell(.terminate)
                try box.settle()
                #expect(hal.isOver)
            } else {
                hal.leave(isRude: end == "reset")
            }
        case "reset while written", "gone":
            box.isReaderBusy = true
            hal.post(try head(siege, whole.utf8.count) + (end == "gone" ? whole : half))
            try box.settle()
            hal.leave(isRude: true)
            try box.settle()
            box.isReaderBusy = false
        case "malformed":
            #expect(try send(whole.replacing("\"}", with: "*AAA\"}")) == [422])
        case "long elsewhere":
            #expect(try send(whole.replacing("picture", with: "pisture")) == [413])
        case "twice":
            #expect(try send(whole.replacing("}", with: ",\"more\":\"\(Self.text)A\"}")) == [413])
        case "cut": #expect(try send(String(whole.dropLast(2))) == [400])
        case "wide": #expect(try send(String(repeating: " ", count: 300_000) + whole) == [413])
        case "forbidden": #expect(try send(whole, name: "ben") == [403])
        case "no room":
            #expect(try send(whole) == [503])
            #expect(siege.hits("picture_files") == 1)
        case "little room":
            box.leaveRoom(16 << 20)
            #expect(try send(whole) == [503])
        case "disk full":
            hal.post(try head(siege, whole.utf8.count) + half)
            try box.settle()
            box.fillDiskAtNextWrite()
            hal.post(String(whole.dropFirst(half.count)))
            try box.settle()
            let told = try #require(try hal.responses().first)
            #expect(told.status == 503)
            #expect(String(decoding: told.body, as: UTF8.self).contains("full"))
        default:
            box.isWorkerBusy = true
            #expect(try send(whole) == [])
            hal.leave(isRude: true)
            try box.settle()
            #expect(box.arriving.files.count == 1, "the keeper said yes, and the worker has it")
            box.isWorkerBusy = false
        }
        try box.settle()
        // Whoever was refused in the middle is given a moment for the rest.
        hal.leave()
        try box.advance(seconds: 6)
        try box.advance(seconds: 3)
        expectNothingLeft(siege)
        #expect(end == "drain" || box.server.connections.count == 2)
        if end != "drain" { try siege.expectBystanderUnharmed() }
    }

    @Test(arguments: [true, false]) func `who fills one's part of the room for pictures leaves the others theirs`(
        isMember: Bool
    ) throws {
        let siege = try Siege {
            $0.limits.pictureFilesBytesMax = 2 << 20
            $0.limits.pictureFilesOfOneBytesMax = 1 << 20
        }
        let box = siege.box
        box.pictureWork = .picture([7], face: [8])
        // The loop knows whose a token is once the keeper judged it: this one's is known, a made-up one's never.
        let known = siege.stranger()
        known.post(
            "GET /api/sessions HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(try box.person("hal").token)\r\n\r\n"
        )
        try box.settle()
        let whole = Self.body(pieces: 14)
        let half = String(whole.dropLast(2))
        func begin() throws -> BoxClient {
            let client = siege.stranger()
            let text = try head(siege, whole.utf8.count)
            client.post((isMember ? text : text.replacing("Bearer ", with: "Bearer x")) + half)
            try box.settle()
            return client
        }
        let first = try begin()
        #expect(try first.responses().isEmpty)
        let second = try begin()
        let told = try #require(try second.responses().first)
        #expect(told.status == 429 && told["Retry-After"] == "5")
        let sentence = isMember ? "pictures of yours" : "pictures from devices that are not signed in"
        #expect(String(decoding: told.body, as: UTF8.self).contains(sentence))
        #expect(siege.hits("picture_files") == 1)
        // Others find their part.
        if isMember {
            _ = try box.line("ben").result("session.list", [:])
        }
        let other = siege.stranger()
        let name = isMember ? "ben" : "hal"
        other.post(try head(siege, whole.utf8.count, name: name) + whole)
        try box.settle()
        #expect(try other.responses().map(\.status) == [isMember ? 403 : 200])
        for client in [first, second, other, known] { client.leave() }
        try box.advance(seconds: 9)
        expectNothingLeft(siege)
        try siege.expectBystanderUnharmed()
    }

    /// The last reading may be the one that makes a pause, or come alone.
    @Test(arguments: [0, 100, 1000, 20_000, 40_000, 60_000])
    func `requests behind a long body wait for its answer, wherever it ends`(spaces: Int) throws {
        let siege = try Siege()
        siege.box.pictureWork = .picture([7], face: [8])
        let body = Self.body(pieces: 3) + String(repeating: " ", count: spaces)
        let hal = siege.stranger()
        let next = "GET /healthz HTTP/1.1\r\nHost: box.local\r\n\r\n"
        hal.post(try head(siege, body.utf8.count) + body + next)
        try siege.box.settle()
        let answers = try hal.responses()
        #expect(answers.map(\.status) == [200, 200])
        #expect(answers.last.map { String(decoding: $0.body, as: UTF8.self) } == "ok\n")
        expectNothingLeft(siege)
    }

    @Test func `strangers and other types are refused before the body`() throws {
        let siege = try Siege()
        for (from, to, status) in [("Bearer", "Nobody", 401), ("Host", "Content-Type: text/plain\r\nHost", 415)] {
            let client = siege.stranger()
            client.post(try head(siege, 1 << 20, "Expect: 100-continue\r\n").replacing(from, with: to))
            try siege.box.settle()
            #expect(try client.responses().map(\.status) == [status])
        }
    }

    @Test func `a repeat is the same picture, on whichever way it comes`() throws {
        let siege = try Siege()
        let box = siege.box
        box.pictureWork = .picture([7], face: [8])
        let body = Self.body(pieces: 3)
        let hal = siege.stranger()
        hal.post(try head(siege, body.utf8.count, "Idempotency-Key: once\r\n") + body)
        try box.settle()
        let told = try hal.responses()
        #expect(told.map(\.status) == [200], "\(told.map { String(decoding: $0.body, as: UTF8.self) })")
        let line = try box.line("hal")
        let picture = String(repeating: Self.text, count: 3)
        let id = JSON.id(try box.person("hal").id)
        #expect(
            try line.result("member.setPicture", ["member": id, "picture": .string(picture), "op": "once"])["member"]
                != nil)
        let other = String(repeating: Self.text, count: 2)
        #expect(
            try line.refusal("member.setPicture", ["member": id, "picture": .string(other), "op": "once"]) == 1409)
    }

    @Test func `bodies of which nothing is needed are counted and dropped`() throws {
        let siege = try Siege()
        let bearer = "Authorization: Bearer \(try siege.box.person("hal").token)"
        let client = siege.stranger()
        client.post(
            "GET /metrics HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\nContent-Length: 900000\r\n\r\n"
                + String(repeating: "x", count: 899_999))
        try siege.box.settle()
        #expect(siege.box.server.hall.bodyRoom.bytes == 0)
        #expect(siege.peakBytes < 16 << 10)
        client.post("x")
        try siege.box.settle()
        #expect(try client.responses().count == 1)
    }
}
