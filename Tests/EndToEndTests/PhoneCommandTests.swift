import Glibc
import KinCodec
import KinModel
import Testing

/// `kin phone` beside a phone that posts as OwnTracks does.
@Suite(.serialized) struct PhoneCommandTests {
    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
    }

    /// Ada says it, over the Unix socket.
    @discardableResult
    private func kin(_ words: String..., exits code: Int32 = 0) throws -> [String] {
        let program = stage.start(["kin"] + words + ["--as", "ada", "--socket", house.socket])
        program.closeInput()
        try stage.wait("kin \(words.joined(separator: " "))") { program.status != nil }
        program.take()
        #expect(program.status == code, "\(words): \(program.said)")
        return program.lines
    }

    private func json(_ lines: [String]) throws -> JSON { try JSON.parse(try #require(lines.first), depthMax: 64) }

    /// Posts a message as Ada's phone; answers the names of the places it is told of, `nil` when it is told of none.
    private func post(_ password: String, _ message: JSON) throws -> [String]? {
        let posting = """
            import base64, sys, urllib.request
            url, password, body = sys.argv[1:]
            key = base64.b64encode(("ada:" + password).encode()).decode()
            headers = {"Authorization": "Basic " + key, "Content-Type": "application/json"}
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            print(opener.open(urllib.request.Request(url, body.encode(), headers)).read().decode())
            """
        let program = try stage.run(
            PythonClient.debian, "-c", posting, house.url + "/owntracks", password, message.text)
        let commands = try #require(try json(program.lines).array)
        let regions = commands.lazy.compactMap { $0["waypoints"]?["waypoints"]?.array }.first
        return regions?.map { $0["desc"]?.string ?? "" }
    }

    @Test func `kin phone set takes the places from a phone and gives them back, and from that phone alone`() throws {
        try kin("place", "add", "School", "--at", "52.5,13.4")
        let passwords = try ["pixel", "pixel tablet"].map { device in
            try #require(try json(kin("phone", "add", device, "--json"))["password"]?.string)
        }
        for (index, password) in passwords.enumerated() {
            #expect(try post(password, location(index)) == ["School"])
            #expect(try post(password, location(10 + index)) == nil)
        }
        func switches() throws -> [String: Bool] {
            let phones = try json(kin("phone", "status", "--json"))["phones"]?.array ?? []
            return Dictionary(
                uniqueKeysWithValues: phones.map { ($0["name"]?.string ?? "", $0["waypoints"]?.bool ?? false) })
        }
        #expect(try switches() == ["pixel": true, "pixel tablet": true])

        // By its name or words of it that no other has; else nothing happens.
        try kin("phone", "set", "pix", "--waypoints", "off", exits: 2)
        try kin("phone", "set", "telescope", "--waypoints", "off", exits: 5)
        try kin("phone", "set", "tablet", exits: 2)
        try kin("phone", "set", "tablet", "--waypoints", "perhaps", exits: 2)
        try kin("phone", "set", "--waypoints", "off", exits: 2)
        #expect(try switches() == ["pixel": true, "pixel tablet": true])

        let off = try kin("phone", "set", "Tablet", "--waypoints", "off")
        #expect(off.first?.hasPrefix("pixel tablet is told no places") == true, "\(off)")
        #expect(try switches() == ["pixel": true, "pixel tablet": false])
        // One that was told is told that it is gone, by a place that has no name any more.
        #expect(try post(passwords[1], location(20)) == [""])
        #expect(try post(passwords[1], location(21)) == nil)
        try kin("place", "add", "Pond", "--at", "52.6,13.5")
        #expect(try post(passwords[1], location(22)) == nil)
        #expect(try post(passwords[0], location(23)) == ["School", "Pond"])

        let on = try json(kin("phone", "set", "tablet", "--waypoints", "on", "--json"))
        #expect(on["phone"]?["name"] == "pixel tablet" && on["phone"]?["waypoints"] == true, "\(on.text)")
        #expect(try post(passwords[1], location(24)) == ["School", "Pond"])
        try kin("phone", "set", "pixel", "--waypoints", "off")
        #expect(try switches() == ["pixel": false, "pixel tablet": true])
    }

    /// Where the phone is, each time at another moment of the last minutes.
    private func location(_ step: Int) -> JSON {
        ["_type": "location", "lat": 45.27, "lon": 13.72, "tst": .int(Int64(time(nil)) - 100 + Int64(step)), "acc": 8]
    }
}
