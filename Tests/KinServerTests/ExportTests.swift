import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// A history as a file over HTTP, and in pieces elsewhere.
@Suite struct ExportTests {
    private let box: Box
    private let bearer: String
    private let path: String
    /// More than two pieces.
    private static let count = Limits.exportPositionsPerPiece * 2 + 200

    init() throws {
        box = try Box.family()
        let ada = try box.person("ada")
        bearer = "Authorization: Bearer \(ada.token)"
        path = "/api/positions/\(ada.id)/export"
    }

    private func report(_ count: Int) throws { try report(count, try box.line("ada"), box) }

    private func report(_ count: Int, _ line: BoxClient, _ box: Box) throws {
        let now = Instant(milliseconds: box.time.wallMilliseconds())
        for start in stride(from: 0, to: count, by: 600) {
            let points = (start..<min(start + 600, count)).map { index -> JSON in
                let at = now.adding(seconds: Int64(index - count) * 10)
                return ["lat": .double(50 + Double(index) / 100_000), "lon": 13.4, "at": .time(at), "speed": 1.5]
            }
            _ = try line.result("position.report", ["positions": .array(points)])
        }
        line.leave()
    }

    private static func secure() -> Box.Setting {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        return setting
    }

    private static func points(_ text: String) -> Int { text.split(separator: "<trkpt ").count - 1 }

    @Test func `a short file is one whole answer of its own type and name`() throws {
        try report(3)
        let client = box.connect()
        let gpx = try client.ask("GET \(path)?format=gpx", [bearer])
        #expect(gpx.status == 200 && gpx["Content-Type"] == "application/gpx+xml")
        #expect(gpx["Content-Disposition"] == "attachment; filename=\"positions.gpx\"")
        #expect(gpx["Cache-Control"] == "no-store" && gpx["X-Content-Type-Options"] == "nosniff")
        #expect(gpx["Content-Length"] == String(gpx.body.count))
        #expect(Self.points(gpx.text) == 3 && gpx.text.hasSuffix("</gpx>\n"))
        let json = try client.ask("GET \(path)?format=geojson", [bearer, "Accept: application/geo+json"])
        #expect(json["Content-Type"] == "application/geo+json")
        #expect(json["Content-Disposition"] == "attachment; filename=\"positions.geojson\"")
        let line = json.json?["features"]?.array?.first
        #expect(line?["geometry"]?["coordinates"]?.array?.count == 3)
        // A time of nothing is a file of nothing.
        let empty = try client.ask("GET \(path)?format=gpx&from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z", [bearer])
        #expect(empty.status == 200 && Self.points(empty.text) == 0 && empty.text.hasSuffix("</gpx>\n"))
    }

    @Test func `a long file comes in chunks, whole, and the connection goes on`() throws {
        try report(Self.count)
        let client = box.connect()
        let request = "GET \(path)?format=gpx HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\n\r\n"
        try client.send(request + "GET /healthz HTTP/1.1\r\nHost: box.local\r\n\r\n" + request)
        let responses = try client.responses()
        #expect(responses.map(\.status) == [200, 200, 200] && !client.isOver)
        #expect(responses[0]["Transfer-Encoding"] == "chunked" && responses[0]["Content-Length"] == nil)
        #expect(Self.points(responses[0].text) == Self.count && responses[0].text.hasSuffix("</gpx>\n"))
        #expect(responses[1].text == "ok\n" && responses[2].body == responses[0].body)
        let json = try client.ask("GET \(path)?format=geojson", [bearer])
        let lines = try #require(json.json?["features"]?.array).compactMap { $0["geometry"]?["coordinates"]?.array }
        // Each goes on where the one before ended.
        #expect(lines.map(\.count).reduce(0, +) == Self.count + 2 && lines.count == 3)
        #expect(lines[0].last == lines[1].first && lines[1].last == lines[2].first)
    }

    @Test func `over HTTP of the first version the end of the connection is the end of the file`() throws {
        try report(Self.count)
        let client = box.connect()
        try client.send("GET \(path)?format=gpx HTTP/1.0\r\nHost: box.local\r\n\(bearer)\r\n\r\n")
        let text = client.text()
        #expect(client.isOver && !text.contains("Transfer-Encoding") && text.hasSuffix("</trkseg></trk>\n</gpx>\n"))
        #expect(Self.points(text) == Self.count)
    }

