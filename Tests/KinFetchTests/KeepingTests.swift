import Glibc
import KinCodec
import KinFetch
import KinLoop
import Testing

@Suite struct `What the fetcher keeps` {
    private let folder = TestFolder()

    private func cache(bytesMax: Int = 1 << 20, filesMax: Int = 100) throws -> FetchCache {
        try FetchCache(folder: folder.path + "/kept", bytesMax: bytesMax, filesMax: filesMax)
    }

    private var files: [String] { Files.names(in: folder.path + "/kept") }

    @Test func `is given again while it is fresh, also after a restart, and asked again then`() throws {
        let server = FetchServer { talk in talk.say(.answer("tile \(talk.number)", "Cache-Control: max-age=60")) }
        defer { server.end() }
        let url = "http://127.0.0.1:\(server.port)/tile?key=secret"
        let outside = Outside(server, cache: try cache())
        #expect(try outside.get(url).source == .asked)
        outside.time.pass(seconds: 59)
        let kept = try outside.get(url)
        #expect(kept.source == .kept && kept.text == "tile 0")
        let again = Outside(server, cache: try cache())
        #expect(try again.get(url).text == "tile 0")
        outside.time.pass(seconds: 1)
        #expect(try outside.get(url).text == "tile 1")
        #expect(server.requests.count == 2)
        // The folder tells neither host nor secret, and is private.
        #expect(files.count == 1 && files.allSatisfy { $0.utf8.count == 64 })
        #expect(Files.mode(of: folder.path + "/kept") == 0o700)
        for name in files {
            let path = folder.path + "/kept/" + name
            #expect(Files.mode(of: path) == 0o600)
            #expect(!String(decoding: try Files.read(path), as: UTF8.self).contains("secret"))
        }
    }

    @Test func `is confirmed by its tag and its date, and fresh again by what the confirmation says`() throws {
        let server = FetchServer { talk in
            talk.say(
                talk.number == 0
                    ? .answer(
                        "calendar", "ETag: \"v1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT",
                        "Content-Type: text/calendar")
                    : "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nCache-Control: max-age=30\r\n\r\n")
        }
        defer { server.end() }
        let url = "http://127.0.0.1:\(server.port)/"
        let outside = Outside(server, cache: try cache())
        #expect(try outside.get(url).source == .asked)
        let confirmed = try outside.get(url)
        #expect(confirmed.source == .confirmed && confirmed.text == "calendar" && confirmed.status == 200)
        #expect(confirmed.headers["Content-Type"] == "text/calendar")
        let request = try #require(server.requests.last)
        #expect(request.contains("\r\nIf-None-Match: \"v1\"\r\n"))
        #expect(request.contains("\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"))
        #expect(try outside.get(url).source == .kept)
        outside.time.pass(seconds: 30)
        #expect(try outside.get(url).source == .confirmed)
        #expect(server.requests.count == 3)
    }

    @Test func `leaves nothing here where the caller keeps it, and tells its validators to their origin alone`()
        throws
    {
        let other = FetchServer { talk in talk.say(.answer("elsewhere", "ETag: \"v2\"")) }
        defer { other.end() }
        let server = FetchServer { talk in
            let isKnown = talk.request.contains("\r\nIf-None-Match: \"v1\"\r\n")
            talk.say(
                talk.target == "/away"
                    ? .redirect(302, to: "http://127.0.0.1:\(other.port)/")
                    : isKnown
                        ? "HTTP/1.1 304 Not Modified\r\n\r\n"
                        : .answer("calendar", "ETag: \"v1\"", "Cache-Control: max-age=60"))
        }
        defer { server.end() }
        let outside = Outside(server, other, cache: try cache())
        func ask(_ path: String, _ validators: FetchValidators?) throws -> FetchAnswer {
            var request = FetchRequest(try FetchURL("http://127.0.0.1:\(server.port)\(path)"))
            request.keeping = .caller(validators)
            return try outside.fetcher.fetch(request, by: outside.policy)
        }
        let first = try ask("/", nil)
        #expect(first.text == "calendar" && files.isEmpty)
        let validators = try #require(FetchValidators(first))
        #expect(FetchValidators(validators.text) == validators)
        #expect(FetchValidators("none") == nil && FetchValidators("a\n\nb\r") == nil)
        let again = try ask("/", validators)
        #expect(again.status == 304 && again.body.isEmpty && files.isEmpty)
        // Another origin is not told it, also behind a redirect.
        #expect(try ask("/away", validators).text == "elsewhere")
        #expect(other.requests.count == 1 && !other.requests[0].contains("If-None-Match"))
    }

    @Test func `counts for thirty days, whatever it says itself, and then it is removed`() throws {
        let server = FetchServer { talk in
            talk.say(.answer("tile \(talk.number)", "Cache-Control: max-age=31536000"))
        }
        defer { server.end() }
        let (url, other) = ("http://127.0.0.1:\(server.port)/a", "http://127.0.0.1:\(server.port)/b")
        let outside = Outside(server, cache: try cache())
        #expect(try outside.get(url).text == "tile 0")
        outside.time.pass(seconds: 30 * 86_400)
        #expect(try outside.get(url).source == .kept)
        outside.time.pass(seconds: 1)
        #expect(try outside.get(url).text == "tile 1")
        // Nobody asks for that one any more: it goes when another comes.
        outside.time.pass(seconds: 31 * 86_400)
        #expect(try outside.get(other).text == "tile 2")
        #expect(files.count == 1)
    }

