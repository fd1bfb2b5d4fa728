import KinCodec
import KinFetch
import KinLoop
import Testing

@Suite struct `Redirects of the fetcher` {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `are followed`(status: Int) throws {
        let server = FetchServer { talk in
            talk.say(talk.target == "/a/b" ? .redirect(status, to: "../c?d") : .answer("there"))
        }
        defer { server.end() }
        let answer = try Outside(server).get("http://127.0.0.1:\(server.port)/a/b")
        #expect(answer.text == "there" && answer.url.target == "/c?d")
    }

    @Test func `are followed five times`() throws {
        let server = FetchServer { talk in
            let left = Int(talk.target.dropFirst()) ?? 0
            talk.say(left == 0 ? .answer("there") : .redirect(302, to: "/\(left - 1)"))
        }
        defer { server.end() }
        let outside = Outside(server)
        #expect(try outside.get("http://127.0.0.1:\(server.port)/5").text == "there")
        #expect(
            outside.failure("http://127.0.0.1:\(server.port)/6")
                == .redirectRefused("127.0.0.1 redirects again and again; check the address."))
        #expect(server.requests.count == 12)
    }

    @Test func `take no secret to another origin, and none back`() throws {
        let other = FetchServer { talk in
            talk.say(.redirect(302, to: "http://127.0.0.1:\(talk.target.dropFirst())/back"))
        }
        defer { other.end() }
        let place = "http://other.example:\(other.port)"
        let server = FetchServer { talk in
            talk.say(
                talk.target == "/"
                    ? .redirect(302, to: "/again")
                    : talk.target == "/again"
                        ? .redirect(
                            302, to: "\(place)/\(talk.request.split(separator: "127.0.0.1:")[1].prefix { $0.isNumber })"
                        )
                        : .answer("there"))
        }
        defer { server.end() }
        let outside = Outside(server, other)
        outside.names.answer("other.example", ["127.0.0.1"])
        let request = FetchRequest(
            try FetchURL("http://127.0.0.1:\(server.port)/"),
            headers: ["Authorization": "Bearer s3cret", "X-Key": "s3cret", "Accept": "text/calendar"])
        #expect(try outside.fetcher.fetch(request, by: outside.policy).text == "there")
        #expect(server.requests.map { $0.contains("s3cret") } == [true, true, false])
        #expect(other.requests.map { $0.contains("s3cret") } == [false])
        #expect((server.requests + other.requests).allSatisfy { $0.contains("\r\nAccept: text/calendar\r\n") })
    }

    @Test(arguments: [
        "ftp://example.org/", "javascript:alert(1)", "//ada@example.org/", "https://0x7f.1/", "file:///etc/passwd",
        "https://",
    ])
    func `to what is no address are not followed`(place: String) {
        let server = FetchServer(saying: .redirect(302, to: place))
        defer { server.end() }
        guard case .redirectRefused = Outside(server).failure("http://127.0.0.1:\(server.port)/") else {
            Issue.record("\(place) was followed")
            return
        }
    }

    @Test func `leave neither the ports nor the list of hosts`() {
        let server = FetchServer { talk in
            talk.say(.redirect(302, to: talk.target == "/port" ? "http://9.9.9.9:25/" : "http://other.example/"))
        }
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.hosts = ["127.0.0.1", "9.9.9.9"]
        for path in ["port", "host"] {
            guard case .refused = outside.failure("http://127.0.0.1:\(server.port)/\(path)") else {
                Issue.record("\(path)")
                continue
            }
        }
        #expect(outside.names.questions == [])
    }

    @Test func `are judged each by itself, the last as the first`() {
        let server = FetchServer { talk in
            let left = Int(talk.target.dropFirst()) ?? 0
            talk.say(.redirect(302, to: left == 0 ? "http://10.0.0.1/" : "/\(left - 1)"))
        }
        defer { server.end() }
        for hops in 0...4 {
            guard case .refused = Outside(server).failure("http://127.0.0.1:\(server.port)/\(hops)") else {
                Issue.record("after \(hops)")
                continue
            }
        }
        #expect(server.requests.count == 15)
    }

    @Test func `look a name up and judge it again, though it is the same one`() throws {
        let good = FetchServer(host: 2, saying: .redirect(302, to: "/again"))
        let inner = FetchServer(saying: .answer("secret of the house"))
        defer {
            good.end()
            inner.end()
        }
        var outside = Outside()
        // 127.0.0.2 stands for an address outside: the policy names it, and no other.
        outside.policy.inside = [try #require(InsidePlace("127.0.0.2:\(good.port)"))]
        outside.names.answer("rebind.example", ["127.0.0.2"], ["127.0.0.1"])
        guard case .refused(let sentence) = outside.failure("http://rebind.example:\(good.port)/") else {
            Issue.record("it was led into the house")
            return
        }
        #expect(sentence.contains("rebind.example is this machine (127.0.0.1)"))
        #expect(outside.names.questions.count == 2 && good.requests.count == 1 && inner.requests == [])
    }

    @Test func `have one time together`() {
        let server = FetchServer { talk in
            talk.waitForEnd(milliseconds: 100)
            talk.say(.redirect(302, to: "/again"))
        }
        defer { server.end() }
        var outside = Outside(server)
        outside.policy.limits.totalMilliseconds = 250
        #expect(
            outside.failure("http://127.0.0.1:\(server.port)/")
                == .timedOut("127.0.0.1 took longer than it may; try again later."))
        #expect(server.requests.count <= 3)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `of what is sent are not followed`(status: Int) throws {
        let server = FetchServer { talk in talk.say(.redirect(status, to: "/elsewhere")) }
        defer { server.end() }
        let outside = Outside(server)
        let push = FetchRequest(try FetchURL("http://127.0.0.1:\(server.port)/"), method: .post([1, 2, 3]))
        #expect(throws: FetchFailure.redirectRefused("127.0.0.1 redirects what is sent to it, which is not followed."))
        {
            try outside.fetcher.fetch(push, by: outside.policy)
        }
        #expect(server.requests.count == 1)
    }
}
