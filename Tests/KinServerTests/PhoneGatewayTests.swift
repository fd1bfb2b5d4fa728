import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Bad input at the phones' doors: answered so that the phone goes on, and nothing of it is kept.
@Suite struct PhoneGatewayTests {
    private let phone: PhoneAtDoor

    init() throws { phone = try PhoneAtDoor() }

    private func osmand(_ query: String) throws -> BoxResponse {
        try phone.box.connect().ask("GET /osmand?id=\(phone.password)&\(query)")
    }

    private func json(_ location: String) throws -> BoxResponse {
        try phone.post(
            "/osmand", #"{"device_id":"\#(phone.password)","location":\#(location)}"#,
            ["Content-Type: application/json"])
    }

    private func overland(_ body: String) throws -> BoxResponse {
        try phone.post(
            "/overland", body, ["Content-Type: application/json", "Authorization: Bearer \(phone.password)"])
    }

    private func feature(_ coordinates: String, _ time: String) -> String {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(coordinates)},"properties":{"timestamp":"\#(time)"}}"#
    }

    @Test(arguments: [
        "lat=113.2&lon=52.5&timestamp=1789999000", "lat=52.5&lon=NaN&timestamp=1789999000",
        "lat=52.5&lon=inf&timestamp=1789999000", "lat=52.5&timestamp=1789999000", "lat=52.5&lon=13.4",
        "lat=52.5&lon=13.4&timestamp=soon", "lat=52.5&lon=13.4&timestamp=99999999999999999999999",
        "lat=52.5&lon=13.4&timestamp=-1", "lat=52.5&lon=13.4&timestamp=1890000000",
        "lat=0&lon=0.0&timestamp=1789999000", "lat=1&lon=1&timestamp=1789999000&valid=false", "location=52.5",
        "lat=%FF&lon=%EE&timestamp=1789999000", "timestamp=1789999000&cell=257,02,16,2224",
    ])
    func `a query without a place or time that can be true is taken and counted, and moves nothing`(
        query: String
    ) throws {
        let answer = try osmand(query)
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(try phone.dot() == [:])
        #expect(try phone.history() == [])
        #expect(try phone.unusable() == 1)
        #expect(phone.box.notes.last?.hasPrefix("info: phone: ") == true)
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"timestamp":"x","coords":{"latitude":1,"longitude":1}}"#,
        #"{"timestamp":1789999000,"coords":{"latitude":NaN,"longitude":1}}"#,
        #"{"timestamp":1789999000,"coords":{"latitude":91,"longitude":1}}"#,
        #"{"timestamp":1789999000,"coords":{"latitude":1e400,"longitude":1}}"#,
        #"{"timestamp":1789999000,"coords":[1,2]}"#, #"{"timestamp":1789999000,"coords":{"#,
    ])
    func `JSON without them, or that is none, as well`(location: String) throws {
        let answer = try json(location)
        #expect(answer.status == 200 && answer.body.isEmpty, "\(answer.status) \(answer.text)")
        #expect(try phone.dot() == [:])
        #expect(try phone.unusable() == (location == "[]" ? 0 : 1))
    }

    @Test(arguments: ["speed", "bearing", "altitude", "accuracy", "batt"])
    func `a measure in a wrong unit is left out, and the point is taken`(name: String) throws {
        #expect(try osmand("lat=52.5&lon=13.4&timestamp=\(phone.second)&\(name)=1e9").status == 200)
        #expect(Set(try phone.dot().object?.names ?? []).isSubset(of: ["member", "lat", "lon", "at"]))
        #expect(try phone.number("lat") == 52.5)
    }

    @Test func `only a wrong identifier is refused by Traccar's door, as the app knows it`() throws {
        let point = "lat=52.5&lon=13.4&timestamp=\(phone.second)"
        let client = phone.box.connect()
        #expect(try client.ask("GET /osmand?id=wrong&\(point)").status == 400)
        #expect(try client.ask("GET /osmand?\(point)").status == 400)
        #expect(try client.ask("GET /osmand").status == 400)
        #expect(try client.ask("POST /osmand", ["Content-Length: 0"]).status == 400)
        let body = #"{"device_id":"wrong","location":{"timestamp":1,"coords":{}}}"#
        #expect(try phone.post("/osmand", body, ["Content-Type: application/json"]).status == 404)
        #expect(try phone.post("/osmand", "{}", ["Content-Type: application/json"]).status == 404)
        // A session's token opens no phone's door, nor does a password for something else.
        let token = try phone.box.person("ada").token
        #expect(try client.ask("GET /osmand?id=\(token)&\(point)").status == 400)
        let made = try phone.box.line("ada").result("appPassword.create", ["device": "x", "scope": "calendar"])
        #expect(try client.ask("GET /osmand?id=\(made["password"]?.string ?? "")&\(point)").status == 400)
        #expect(try client.ask("PUT /osmand?id=\(phone.password)&\(point)").status == 405)
        #expect(try phone.dot() == [:])
        #expect(try phone.unusable() == 0)
        // Where the identifier is none of ours, Basic and Bearer are looked at when there is no identifier at all.
        for field in [phone.basic, "Bearer \(phone.password)"] {
            #expect(try phone.box.connect().ask("GET /osmand?\(point)", ["Authorization: \(field)"]).status == 200)
        }
        #expect(try phone.number("lat") == 52.5)
    }

    @Test func `a wrong token at Overland's door is refused in its words`() throws {
        let batch = #"{"locations":[]}"#
        for headers in [
            [], ["Authorization: Bearer wrong"], ["Authorization: Bearer \(try phone.box.person("ada").token)"],
        ] {
            let answer = try phone.post("/overland", batch, headers)
            #expect(answer.status == 401 && answer.json?["error"]?.string?.isEmpty == false)
            #expect(answer.json?["result"] == nil)
        }
        #expect(try phone.post("/overland?token=\(phone.password)", batch).json == ["result": "ok"])
        #expect(try phone.post("/overland", batch, ["Authorization: \(phone.basic)"]).json == ["result": "ok"])
        #expect(try phone.box.connect().ask("GET /overland").status == 405)
    }

    @Test(arguments: [
        "", " ", "{}", "[]", #"{"locations":7}"#, #"{"locations":[NaN]}"#, "nonsense", #"{"locations":["#,
    ])
    func `a batch that is none is answered as a good one`(body: String) throws {
        let answer = try phone.post(
            "/overland", body,
            ["Authorization: Bearer \(phone.password)", "Content-Length: \(body.utf8.count)"]
                .prefix(body.isEmpty ? 2 : 1).map { $0 })
        #expect(answer.status == 200 && answer.text == #"{"result":"ok"}"#)
        #expect(try phone.dot() == [:])
        let isNothing = body.allSatisfy(\.isWhitespace)
        #expect(try phone.unusable() == (isNothing ? 0 : 1))
    }

    @Test func `of a batch the good are taken, the bad are counted, and the dot moves once`() throws {
        let ada = try phone.box.line("ada")
        _ = try ada.result("live.follow", ["since": .null, "types": ["position"]])
        _ = try ada.heard()
        let features = [
            feature("[13.001,52.001]", phone.time(-300)), feature("[13.2,152.2]", phone.time(-200)),
            feature("[13.3]", phone.time(-100)), feature("[13.4,52.4]", "yesterday"),
            feature("[13.002,52.002]", phone.time(-50)), feature("[13.6,52.6]", phone.time(9000)),
            feature("[13.003,52.003]", phone.time(-150)), #"{"type":"Feature"}"#, "7",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"type":"trip","timestamp":"2026-01-01T00:00:00Z"}}"#,
        ]
        #expect(try overland(#"{"locations":[\#(features.joined(separator: ","))]}"#).json == ["result": "ok"])
        #expect(try phone.history() == [52.001, 52.003, 52.002])
        #expect(try phone.number("lat") == 52.002)
        #expect(try phone.unusable() == 6)
        #expect(try ada.heardTypes().filter { $0 == "position" }.count == 1)
    }

    @Test func `a thousand points come at once, and one more is too many`() throws {
        func batch(_ count: Int) -> String {
            let all = (0..<count).map { feature("[13,\(52 + Double($0) / 10_000)]", phone.time(Int64($0 - count))) }
            return #"{"locations":[\#(all.joined(separator: ","))]}"#
        }
        #expect(try overland(batch(1001)).json == ["result": "ok"])
        #expect(try phone.dot() == [:])
        #expect(try phone.unusable() == 1)
        #expect(try overland(batch(1000)).json == ["result": "ok"])
        #expect(try phone.number("lat") == 52 + 999.0 / 10_000)
        #expect(try phone.history().count == 1000)
        // It comes again, as when the answer was lost.
        #expect(try overland(batch(1000)).json == ["result": "ok"])
        #expect(try phone.history().count == 1000)
    }

    @Test(arguments: ["/osmand?id=PASSWORD", "/osmand", "/overland", "/owntracks"])
    func `fifty megabytes are answered like a good message, and none of it is kept`(path: String) throws {
        let client = phone.box.connect()
        var head = "POST \(path.replacing("PASSWORD", with: phone.password)) HTTP/1.1\r\nHost: box.local\r\n"
        if path == "/overland" { head += "Authorization: Bearer \(phone.password)\r\n" }
        if path == "/owntracks" { head += "Authorization: \(phone.basic)\r\n" }
        client.post(head + "Content-Type: application/json\r\nContent-Length: \(50 << 20)\r\n\r\n")
        let part = String(repeating: "{\"a\":1} ", count: 1 << 17)
        var sent = 0
        while sent < 50 << 20, !client.isOver {
            try client.send(part)
            sent += part.utf8.count
        }
        let answer = try #require(try client.responses().first)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.text == ["/overland": #"{"result":"ok"}"#, "/owntracks": "[]"][path] ?? "")
        #expect(try phone.dot() == [:])
        // Nothing says whose it was: strangers write nothing to the log.
        #expect(try phone.unusable() == (path == "/osmand" ? 0 : 1))
    }

    @Test func `no password of an address or body reaches the log or an answer`() throws {
        _ = try osmand("lat=1&lon=200&timestamp=1")
        _ = try json("7")
        _ = try overland("nonsense")
        _ = try phone.box.connect().ask("PUT /osmand?id=\(phone.password)")
        let refused = try phone.box.connect().ask("GET /osmand?id=\(phone.password)x&lat=1&lon=1&timestamp=1")
        #expect(!refused.text.contains(phone.password))
        #expect(!phone.box.notes.isEmpty)
        #expect(!phone.box.notes.contains { $0.contains(phone.password) })
    }

    @Test(arguments: ["query", "form", "JSON", "Bearer", "token"])
    func `a password that comes in plain text from another machine is good no more`(place: String) throws {
        var setting = Box.Setting()
        setting.tls = PlainTextTests.tls
        let phone = try PhoneAtDoor(setting)
        let password = phone.password
        let remote = phone.box.connect(from: Box.remote)
        let json = ["Content-Type: application/json"]
        let answer =
            switch place {
            case "query": try remote.ask("GET /osmand?id=\(password)&lat=1&lon=1")
            case "form":
                try remote.ask(
                    "POST /osmand", ["Content-Type: application/x-www-form-urlencoded"], "deviceid=\(password)&lat=1")
            case "JSON": try remote.ask("POST /osmand", json, #"{"device_id":"\#(password)","location":{}}"#)
            case "Bearer": try remote.ask("POST /overland", json + ["Authorization: Bearer \(password)"], "{}")
            default: try remote.ask("POST /overland?token=\(password)", json, "{}")
            }
        #expect(answer.status == 426)
        #expect(try phone.post("/overland", "{}", ["Authorization: Bearer \(password)"]).status == 401)
    }
}
