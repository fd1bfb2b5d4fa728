import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// A stock phone with OwnTracks in HTTP mode, by raw bytes: what it posts, and what it is answered.
@Suite struct OwnTracksGatewayTests {
    private let box: Box
    private let basic: String

    init() throws {
        box = try Box.family()
        let made = try box.line("ada").result("appPassword.create", ["device": "pixel", "scope": "location"])
        basic = "Authorization: Basic " + Base64.encode(Array("ada:\(made["password"]?.string ?? "")".utf8))
    }

    private var now: Int64 { box.time.wallMilliseconds() / 1000 }

    private func post(_ body: String, _ path: String = "/owntracks", _ more: [String] = []) throws -> BoxResponse {
        try box.connect().ask("POST \(path)", [basic, "Content-Type: application/json"] + more, body)
    }

    private func point(_ lat: String, ago: Int64 = 0) -> String {
        #"{"_type":"location","lat":\#(lat),"lon":8.5,"tst":\#(now - ago),"tid":"ad","vel":36,"acc":12,"batt":71}"#
    }

    private func dot() throws -> JSON? {
        try box.line("ada").result("position.latest")["positions"]?.array?.first
    }

    @Test func `a point is taken at any address, and whoever shares comes back as card and location`() throws {
        for path in ["/owntracks", "/", "/pub/owntracks?u=ada&d=pixel", "/anything/else"] {
            let answer = try post(point("50.1"), path)
            #expect(answer.status == 200 && answer.json == [], "\(path): \(answer.text)")
            #expect(answer["Content-Type"] == "application/json")
        }
        #expect(try dot()?["lat"]?.double == 50.1 && dot()?["speed"]?.double == 10 && dot()?["battery"]?.double == 71)
        let ben = try box.line("ben")
        _ = try ben.result("sharing.set", ["state": "on"])
        let at = Instant(milliseconds: now * 1000)
        _ = try ben.result("position.report", ["lat": 51.5, "lon": 7.25, "at": .time(at), "speed": 5])
        let friends = try #require(try post(point("50.2")).json?.array)
        #expect(friends.map { $0["_type"] } == ["card", "location"])
        #expect(friends[0]["name"] == "ben" && friends[0]["tid"] == friends[1]["tid"])
        #expect(friends[1]["lat"]?.double == 51.5 && friends[1]["lon"]?.double == 7.25)
        #expect(friends[1]["tst"] == .int(now) && friends[1]["vel"] == 18)
        _ = try ben.result("sharing.set", ["state": "off"])
        #expect(try post(point("50.3")).json == [])
    }

    @Test func `points come late, out of order and twice, and each is taken`() throws {
        for (lat, ago) in [("50.3", 0), ("50.1", 600), ("50.2", 300), ("50.2", 300), ("50.9", 300)] as [(String, Int64)]
        {
            #expect(try post(point(lat, ago: ago)).status == 200)
        }
        #expect(try dot()?["lat"]?.double == 50.3)
        let from = Instant(milliseconds: (now - 3600) * 1000)
        let history = try box.line("ada").result(
            "position.history",
            [
                "member": .id(try box.person("ada").id), "from": .time(from),
                "to": .time(Instant(milliseconds: now * 1000)),
            ])
        #expect(history["positions"]?.array?.map { $0["lat"]?.double } == [50.1, 50.2, 50.3])
    }

    @Test(arguments: [
        #"{"_type":"location","lat":91,"lon":8,"tst":1790000000}"#, #"{"_type":"location","lat":50,"lon":8}"#,
        #"{"_type":"location","lat":NaN,"lon":8,"tst":1}"#, #"{"_type":"location","lat":"x","lon":8,"tst":1}"#,
        #"{"_type":"location","lat":50,"lon":8,"tst":9223372036854775808}"#,
        #"{"_type":"location","lat":50,"lon":8,"tst":3400000000}"#, "nonsense", "[]", #"{"_type":"location""#,
    ])
    func `what cannot be used is taken, counted and noted, and moves nothing`(body: String) throws {
        _ = try post(point("50"))
        let before = try dot()
        let answer = try post(body)
        #expect(answer.status == 200 && answer.json?.array != nil, "\(answer.status) \(answer.text)")
        #expect(try dot() == before)
        let metrics = try box.connect(from: Box.machine).ask("GET /metrics").text
        #expect(metrics.contains("\nkinwire_points_unusable_total 1\n"))
        #expect(box.notes.last?.hasPrefix("info: phone: ") == true, "\(box.notes.last ?? "")")
    }

    @Test func `other types, unknown names and an empty body are taken as well`() throws {
        for body in [
            #"{"_type":"lwt","tst":1}"#, #"{"_type":"waypoint","desc":"Home","lat":1,"lon":2,"rad":50,"tst":1}"#,
            #"{"_type":"status","android":{"hib":1}}"#, #"{"_type":"something-new","x":[1,{"y":null}]}"#, "",
        ] {
            #expect(try post(body).status == 200, "\(body)")
        }
        // Packed, which nobody asked for: unusable, and taken.
        #expect(try post("x", "/owntracks", ["Content-Encoding: gzip"]).status == 200)
        let odd = #"{"_type":"location","lat":50,"lon":8,"tst":\#(now),"brand-new":{"a":[1]},"lat":51}"#
        #expect(try post(odd).status == 200)
        #expect(try dot()?["lat"]?.double == 51)
    }

    @Test(arguments: [2 << 20, 40 << 20])
    func `what is too large to be a point is taken too, for it would block all behind it`(count: Int) throws {
        let client = box.connect()
        let head = "POST /owntracks HTTP/1.1\r\nHost: box.local\r\n\(basic)\r\nContent-Length: \(count)\r\n\r\n"
        client.post(head)
        var sent = 0
        let part = String(repeating: " ", count: 1 << 20)
        while sent < count, !client.isOver {
            try client.send(part)
            sent += part.utf8.count
        }
        let answer = try #require(try client.responses().first)
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test func `only a wrong password is refused, in a way the app understands`() throws {
        let wrong = ["Authorization: Basic " + Base64.encode(Array("ada:nonsense".utf8))]
        for headers in [wrong, [], ["Authorization: Bearer \(try box.person("ada").token)"]] {
            let answer = try box.connect().ask("POST /owntracks", headers, point("50"))
            #expect(answer.status == 401 && answer["WWW-Authenticate"]?.hasPrefix("Basic") == true, "\(headers)")
        }
        // What cannot be used gets no milder judge.
        #expect(try box.connect().ask("POST /owntracks", wrong, "nonsense").status == 401)
        #expect(try box.line("ada").result("position.latest")["positions"] == [])
    }
}