    @Test func `is replaced by what changed`() throws {
        let server = FetchServer { talk in talk.say(.answer("v\(talk.number)", "ETag: \"\(talk.number)\"")) }
        defer { server.end() }
        let outside = Outside(server, cache: try cache())
        for number in 0..<3 { #expect(try outside.get("http://127.0.0.1:\(server.port)/").text == "v\(number)") }
        #expect(files.count == 1)
    }

    @Test(arguments: [
        ["Cache-Control: no-store, max-age=60"], ["Cache-Control: private, max-age=60"],
        ["Cache-Control: private=\"x\", max-age=60"], ["Cache-Control: max-age=60", "Vary: *"],
        ["Cache-Control: max-age=60", "Vary: Accept-Encoding, Cookie"], ["Cache-Control: max-age=nonsense"],
        ["Cache-Control: max-age=60, max-age=0"], ["Cache-Control: max-age=60, s-maxage=0"], ["X: y"],
    ])
    func `is nothing where the answer forbids it or has no use for it`(fields: [String]) throws {
        let lines = fields.map { $0 + "\r\n" }.joined()
        let server = FetchServer(saying: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(lines)\r\nok")
        defer { server.end() }
        let outside = Outside(server, cache: try cache())
        for _ in 0..<2 { #expect(try outside.get("http://127.0.0.1:\(server.port)/").source == .asked) }
        #expect(files == [])
    }

    @Test(arguments: [
        ["Cache-Control: no-cache, max-age=60", "ETag: \"1\""],
        ["Cache-Control: max-age=60", "Age: 60", "ETag: \"1\""],
    ])
    func `is confirmed each time where the answer says so, or came old`(fields: [String]) throws {
        let lines = fields.map { $0 + "\r\n" }.joined()
        let server = FetchServer { talk in
            talk.say(
                talk.number == 0
                    ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(lines)\r\nok" : "HTTP/1.1 304 Not Modified\r\n\r\n")
        }
        defer { server.end() }
        let outside = Outside(server, cache: try cache())
        #expect(try outside.get("http://127.0.0.1:\(server.port)/").source == .asked)
        #expect(try outside.get("http://127.0.0.1:\(server.port)/").source == .confirmed)
    }

    @Test func `is nothing of asks with a secret, of failures and of what is sent`() throws {
        let server = FetchServer { talk in
            talk.say(.answer("x", status: talk.target == "/bad" ? "500 Broken" : "200 OK", "Cache-Control: max-age=60"))
        }
        defer { server.end() }
        let outside = Outside(server, cache: try cache())
        let place = "http://127.0.0.1:\(server.port)"
        var request = FetchRequest(try FetchURL(place + "/"))
        request.headers["Authorization"] = "Bearer x"
        _ = try outside.fetcher.fetch(request, by: outside.policy)
        _ = try outside.get(place + "/bad")
        _ = try outside.fetcher.fetch(FetchRequest(FetchURL(place + "/p"), method: .post([])), by: outside.policy)
        _ = try outside.fetcher.fetch(FetchRequest(FetchURL(place + "/h"), method: .head), by: outside.policy)
        #expect(files == [])
    }

    @Test func `is old once the clock was set back`() throws {
        let server = FetchServer(saying: .answer("x", "Cache-Control: max-age=60"))
        defer { server.end() }
        let outside = Outside(server, cache: try cache())
        _ = try outside.get("http://127.0.0.1:\(server.port)/")
        outside.time.pass(seconds: -10)
        #expect(try outside.get("http://127.0.0.1:\(server.port)/").source == .asked)
    }

    @Test func `is not seen by another purpose, nor once the admin took the word back`() throws {
        let server = FetchServer(saying: .answer("x", "Cache-Control: max-age=60"))
        defer { server.end() }
        var outside = Outside(server, cache: try cache())
        let url = "http://127.0.0.1:\(server.port)/"
        _ = try outside.get(url)
        var other = FetchPolicy(purpose: "others")
        other.isOn = true
        other.allowsPlain = true
        other.inside = outside.policy.inside
        #expect(try outside.fetcher.fetch(FetchRequest(FetchURL(url)), by: other).source == .asked)
        outside.policy.isOn = false
        #expect(outside.failure(url) == .off(purpose: "tests"))
        outside.policy.isOn = true
        outside.policy.allowsPlain = false
        #expect(outside.failure(url) != nil)
    }

    @Test func `of the house is not given once the admin took back the word for its machine, fresh or old`() throws {
        let server = FetchServer(saying: .answer("x", "Cache-Control: max-age=60"))
        defer { server.end() }
        var outside = Outside(server, cache: try cache())
        // An unusual port is refused for its own sake.
        outside.policy.ports = [server.port]
        var request = FetchRequest(try FetchURL("http://127.0.0.1:\(server.port)/"))
        request.takesStale = true
        #expect(try outside.fetcher.fetch(request, by: outside.policy).source == .asked)
        #expect(try outside.fetcher.fetch(request, by: outside.policy).source == .kept)
        var other = outside.policy
        other.inside = [try #require(InsidePlace("192.168.1.0/24")), try #require(InsidePlace("nas.local"))]
        #expect(throws: FetchFailure.self) { try outside.fetcher.fetch(request, by: other) }
        outside.time.pass(seconds: 100)
        #expect(throws: FetchFailure.self) { try outside.fetcher.fetch(request, by: other) }
        #expect(server.requests.count == 1)
        #expect(try outside.fetcher.fetch(request, by: outside.policy).source == .asked)
    }

    @Test func `stands in while nobody can be reached, where that will do`() throws {
        let server = FetchServer { talk in
            talk.say(
                .answer(
                    "x",
                    talk.target == "/strict" ? "Cache-Control: max-age=1, must-revalidate" : "Cache-Control: max-age=1")
            )
        }
        let place = "http://127.0.0.1:\(server.port)"
        let outside = Outside(server, cache: try cache())
        for path in ["/", "/strict"] { _ = try outside.get(place + path) }
        server.end()
        outside.time.pass(seconds: 100)
        guard case .unreachable = outside.failure(place + "/") else {
            Issue.record("an old answer was given to who did not ask for one")
            return
        }
        func stale(_ path: String) throws -> FetchAnswer {
            var request = FetchRequest(try FetchURL(place + path))
            request.takesStale = true
            return try outside.fetcher.fetch(request, by: outside.policy)
        }
        #expect(try stale("/").source == .stale)
        #expect(throws: FetchFailure.self) { try stale("/strict") }
    }

    @Test func `has its bound, and what was not used for longest goes first`() throws {
        let server = FetchServer { talk in
            talk.say(.answer(String(repeating: "a", count: 1000), "Cache-Control: max-age=60"))
        }
        defer { server.end() }
        let place = "http://127.0.0.1:\(server.port)/"
        let cache = try cache(bytesMax: 13_000)
        let outside = Outside(server, cache: cache)
        for number in 0..<10 {
            _ = try outside.get(place + "\(number)")
            // Used again and again, it stays.
            #expect(try outside.get(place + "0").source == .kept)
        }
        for number in 10..<14 { _ = try outside.get(place + "\(number)") }
        #expect(cache.bytes <= 13_000)
        #expect(files.map { Files.size(of: folder.path + "/kept/" + $0) ?? 0 }.reduce(0, +) == cache.bytes)
        #expect(try outside.get(place + "0").source == .kept)
        #expect(try outside.get(place + "1").source == .asked)
        // What is larger than a quarter is not kept at all.
        #expect(try self.cache(bytesMax: 2000, filesMax: 100).bytes <= 2000)
    }

    @Test func `is as many files as may be, however few`() throws {
        let server = FetchServer(saying: .answer("x", "Cache-Control: max-age=60"))
        defer { server.end() }
        let cache = try cache(filesMax: 3)
        let outside = Outside(server, cache: cache)
        for number in 0..<8 {
            _ = try outside.get("http://127.0.0.1:\(server.port)/\(number)")
            #expect(files.count <= 3)
            #expect(files.map { Files.size(of: folder.path + "/kept/" + $0) ?? 0 }.reduce(0, +) == cache.bytes)
        }
    }

    @Test func `is asked again where a file was torn or changed`() throws {
        let server = FetchServer(saying: .answer("intact", "Cache-Control: max-age=60"))
        defer { server.end() }
        let outside = Outside(server, cache: try cache())
        let url = "http://127.0.0.1:\(server.port)/"
        _ = try outside.get(url)
        let path = folder.path + "/kept/" + (try #require(files.first))
        let whole = try Files.read(path)
        for torn in [[], Array(whole.dropLast()), Array(whole.dropLast()) + [0x58], whole + [0x58], [0, 1, 2]] {
            try Files.write(torn, to: path, mode: 0o600)
            let answer = try outside.get(url)
            #expect(answer.source == .asked && answer.text == "intact")
        }
        #expect(try outside.get(url).source == .kept)
    }

    @Test func `leaves alone what is not its own in the folder`() throws {
        _ = try cache()
        let path = folder.path + "/kept/"
        try Files.write([1], to: path + "note", mode: 0o600)
        try Files.write([1], to: path + "half.new", mode: 0o600)
        #expect(try cache().bytes == 0)
        #expect(files == ["note"])
    }

    @Test func `goes with what was sent to its address`() throws {
        let server = FetchServer(saying: .answer("x", "Cache-Control: max-age=60"))
        defer { server.end() }
        let outside = Outside(server, cache: try cache())
        let url = try FetchURL("http://127.0.0.1:\(server.port)/")
        _ = try outside.get(url.text)
        _ = try outside.fetcher.fetch(FetchRequest(url, method: .post([])), by: outside.policy)
        #expect(try outside.get(url.text).source == .asked)
    }
}
