import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import KinNotices
import Testing

@testable import KinServer
@testable import KinServerBox

/// Scripts of the house publish by ntfy's interface, as `curl`, `ntfy publish` and programs with ntfy built in do it.
@Suite struct PublishTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func call(_ name: String, _ method: String, _ params: JSON) throws -> JSON {
        let line = try box.line(name)
        defer { line.leave() }
        return try line.result(method, params)
    }

    private func script(_ name: String = "ben", _ title: String = "Washer") throws -> (topic: String, id: JSON) {
        let made = try call(name, "notice.addScript", ["name": .string(title)])
        return (try #require(made["topic"]?.string), try #require(made["script"]?["id"]))
    }

    private func phone(_ name: String = "ben") throws -> String {
        try #require(try call(name, "notice.add", ["name": "Phone"])["topic"]?.string)
    }

    private func post(
        _ target: String, _ body: String, _ headers: [String] = [], verb: String = "POST"
    ) throws -> BoxResponse {
        try box.connect().ask("\(verb) \(target)", headers, body)
    }

    private func json(_ response: BoxResponse) throws -> JSON { try JSON.parse(response.body) }

    private func messages(_ topic: String) throws -> [JSON] {
        try box.connect().ask("GET /\(topic)/json?poll=1&since=all").text.split(separator: "\n").map {
            try JSON.parse(Array($0.utf8))
        }
    }

    @Test func `a text from the house comes into its member's inbox, and rings on the member's phone alone`() throws {
        let (topic, _) = try script()
        let phone = try phone()
        let others = try self.phone("ada")
        let answer = try post("/\(topic)", "Washing done\n")
        #expect(answer.status == 200)
        let said = try json(answer)
        #expect(said["event"] == "message" && said["message"] == "Washing done" && said["topic"] == .string(topic))
        #expect(said["id"]?.string?.utf8.count == 12 && said["time"]?.int != nil)
        let rung = try #require(try messages(phone).last)
        #expect(rung["title"] == "Washer" && rung["message"] == "Washing done" && rung["event"] == "message")
        #expect(try messages(others).isEmpty)
        let entry = try #require(try call("ben", "activity.list", [:])["entries"]?.array?.first)
        #expect(entry["title"] == "Washing done" && entry["lines"]?.array?.last?["script"] == "Washer")
        #expect(entry["lines"]?.array?.last?["by"] == nil)
        let kept = try #require(try call("ben", "notice.messages", [:])["messages"]?.array)
        #expect(kept.count == 1 && kept[0]["text"] == "Washing done")
        #expect(try call("ada", "notice.messages", [:])["messages"] == [])
        #expect(try call("ben", "notice.scripts", [:])["scripts"]?.array?.first?["used"] != nil)
    }

    @Test func `title, priority, tags, click and buttons come through, by the head and by the query`() throws {
        let (topic, _) = try script()
        let phone = try phone()
        _ = try post(
            "/\(topic)", "Backup failed",
            [
                "Title: =?UTF-8?B?UGzDpHR6Y2hlbg==?=", "Priority: urgent", "Tags: warning,disk",
                "X-Click: https://nas.example/",
                "Actions: view, Open, https://nas.example/log; http, \"Try, again\", url=https://nas.example/retry, "
                    + "method=PUT, headers.X-Key=abc, body='{\"a\":1}', clear=true",
            ], verb: "PUT")
        let rung = try #require(try messages(phone).last)
        #expect(rung["title"] == "Plätzchen" && rung["priority"] == 5 && rung["tags"] == ["warning", "disk"])
        #expect(rung["click"] == "https://nas.example/")
        let actions = try #require(rung["actions"]?.array)
        #expect(actions.count == 2 && actions[0]["action"] == "view" && actions[0]["url"] == "https://nas.example/log")
        #expect(actions[1]["label"] == "Try, again" && actions[1]["method"] == "PUT" && actions[1]["clear"] == true)
        #expect(actions[1]["headers"] == ["X-Key": "abc"] && actions[1]["body"] == #"{"a":1}"#)
        _ = try box.connect().ask("GET /\(topic)/publish?message=Door%20open&title=Hall&prio=low&tags=door")
        let second = try #require(try messages(phone).last)
        #expect(second["message"] == "Door open" && second["title"] == "Hall" && second["priority"] == 2)
        _ = try box.connect().ask("GET /\(topic)/trigger")
        #expect(try messages(phone).last?["message"] == "triggered")
    }

    @Test func `JSON to the server's own address is a message, and what OwnTracks sends there is OwnTracks's`() throws {
        let (topic, _) = try script()
        let phone = try phone()
        let body = JSON.object([
            "topic": .string(topic), "message": "Rain", "title": "Weather", "tags": ["umbrella"], "priority": 4,
            "actions": [["action": "view", "label": "Radar", "url": "https://rain.example/"]],
        ]).text
        let answer = try post("/", body, ["Content-Type: application/json"])
        #expect(try answer.status == 200 && json(answer)["message"] == "Rain")
        let rung = try #require(try messages(phone).last)
        #expect(rung["title"] == "Weather" && rung["priority"] == 4 && rung["actions"]?.array?.count == 1)
        // Without a password OwnTracks's door says so, whatever stands there.
        let track = #"{"_type":"location","lat":1,"lon":2,"tst":1,"topic":"\#(topic)"}"#
        let other = try post("/", track, ["Content-Type: application/json"])
        #expect(other.status == 401, "\(other.status)")
        #expect(try call("ben", "notice.messages", [:])["messages"]?.array?.count == 1)
        let broken = try post("/", #"{"topic":"\#(topic)","message":}"#, ["Content-Type: application/json"])
        #expect(broken.status == 401 || broken.status == 400)
    }

    @Test func `a phone's topic publishes nothing, a script's reads nothing, and a guess is refused and slowed`() throws
    {
        let (topic, id) = try script()
        let phone = try phone()
        for wrong in [phone, "kin-nobody"] {
            let refused = try post("/\(wrong)", "hi")
            #expect(try refused.status == 403 && json(refused)["code"] == 40301)
        }
        #expect(try box.connect().ask("GET /\(topic)/json?poll=1").status == 403)
        #expect(try box.connect().ask("GET /\(topic)/auth").status == 403)
        _ = try call("ben", "notice.removeScript", ["script": id])
        #expect(try post("/\(topic)", "hi").status == 403)
        #expect(try messages(phone).isEmpty)
        var answers: [BoxResponse] = []
        for _ in 0..<12 { answers.append(try post("/kin-nobody", "hi")) }
        // Whoever guesses has sent no message, and is told of requests.
        #expect(try answers.last?.status == 429 && answers.last.map(json)?["code"] == 42901)
        // A right one is taken from there all the same.
        let (good, _) = try script()
        #expect(try post("/\(good)", "hi").status == 200)
    }

    @Test func `one may not remove another's script, nor see it`() throws {
        let (_, id) = try script()
        let ada = try box.line("ada")
        #expect(try ada.refusal("notice.removeScript", ["script": id]) == 1404)
        #expect(try ada.result("notice.scripts")["scripts"] == [])
        ada.leave()
    }

    @Test func `a publisher that floods is stopped for an hour, and told when`() throws {
        let (topic, _) = try script()
        for index in 0..<60 { #expect(try post("/\(topic)", "\(index)").status == 200) }
        let refused = try post("/\(topic)", "one more")
        #expect(try refused.status == 429 && json(refused)["code"] == 42908)
        // There is room once the first of them is an hour old.
        try box.advance(seconds: 600)
        let later = try #require(try post("/\(topic)", "one more")["Retry-After"].flatMap { Int($0) })
        #expect((2990...3000).contains(later))
        try box.advance(seconds: later - 1)
        #expect(try post("/\(topic)", "early").status == 429)
        try box.advance(seconds: 2)
        #expect(try post("/\(topic)", "later").status == 200)
    }

    @Test(
        arguments: [
            ("Delay: 10min", 400, nil), ("Email: a@b.example", 400, 40001),
            ("Attach: https://x.example/a.png", 400, 40014),
            ("Filename: a.txt", 400, 40014), ("Priority: loud", 400, 40007), ("Click: javascript:alert(1)", 400, nil),
            ("Actions: view, Open", 400, 40018), ("Actions: explode, Now, https://x.example", 400, 40018),
            ("Actions: [1", 400, 40018), ("Actions: view, \"Open, https://x.example", 400, 40018),
            ("Actions: http, A, https://x.example, clear=maybe", 400, 40018),
            ("Actions: http, A, https://x.example, method=GET, body=x", 400, 40018),
            ("Actions: broadcast, Take picture, extras.cmd=pic", 400, 40018),
        ] as [(String, Int, Int64?)])
    func `what is not done is refused, and says so`(_ field: String, _ status: Int, _ code: Int64?) throws {
        let (topic, _) = try script()
        let refused = try post("/\(topic)", "hi", [field])
        #expect(try refused.status == status && json(refused)["code"]?.int == code, "\(refused.text)")
        #expect(try call("ben", "notice.messages", [:])["messages"] == [])
    }

    @Test func `an answer has as much as ntfy's command line reads, however long the text is`() throws {
        let (topic, _) = try script()
        let phone = try phone()
        for text in ["a", "ü", "🎉"].map({ String(repeating: $0, count: 4096) }) {
            let answer = try post("/\(topic)", text, ["Title: Long", "Actions: view, Open, https://x.example"])
            #expect(answer.status == 200 && answer.body.count <= 4096)
            let said = try json(answer)
            #expect(said["title"] == "Long" && text.hasPrefix(said["message"]?.string ?? "?"))
            #expect(try messages(phone).last?["message"]?.string == text)
        }
        #expect(try json(post("/\(topic)", "Short"))["message"] == "Short")
    }

    @Test func `a file is refused as a file, however long it is`() throws {
        let (topic, _) = try script()
        let refused = try post("/\(topic)", String(repeating: "x", count: 40_000), ["X-Filename: big.bin"])
        #expect(try refused.status == 400 && json(refused)["code"] == 40014)
    }

    @Test func `the topic may be the password or the token, under a name of the script's own`() throws {
        let (topic, _) = try script()
        for credential in ["Bearer \(topic)", "Basic \(Base64.encode(Array("ben:\(topic)".utf8)))"] {
            let answer = try post("/house", "Washing done", ["Authorization: \(credential)"])
            #expect(try answer.status == 200 && json(answer)["topic"] == "house", "\(answer.text)")
        }
        #expect(try call("ben", "notice.messages", [:])["messages"]?.array?.count == 2)
        let wrong = try post("/house", "Washing done", ["Authorization: Bearer kin-nobody"])
        #expect(try wrong.status == 403 && json(wrong)["code"] == 40301)
        // A topic that is none of ours is forbidden, and a message at no topic is none; OwnTracks is told to sign in.
        let free = try post("/mytopic", "hi")
        #expect(try free.status == 403 && json(free)["code"] == 40301)
        let bare = try post("/", "hi")
        #expect(try bare.status == 400 && json(bare)["code"] == 40017)
        let phone = try post("/mytopic", "{\"_type\":\"location\"}", ["Content-Type: application/json"])
        #expect(phone.status == 401 && phone.text.contains("app password"))
    }

    @Test func `too much, and what is no text, are refused`() throws {
        let (topic, _) = try script()
        let long = try post("/\(topic)", String(repeating: "x", count: 4097))
        #expect(try long.status == 413 && json(long)["code"] == 41301)
        #expect(try post("/\(topic)", String(repeating: "ä", count: 4096)).status == 200)
        #expect(try post("/\(topic)", String(repeating: "x", count: 40_000)).status == 413)
        let client = box.connect()
        client.post("POST /\(topic) HTTP/1.1\r\nHost: box.local\r\nContent-Length: 2\r\n\r\n")
        client.post([0xFF, 0xFE])
        try box.settle()
        let head = String(decoding: client.receive(), as: UTF8.self)
        #expect(head.contains("40011"), "\(head)")
    }

    @Test func `pages of every site may publish, and are told which verbs there are`() throws {
        let (topic, _) = try script()
        let page = ["Origin: https://ntfy.example", "Sec-Fetch-Site: cross-site"]
        let asked = try box.connect().ask("OPTIONS /\(topic)", page)
        #expect(asked.status == 204 && asked["Allow"] == "GET, POST, PUT, OPTIONS")
        let answer = try post("/\(topic)", "hi", page)
        #expect(answer.status == 200 && answer["Access-Control-Allow-Origin"] == "*")
    }

    @Test func `a topic that was seen in plain text on the network is good no more`() throws {
        let (topic, _) = try script()
        let client = box.connect(from: Box.remote)
        let refused = try client.ask("POST /\(topic)", [], "hi")
        #expect(refused.status == 426)
        try box.settle()
        #expect(try post("/\(topic)", "hi").status == 403)
        #expect(box.notes.contains { $0.contains("script of the house") }, "\(box.notes)")
        #expect(!box.notes.contains { $0.contains(topic) })
    }

    @Test func `a member who leaves takes scripts and messages along`() throws {
        let (topic, _) = try script()
        #expect(try post("/\(topic)", "Washing done").status == 200)
        _ = try call("ada", "member.remove", ["member": .id(try box.person("ben").id), "keep": "delete"])
        #expect(try post("/\(topic)", "hi").status == 403)
        #expect(try box.rows("notice_messages") == 0 && (try box.rows("notice_scripts")) == 0)
        #expect(try box.rows("notice_answers") == 0)
    }
}
