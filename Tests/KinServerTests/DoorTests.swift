import KinCodec
import KinKeeper
import KinModel
import KinStore
import Testing

@testable import KinServer
@testable import KinServerBox

/// A door of one's own beside the daemon's: what CalDAV or ntfy will be.
@Suite struct DoorTests {
    /// Takes announcements, a line each, by a verb that nobody else knows; the content comes in pieces.
    private final class LinesDoor: Door {
        static let ownVerbs = ["REPORT"]
        private var text: [UInt8] = []
        private var pieces = 0

        static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
            guard head.path.first == "lines" else { return nil }
            return head.method == .other("REPORT") ? .taken(LinesDoor()) : .otherVerbs(["REPORT"])
        }

        func content(_ doorway: Doorway) -> DoorContent { .pieces(bytesMax: 1000) }

        func body(_ bytes: [UInt8], _ doorway: Doorway) {
            pieces += 1
            text += bytes
        }

        func end(isTooLong: Bool, _ doorway: Doorway) {
            let steps = text.split(separator: 0x0A).map { line in
                Request.Step("activity.announce", ["text": .string(String(decoding: line, as: UTF8.self))])
            }
            guard let first = steps.first else { return doorway.work(Shout(text: "nothing")) }
            doorway.ask(first, Array(steps.dropFirst()), as: doorway.credential)
        }

        func done(_ made: any Sendable, _ doorway: Doorway) {
            doorway.respond(.text(200, made as? String ?? ""))
        }

        func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
            switch result {
            case .success(let bytes): doorway.respond(.json(207, bytes))
            case .failure(let rejection): doorway.respond(.problem(rejection))
            }
        }
    }

    private struct Shout: DoorWork {
        let text: String
        func run(at blobs: Blobs) -> any Sendable { text.uppercased() }
    }

    private let box: Box
    private let bearer: String

    init() throws {
        var setting = Box.Setting()
        setting.doors = [LinesDoor.self] + Doors.all
        box = try Box.family(setting)
        bearer = "Authorization: Bearer \(try box.person("ada").token)"
    }

    @Test func `several methods of one request are one commit`() throws {
        let (client, before) = (box.connect(), box.position)
        let turns = box.commits
        let answer = try client.ask("REPORT /lines", [bearer], "one\ntwo\nthree")
        #expect(answer.status == 207)
        #expect(Set(answer.json?.array?.compactMap { $0["announcement"]?["id"]?.identifier } ?? []).count == 3)
        #expect(box.position == before + 3)
        #expect(box.commits == turns + 1)
    }

    @Test func `what is refused takes all before it back`() throws {
        let (client, before) = (box.connect(), box.position)
        let long = String(repeating: "x", count: 900)
        let listener = box.connect()
        _ = try listener.openWebSocket()
        _ = try listener.result("session.resume", ["token": .string(try box.person("ben").token)])
        _ = try listener.result("live.follow", ["since": .null])
        _ = try listener.heard()
        let answer = try client.ask("REPORT /lines", [bearer], "one\n\(long)\u{7}\nthree")
        #expect(answer.status == 422, "\(answer.text)")
        #expect(box.position == before)
        #expect(try listener.heardTypes().isEmpty)
    }

    @Test func `a door may hand work to a worker`() throws {
        let answer = try box.connect().ask("REPORT /lines", [bearer, "Content-Length: 0"])
        #expect(answer.text == "NOTHING\n")
    }

    @Test func `a verb that one door knows is no unknown verb at the others' addresses`() throws {
        let client = box.connect()
        #expect(try client.ask("REPORT /api/session", [bearer]).status == 405)
        #expect(try client.ask("REPORT /api/session", [bearer])["Allow"] == "DELETE, POST, OPTIONS")
        #expect(try client.ask("REPORT /nothing", [bearer]).status == 404)
        #expect(try client.ask("GET /lines", [bearer])["Allow"] == "REPORT, OPTIONS")
        #expect(try client.ask("OPTIONS /lines", [bearer])["Allow"] == "REPORT, OPTIONS")
        // Known nowhere.
        #expect(try client.ask("BREW /api/session", [bearer]).status == 501)
        #expect(try client.ask("BREW /lines", [bearer]).status == 501)
        try client.send("OPTIONS * HTTP/1.1\r\nHost: box.local\r\n\r\n")
        let allow = try client.responses().first?["Allow"]
        let webDAV = "COPY, MKCALENDAR, MKCOL, MOVE, PROPFIND, PROPPATCH, REPORT"
        #expect(allow == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, \(webDAV)")
    }

    @Test func `content in pieces has its bound`() throws {
        let client = box.connect()
        let announced = try client.ask("REPORT /lines", [bearer, "Content-Length: 1001"])
        #expect(announced.status == 413)
        let other = box.connect()
        let chunk = "200\r\n" + String(repeating: "x", count: 0x200) + "\r\n"
        other.post("REPORT /lines HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\nTransfer-Encoding: chunked\r\n\r\n")
        try other.send(chunk + chunk)
        #expect(try other.responses().first?.status == 413)
        #expect(other.isOver)
    }

    @Test func `a WebSocket is opened by a door, and its messages are answered as lines are`() throws {
        var setting = Box.Setting()
        setting.doors = Doors.all.filter { $0 != RPCDoor.self }
        let without = try Box.family(setting)
        #expect(try without.connect().openWebSocket(["Accept: application/json"]).status == 406)
        let (socket, lines) = (box.connect(), try box.line("ada"))
        #expect(try socket.openWebSocket([bearer, "Accept: application/json"]).status == 101)
        #expect(try socket.result("family.show") == lines.result("family.show"))
        // The same method by an address of its own.
        let shown = try box.connect().ask("GET /api/family", [bearer])
        #expect(try shown.json == socket.result("family.show"))
    }
}
