import Glibc
import KinFetch
import KinTLS
import Testing

@Suite struct `The fetcher over TLS` {
    private let folder = TestFolder()
    private let server: TLSContext

    init() throws {
        let authority = try LocalAuthority.open(
            directory: folder.path, names: ["maps.example"], addresses: ["127.0.0.1"], now: Int64(time(nil)) * 1000)
        server = try TLSContext(serverChainPEM: authority.chainPEM, keyPEM: authority.keyPEM)
    }

    private var trust: Fetcher.Trust { .file(folder.path + "/root.crt") }

    @Test func `asks whom the given roots vouch for, by name and by address`() throws {
        let server = FetchServer(tls: server, saying: .answer("hello"))
        defer { server.end() }
        var outside = Outside(server, trust: trust)
        outside.policy.allowsPlain = false
        outside.names.answer("maps.example", ["127.0.0.1"])
        #expect(try outside.get("https://maps.example:\(server.port)/").text == "hello")
        #expect(try outside.get("https://127.0.0.1:\(server.port)/").text == "hello")
    }

    @Test func `says nothing to whoever has a certificate for another name`() {
        let server = FetchServer(tls: server, saying: .answer("hello"))
        defer { server.end() }
        let outside = Outside(server, trust: trust)
        outside.names.answer("other.example", ["127.0.0.1"])
        guard case .untrusted(let sentence) = outside.failure("https://other.example:\(server.port)/") else {
            Issue.record("it was asked")
            return
        }
        #expect(sentence.contains("other.example is not trusted"))
        #expect(server.requests == [])
    }

    @Test func `says nothing to whom this machine's roots do not vouch for`() {
        let server = FetchServer(tls: server, saying: .answer("hello"))
        defer { server.end() }
        let outside = Outside(server)
        outside.names.answer("maps.example", ["127.0.0.1"])
        guard case .untrusted = outside.failure("https://maps.example:\(server.port)/") else {
            Issue.record("it was asked")
            return
        }
        #expect(server.requests == [])
    }

    @Test func `does not follow a redirect to plain text`() {
        let plain = FetchServer(saying: .answer("plain"))
        defer { plain.end() }
        let place = "http://maps.example:\(plain.port)/"
        let server = FetchServer(tls: server, saying: .redirect(301, to: place))
        defer { server.end() }
        let outside = Outside(server, plain, trust: trust)
        outside.names.answer("maps.example", ["127.0.0.1"])
        guard case .redirectRefused(let sentence) = outside.failure("https://maps.example:\(server.port)/") else {
            Issue.record("it was followed")
            return
        }
        #expect(sentence.contains("from https:// to http://") && plain.requests == [])
    }

    @Test func `takes no answer that somebody in between may have cut`() throws {
        let text = "HTTP/1.1 200 OK\r\n\r\nall there is"
        let server = FetchServer(tls: server) { talk in
            talk.say(text)
            if talk.target == "/cut" { talk.breakOff() }
        }
        defer { server.end() }
        let outside = Outside(server, trust: trust)
        #expect(try outside.get("https://127.0.0.1:\(server.port)/").text == "all there is")
        guard case .notUnderstood(let sentence) = outside.failure("https://127.0.0.1:\(server.port)/cut") else {
            Issue.record("it was taken")
            return
        }
        #expect(sentence == "The answer of 127.0.0.1 was cut off; try again later.")
    }

    @Test func `takes many records, and what comes with the goodbye`() throws {
        let body = String(repeating: "0123456789", count: 30_000)
        let server = FetchServer(tls: server, saying: .answer(body))
        defer { server.end() }
        #expect(try Outside(server, trust: trust).get("https://127.0.0.1:\(server.port)/").text == body)
    }

    @Test func `ends a handshake that falls silent`() {
        // A plain server waits for a request's end, which a ClientHello does not have.
        let server = FetchServer(saying: "")
        defer { server.end() }
        var outside = Outside(server, trust: trust)
        outside.policy.limits.idleMilliseconds = 100
        guard case .timedOut = outside.failure("https://127.0.0.1:\(server.port)/") else {
            Issue.record("it waited on")
            return
        }
    }
}
