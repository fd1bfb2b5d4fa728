import KinCodec
import KinFetch
import KinLoop
import Testing

@Suite struct `The fetcher` {
    @Test func `asks and gives what was answered`() throws {
        let server = FetchServer(saying: .answer("hello", "X-Kind: test"))
        defer { server.end() }
        let outside = Outside(server)
        let answer = try outside.get("http://127.0.0.1:\(server.port)/a?b=c")
        #expect(answer.status == 200 && answer.text == "hello" && answer.source == .asked)
        #expect(answer.headers["x-kind"] == "test")
        #expect(
            server.requests == [
                "GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n"
                    + "Accept-Encoding: identity\r\nUser-Agent: kinwire\r\n\r\n"
            ])
    }

    @Test func `gives answers that are no success as they are`() throws {
        let server = FetchServer(saying: .answer("no", status: "429 Too Many Requests", "Retry-After: 7"))
        defer { server.end() }
        let answer = try Outside(server).get("http://127.0.0.1:\(server.port)/")
        #expect(answer.status == 429 && answer.headers["Retry-After"] == "7" && answer.text == "no")
    }

    @Test func `asks for the fields alone`() throws {
        let server = FetchServer(saying: "HTTP/1.1 200 OK\r\nContent-Length: 7000000\r\n\r\n")
        defer { server.end() }
        let outside = Outside(server)
        let url = try FetchURL("http://127.0.0.1:\(server.port)/")
        let answer = try outside.fetcher.fetch(FetchRequest(url, method: .head), by: outside.policy)
        #expect(answer.status == 200 && answer.body == [] && server.requests.first?.hasPrefix("HEAD /") == true)
    }

    @Test func `sends a push with its fields, once`() throws {
        let server = FetchServer(saying: .answer("", status: "201 Created", "Location: /m/1"))
        defer { server.end() }
        let outside = Outside(server)
        let push = FetchRequest(
            try FetchURL("http://127.0.0.1:\(server.port)/push/abc"), method: .post(Array("sealed".utf8)),
            headers: ["TTL": "60", "Content-Encoding": "aes128gcm", "Authorization": "vapid t=x, k=y"])
        #expect(try outside.fetcher.fetch(push, by: outside.policy).status == 201)
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /push/abc HTTP/1.1\r\n") && request.hasSuffix("\r\n\r\nsealed"))
        for field in ["TTL: 60", "Content-Encoding: aes128gcm", "Authorization: vapid t=x, k=y", "Content-Length: 6"] {
            #expect(request.contains("\r\n\(field)\r\n"), "\(field)")
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ("Host", "x"), ("Content-Length", "1"), ("Transfer-Encoding", "chunked"), ("Range", "bytes=0-"), ("A b", "x"),
        ("", "x"), ("X", "a\r\nY: b"), ("Accept-Encoding", "gzip"), ("Cookie", "a=b"),
    ])
    func `does not send fields that would change what an answer means`(name: String, value: String) throws {
        let outside = Outside()
        var request = FetchRequest(try FetchURL("https://example.org/"))
        request.headers.append(name, value)
        let failure = #expect(throws: FetchFailure.self) { try outside.fetcher.fetch(request, by: outside.policy) }
        guard case .badRequest = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(outside.names.questions == [])
    }

    // MARK: The admin's word

    @Test func `asks nothing until an admin allows it`() throws {
        let server = FetchServer(saying: .answer("hello"))
        defer { server.end() }
        let outside = Outside(server)
        let request = FetchRequest(try FetchURL("http://nas.example:\(server.port)/"))
        let failure = #expect(throws: FetchFailure.self) {
            try outside.fetcher.fetch(request, by: FetchPolicy(purpose: "map tiles"))
        }
        #expect(failure == .off(purpose: "map tiles"))
        #expect(failure?.sentence == "Asking outside for map tiles is switched off; an admin can allow it.")
        #expect(outside.names.questions == [] && server.requests == [])
    }

    @Test func `asks by http only where that is said, and the usual ports only`() {
        var outside = Outside()
        outside.names.answer("example.org", ["127.0.0.1"])
        outside.policy.allowsPlain = false
        for text in ["http://example.org/", "https://example.org:25/", "https://example.org:8443/"] {
            guard case .refused = outside.failure(text) else {
                Issue.record("\(text)")
                continue
            }
        }
        #expect(outside.names.questions == [])
    }

    @Test func `asks listed hosts only, where there is a list`() {
        var outside = Outside()
        outside.policy.hosts = ["push.example.com", "*.push.example.net"]
        for text in [
            "https://example.com/", "https://evil-push.example.com/", "https://push.example.net/",
            "https://push.example.com.evil.example/", "https://9.9.9.9/",
        ] {
            guard case .refused(let sentence) = outside.failure(text) else {
                Issue.record("\(text)")
                continue
            }
            #expect(sentence.contains("is not among the hosts that are asked for tests"))
        }
        #expect(outside.names.questions == [])
        for text in ["https://push.example.com/", "https://a.push.example.net/"] {
            guard case .unreachable = outside.failure(text) else {
                Issue.record("\(text)")
                continue
            }
        }
        #expect(outside.names.questions == ["push.example.com", "a.push.example.net"])
    }

    // MARK: Bad days

    @Test func `connects to the address it judged, though the name server says another the second time`() throws {
        let good = FetchServer(host: 2, saying: .answer("good"))
        let inner = FetchServer(host: 1, saying: .answer("secret of the house"))
        defer {
            good.end()
            inner.end()
        }
        var outside = Outside()
        // 127.0.0.2 stands for an address outside: the policy names it, and no other.
        outside.policy.inside = [try #require(InsidePlace("127.0.0.2:\(good.port)"))]
        outside.names.answer("rebind.example", ["127.0.0.2"], ["127.0.0.1"])
        #expect(try outside.get("http://rebind.example:\(good.port)/").text == "good")
        #expect(outside.names.questions == ["rebind.example"])
        guard case .refused(let sentence) = outside.failure("http://rebind.example:\(good.port)/") else {
            Issue.record("a name that leads to this machine was asked")
            return
        }
        #expect(sentence.contains("rebind.example is this machine (127.0.0.1)"))
        #expect(outside.names.questions.count == 2 && good.requests.count == 1 && inner.requests == [])
    }

    @Test func `does not follow a redirect into the house`() throws {
        let inner = FetchServer(saying: .answer("secret of the house"))
        defer { inner.end() }
        let places =
            [
                "http://127.0.0.1:\(inner.port)/", "http://[::1]:\(inner.port)/", "http://localhost:\(inner.port)/",
                "http://169.254.169.254/latest/meta-data/", "http://inner.example/", "http://nat64.example/",
                "http://carrier.example/", "http://own.example/",
            ]
            + [
                "0.0.0.0", "192.168.1.1", "172.16.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255", "81.2.69.150",
                "[::]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::808:808]", "[64:ff9b:1::1]",
                "[2001:0:7f00:1::]", "[2002:7f00:1::]", "[fc00::1]", "[fd00::1]", "[fe80::1]", "[ff02::1]",
                "[2a02:8108:9640:ff::1]",
            ].map { "http://\($0)/" }
        let server = FetchServer { talk in
            talk.say(.redirect(302, to: places[Int(talk.target.dropFirst()) ?? 0]))
        }
        defer { server.end() }
        let own = try ["81.2.69.144/28", "2a02:8108:9640:1a00::7/64"].map { try #require(CIDR($0)) }
        let outside = Outside(server, ownNetworks: own)
        outside.names.answer("inner.example", ["10.0.0.1"])
        outside.names.answer("localhost", ["127.0.0.1", "::1"])
        outside.names.answer("nat64.example", ["64:ff9b::a00:1"])
        outside.names.answer("carrier.example", ["100.127.0.1"])
        outside.names.answer("own.example", ["81.2.69.145", "2a02:8108:9640::1"])
        for index in places.indices {
            guard case .refused(let sentence) = outside.failure("http://127.0.0.1:\(server.port)/\(index)") else {
                Issue.record("\(places[index])")
                continue
            }
            #expect(!sentence.isEmpty)
        }
        #expect(inner.requests == [] && server.requests.count == places.count)
    }

    @Test func `ends what drips with the time for all of it`() {
        let server = FetchServer { talk in
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while talk.say("."), !talk.waitForEnd(milliseconds: 5) {}
        }
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.totalMilliseconds = 300
        #expect(
            outside.failure("http://127.0.0.1:\(server.port)/")
                == .timedOut("127.0.0.1 took longer than it may; try again later."))
    }

    @Test func `ends what drips in its head too`() {
        let server = FetchServer { talk in
            talk.say("HTTP/1.1 200 OK\r\nX: ")
            while talk.say("."), !talk.waitForEnd(milliseconds: 5) {}
        }
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.totalMilliseconds = 300
        guard case .timedOut = outside.failure("http://127.0.0.1:\(server.port)/") else {
            Issue.record("it dripped on")
            return
        }
    }

    @Test func `ends what flows on and on`() {
        let flood = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", count: 500)
        let server = FetchServer { talk in while talk.say(flood) {} }
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.headBytesMax = .max
        outside.policy.limits.totalMilliseconds = 300
        #expect(
            outside.failure("http://127.0.0.1:\(server.port)/")
                == .timedOut("127.0.0.1 took longer than it may; try again later."))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"])
    func `ends what falls silent`(beginning: String) {
        let server = FetchServer { talk in
            talk.say(beginning)
            talk.waitForEnd()
        }
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.idleMilliseconds = 100
        #expect(
            outside.failure("http://127.0.0.1:\(server.port)/")
                == .timedOut("127.0.0.1 fell silent; try again later."))
    }

    @Test func `says that nobody is there`() {
        let server = FetchServer(saying: "")
        server.end()
        let outside = Outside(server)
        guard case .unreachable(let sentence) = outside.failure("http://127.0.0.1:\(server.port)/") else {
            Issue.record("somebody was there")
            return
        }
        #expect(sentence.contains("127.0.0.1 cannot be reached: "))
        #expect(
            outside.failure("https://nobody.example/")
                == .unreachable("nobody.example was not found; check the address and the internet connection."))
    }

    @Test func `asks nothing while the house's networks are not known`() throws {
        let server = FetchServer(saying: .answer("hello"))
        defer { server.end() }
        let outside = Outside(server)
        let fetcher = Fetcher(ownNetworks: { () throws(LoopFailure) in throw .system(call: "getifaddrs", errno: 12) })
        let request = FetchRequest(try FetchURL("http://127.0.0.1:\(server.port)/"))
        #expect(throws: FetchFailure.self) { try fetcher.fetch(request, by: outside.policy) }
        #expect(server.requests == [])
    }

    @Test func `refuses what is too much, announced or not`() {
        let answers = [
            "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 1001),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" + String(repeating: "a", count: 1001),
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        ]
        let server = FetchServer { talk in
            talk.say(answers[talk.number])
            talk.waitForEnd()
        }
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.bodyBytesMax = 1000
        for _ in 0..<3 {
            #expect(
                outside.failure("http://127.0.0.1:\(server.port)/") == .tooLarge(host: "127.0.0.1", bytesMax: 1000))
        }
        guard case .notUnderstood = outside.failure("http://127.0.0.1:\(server.port)/") else {
            Issue.record("a length that is no number was taken")
            return
        }
    }

    @Test func `takes as much as may come`() throws {
        let server = FetchServer(saying: .answer(String(repeating: "a", count: 1000)))
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.bodyBytesMax = 1000
        #expect(try outside.get("http://127.0.0.1:\(server.port)/").body.count == 1000)
    }

    @Test(arguments: [
        "garbage\r\n\r\n", "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 20_000) + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", "",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
        String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", count: 5000),
    ])
    func `says of what is no good answer that it is none`(answer: String) {
        let server = FetchServer(saying: answer)
        defer { server.end() }
        guard case .notUnderstood(let sentence) = Outside(server).failure("http://127.0.0.1:\(server.port)/") else {
            Issue.record("it was taken for one")
            return
        }
        #expect(sentence.contains("127.0.0.1"))
    }

    @Test func `skips interim answers`() throws {
        let server = FetchServer(saying: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + .answer("hello"))
        defer { server.end() }
        #expect(try Outside(server).get("http://127.0.0.1:\(server.port)/").text == "hello")
    }

    @Test func `says that the name server is silent, and not that there is no such name`() throws {
        let fetcher = Fetcher(
            names: { (name, _) throws(LoopFailure) in throw .timedOut(name) },
            ownNetworks: { () throws(LoopFailure) in [] })
        let failure = #expect(throws: FetchFailure.self) {
            try fetcher.fetch(FetchRequest(try FetchURL("https://slow.example/")), by: Outside().policy)
        }
        #expect(
            failure
                == .timedOut("The name server does not answer for slow.example; check the internet connection."))
    }

    // MARK: How often

    @Test func `asks a host no more often than may be, and again after a while`() throws {
        let server = FetchServer(saying: .answer("hello"))
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.asksOfHostMax = 2
        outside.policy.limits.asksOfHostPerMinute = 6
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(outside.failure(url) == nil && outside.failure(url) == nil)
        #expect(outside.failure(url) == .tooOften(host: "127.0.0.1", retryAfterSeconds: 10))
        outside.time.pass(seconds: 9)
        #expect(outside.failure(url) == .tooOften(host: "127.0.0.1", retryAfterSeconds: 1))
        outside.time.pass(seconds: 1)
        #expect(outside.failure(url) == nil)
        #expect(server.requests.count == 3)
    }

    @Test func `looks a name up no more often than its host may be asked, though it leads nowhere`() throws {
        var outside = Outside()
        outside.policy.limits.asksOfHostMax = 2
        outside.policy.limits.asksOfHostPerMinute = 6
        outside.names.answer("house.example", ["10.0.0.1"])
        for name in ["nowhere.example", "house.example"] {
            for _ in 0..<2 {
                let failure = outside.failure("https://\(name)/")
                #expect(failure != nil && failure != .tooOften(host: name, retryAfterSeconds: 10))
            }
            #expect(outside.failure("https://\(name)/") == .tooOften(host: name, retryAfterSeconds: 10))
        }
        #expect(outside.names.questions.count == 4)
    }

    @Test func `asks all hosts together no more often than may be`() throws {
        let server = FetchServer(saying: .answer("hello"))
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.asksMax = 3
        outside.policy.limits.asksPerMinute = 60
        for number in 0..<4 { outside.names.answer("h\(number).example", ["127.0.0.1"]) }
        for number in 0..<3 { #expect(outside.failure("http://h\(number).example:\(server.port)/") == nil) }
        #expect(
            outside.failure("http://h3.example:\(server.port)/")
                == .tooOften(host: "h3.example", retryAfterSeconds: 1))
    }

    @Test func `asks on no more threads at once than may be`() throws {
        let inner = Outside()
        var policy = inner.policy
        policy.limits.askingMax = 1
        let asking = policy
        // The server asks within an ask.
        let server = FetchServer { talk in
            let failure = #expect(throws: FetchFailure.self) {
                try inner.fetcher.fetch(FetchRequest(try FetchURL("https://a.example/")), by: asking)
            }
            talk.say(.answer(failure == .busy ? "busy" : "not busy"))
        }
        defer { server.end() }
        policy.inside = [try #require(InsidePlace("127.0.0.1:\(server.port)"))]
        let request = FetchRequest(try FetchURL("http://127.0.0.1:\(server.port)/"))
        #expect(try inner.fetcher.fetch(request, by: policy).text == "busy")
        #expect(try inner.fetcher.fetch(request, by: policy).text == "busy")
    }
}