    @Test func `a long history of one's own has a weak validator, and another when a point came`() throws {
        try report(Self.count)
        let client = box.connect()
        let first = try client.ask("GET \(path)?format=gpx", [bearer])
        let tag = try #require(first["ETag"])
        #expect(first.status == 200 && tag.hasPrefix("W/\""))
        let again = try client.ask("GET \(path)?format=gpx", [bearer, "If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag)
        let other = try client.ask("GET \(path)?format=geojson", [bearer, "If-None-Match: \(tag)"])
        #expect(other.status == 200 && other["ETag"] != tag)
        let at = Instant(milliseconds: box.time.wallMilliseconds()).adding(seconds: -5)
        _ = try box.line("ada").result(
            "position.report", ["positions": [["lat": 51.5, "lon": 13.4, "at": .time(at)]]])
        let since = try client.ask("GET \(path)?format=gpx", [bearer, "If-None-Match: \(tag)"])
        #expect(since.status == 200 && since["ETag"] != tag && Self.points(since.text) == Self.count + 1)
    }

    @Test func `HEAD has the head and no file`() throws {
        try report(Self.count)
        let client = box.connect()
        let head = try client.ask("HEAD \(path)?format=gpx", [bearer])
        #expect(head.status == 200 && head["Content-Type"] == "application/gpx+xml" && head.body.isEmpty)
        #expect(try client.ask("GET /healthz").text == "ok\n")
    }

    @Test func `who takes nothing is not read ahead for, and gets all of it later`() throws {
        try report(Self.count)
        let client = box.connect(room: 4096)
        try client.stall(true)
        let before = box.keeper.counters.commands
        try client.send("GET \(path)?format=gpx HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\nConnection: close\r\n\r\n")
        // Once to be admitted, once to be answered.
        #expect(box.keeper.counters.commands == before + 2)
        try client.stall(false)
        #expect(Self.points(try #require(try client.responses().first).text) == Self.count && client.isOver)
    }

    /// Whether the end of asking comes with the question, or in the middle of the answer.
    @Test(arguments: [true, false], [true, false])
    func `who says that it asks nothing more gets all of the file, and then the close`(
        isAtOnce: Bool, isTLS: Bool
    ) throws {
        let box = isTLS ? try Box.family(Self.secure()) : box
        let line = try box.line("ada")
        try report(Self.count, line, box)
        let client = box.connect(room: 4096)
        if isTLS { try client.startTLS() }
        let before = box.server.connections.count
        try client.stall(true)
        let bearer = "Authorization: Bearer \(try box.person("ada").token)"
        let path = "/api/positions/\(try box.person("ada").id)/export"
        client.post("GET \(path)?format=gpx HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\n\r\n")
        if !isAtOnce { try box.settle() }
        // Only its own half ends (RFC 9293 §3.6); TLS says so first (RFC 8446 §6.1).
        if isTLS { try client.sayGoodbye() }
        box.network.clientLeaves(client.token, isRude: false)
        try box.settle()
        #expect(!client.isOver && box.server.connections.count == before)
        try client.stall(false)
        let response = try #require(try client.responses().first)
        #expect(response.status == 200 && Self.points(response.text) == Self.count)
        #expect(response.text.hasSuffix("</gpx>\n") && client.isOver)
        #expect(box.server.connections.count == before - 1 && box.server.requestsInFlight == 0)
    }

    @Test func `who resets the connection in the middle of a file harms nobody`() throws {
        try report(Self.count)
        let other = try box.line("ben")
        let before = (box.server.connections.count, box.server.momentsPlanned)
        for isKeeperBusy in [false, true] {
            let client = box.connect(room: 4096)
            try client.stall(true)
            try client.send("GET \(path)?format=gpx HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\n\r\n")
            // While the next piece is being made, and while nobody has asked for it.
            box.isKeeperBusy = isKeeperBusy
            if isKeeperBusy { try client.stall(false) }
            client.leave(isRude: true)
            try box.settle()
            #expect(box.server.connections.count == before.0)
            box.isKeeperBusy = false
            try box.settle()
            #expect(box.server.requestsInFlight == 0 && box.server.momentsPlanned <= before.1)
        }
        #expect(try other.result("member.list")["members"]?.array?.count == 4)
        let whole = try box.connect().ask("GET \(path)?format=gpx", [bearer])
        #expect(Self.points(whole.text) == Self.count)
    }

    @Test func `a right that ends breaks the file off, and the client sees that it is not whole`() throws {
        try report(Self.count)
        let session = try box.signIn("ada")
        let client = box.connect(room: 4096)
        try client.stall(true)
        try client.send(
            "GET \(path)?format=gpx HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(session.token)\r\n\r\n")
        _ = try box.line("ada").result("session.revoke", ["session": .id(session.session)])
        try client.stall(false)
        let text = client.text()
        #expect(client.isOver && text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(!text.contains("</gpx>") && !text.hasSuffix("0\r\n\r\n"))
        #expect((1..<Self.count).contains(Self.points(text)))
    }

    @Test func `elsewhere the pieces' texts are the file`() throws {
        try report(Self.count)
        let whole = try box.connect().ask("GET \(path)?format=gpx", [bearer]).text
        let line = try box.line("ada")
        var params: JSON = ["member": .id(try box.person("ada").id), "format": "gpx"]
        var (text, sizes) = ("", [Int64]())
        repeat {
            let piece = try line.result("position.export", params)
            text += try #require(piece["text"]?.string)
            sizes.append(try #require(piece["positions"]?.int))
            params["after"] = piece["next"]
        } while params["after"] != nil
        #expect(text == whole && sizes == [500, 500, 200])
    }

    @Test func `what is no such file is refused as ever`() throws {
        let client = box.connect()
        let ben = "Authorization: Bearer \(try box.person("ben").token)"
        func status(_ query: String, _ headers: [String]) throws -> Int {
            try client.ask("GET \(path)\(query)", headers).status
        }
        #expect(try status("?format=gpx", []) == 401)
        #expect(try status("?format=gpx", [ben]) == 403)
        #expect(try status("", [bearer]) == 400)
        #expect(try status("?format=kml", [bearer]) == 422)
        #expect(try status("?format=gpx&to=1999-01-01T00:00:00Z", [bearer]) == 422)
        #expect(try status("?format=gpx", [bearer, "Accept: application/json"]) == 406)
        #expect(try client.ask("POST \(path)", [bearer], "{}").status == 405)
    }

    @Test func `the description says which types the file may have`() throws {
        let document = try #require(try box.connect().ask("GET /api/openapi.json").json)
        let get = document["paths"]?["/api/positions/{member}/export"]?["get"]
        let content = get?["responses"]?["200"]?["content"]?.object
        #expect(content?.members.map(\.name) == ["application/gpx+xml", "application/geo+json"])
    }
}
