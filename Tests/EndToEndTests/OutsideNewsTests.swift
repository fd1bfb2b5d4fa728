import Glibc
import KinCodec
import KinModel
import Testing

/// A server of feeds on loopback, which behaves badly too; and a house that trusts its certificate.
struct NewsServer {
    let stage: Stage
    let house: House
    let port: Int64
    private let server: Program

    init() throws {
        stage = try Stage()
        try stage.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=feeds", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
            "\(stage.folder)/feeds.key", "-out", "\(stage.folder)/feeds.crt")
        server = stage.start([
            "python3", Stage.fixtures + "/news.py", "\(stage.folder)/feeds.crt", "\(stage.folder)/feeds.key",
            stage.folder,
        ])
        let server = server
        try stage.wait("the server of feeds") { !server.lines.isEmpty || server.status != nil }
        port = try JSON.parse(Array((server.lines.first ?? "").utf8))["port"]?.int ?? 0
        house = try House(stage, family: ["bob"], environment: ["SSL_CERT_FILE=\(stage.folder)/feeds.crt"])
        try write("Bridge closed")
    }

    func write(_ title: String) throws {
        let text = """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <rss version="2.0"><channel><title>Town News</title><link>https://town.example.org/</link>
            <item><guid isPermaLink="false">1</guid><title>\(title)</title><link>/bridge?from=feed&amp;now=1</link>
              <pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate>
              <description><![CDATA[<p>Until&nbsp;<b>Friday</b>.</p><img src="https://count.example/p.gif"><script>no()</script>]]></description></item>
            <item><guid isPermaLink="false">2</guid><title>Pool opens</title><pubDate>Thu, 19 Nov 2026 10:00:00 GMT</pubDate></item>
            </channel></rss>
            """
        let file = try #require(fopen(stage.folder + "/feed.xml", "w"))
        fputs(text, file)
        fclose(file)
    }

    func address(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    func asked() throws -> [JSON] {
        server.take()
        return try server.lines.dropFirst().map { try JSON.parse(Array($0.utf8)) }
    }
}

/// News from outside: the daemon as it is, over HTTPS, with kin.
@Suite(.serialized) struct OutsideNewsTests {
    private let news: NewsServer

    init() throws { news = try NewsServer() }

    @discardableResult
    private func kin(_ words: String..., as who: String = "ada", fails: Bool = false) throws -> [String] {
        let program = news.stage.start(["kin"] + words + ["--as", who])
        program.closeInput()
        try news.stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect((program.status == 0) != fails, "\(words): \(program.said)")
        return program.lines
    }

    private func list(as who: String = "bob") throws -> String { try kin("news", as: who).joined(separator: "\n") }

    /// Has the one source be read at another address, and answers what came of it; once in 10 s it is read.
    private func readdress(_ path: String) throws -> String {
        try kin("news", "sources")
        try kin("news", "update", "1", "--address", news.address(path))
        var said = ""
        try news.stage.wait("ten seconds to pass") {
            let program = news.stage.start(["kin", "news", "refresh", "1", "--as", "ada"])
            let status = program.waited()
            said = program.lines.joined(separator: "\n")
            return status == 0
        }
        return said
    }

    @Test func `a feed is read, asked for anew by what is known of it, and its news stay when its server goes mad`()
        throws
    {
        // Nothing is asked without an admin's word, and no machine of the house without one more.
        try kin("news", "subscribe", news.address("/good.xml?key=s3cret"), fails: true)
        try kin("news", "outside", "on")
        try kin("news", "outside", "on", as: "bob", fails: true)
        let refused = try kin("news", "subscribe", news.address("/good.xml?key=s3cret")).joined(separator: "\n")
        #expect(try refused.contains("kin outside allow") && news.asked().isEmpty)
        try kin("outside", "allow", "127.0.0.1:\(news.port)")
        let read = try readdress("/good.xml?key=s3cret2")
        #expect(read.contains("Town News is read"), "\(read)")
        #expect(try list().contains("Bridge closed") && list().contains("Town News"))
        let shown = try kin("news", "1", as: "bob").joined(separator: "\n")
        #expect(shown.contains("Until Friday.") && shown.contains("https://town.example.org/bridge?from=feed&now=1"))
        #expect(!shown.contains("count.example") && !shown.contains("no()"))
        try kin("news", "like", "1", "love", as: "bob")
        try kin("news", "star", "1", as: "bob")
        #expect(try list(as: "ada").contains("❤️ 1 · ★ 1"))
        try kin("news", "seen", as: "bob")
        #expect(try !list().contains("new ·") && !kin("news", "sources", as: "bob").joined().contains("s3cret"))
        // One source's, what somebody is interested in, by words, and what is older than what is shown.
        try kin("news", "sources", as: "bob")
        #expect(try kin("news", "--source", "1", as: "bob").count { $0.contains("Town News") } == 2)
        let starred = try kin("news", "--starred", as: "bob").joined()
        #expect(starred.contains("Bridge") && !starred.contains("Pool"))
        let found = try kin("news", "search", "pool", as: "bob").joined()
        #expect(found.contains("Pool opens") && !found.contains("Bridge"))
        let newest = try kin("news", "--limit", "1", as: "bob").joined()
        let older = try kin("news", "older", as: "bob").joined()
        #expect(newest.contains("Bridge") && !newest.contains("Pool"))
        #expect(older.contains("Pool") && !older.contains("Bridge"))
        try kin("news", as: "bob")
        try kin("news", "unstar", "1", as: "bob")
        #expect(try kin("news", "--starred", as: "bob") == ["No news are like that."])
        // By its tag, after a restart too.
        news.house.kill()
        try news.house.start()
        let before = try news.asked().count
        let source = try news.house.door(as: "ada").call("news.sources", [:])["sources"]?.array?.first?["id"] ?? .null
        try news.stage.wait("ten seconds to pass") {
            (try? news.house.door(as: "ada").call("news.refresh", ["source": source])) != nil
        }
        let last = try #require(try news.asked().last)
        #expect(try news.asked().count == before + 1 && last["known"]?.string?.hasPrefix("\"") == true, "\(last)")
        #expect(last["accept"]?.string?.hasPrefix("application/atom+xml") == true)
        // What is none any more deletes nothing.
        for (path, words) in [
            ("/page", "A page is at its address"), ("/gone", "Nothing is at its address"),
            ("/wrong", "something is wrong there"), ("/huge", "larger than 4 MB"), ("/endless", "larger than 4 MB"),
            ("/cut", "no feed that can be read"), ("/bomb", "no feed that can be read"),
            ("/zipped", "something is wrong there"),
            ("/away?\(news.house.url)/healthz", "leads on to one without https://"),
            ("/away?https://127.0.0.1/x.xml", "leads to a machine of the house"),
            ("/away?https://192.168.7.7/x.xml", "leads to a machine of the house"),
            ("/away?http://127.0.0.1:\(news.port)/good.xml", "leads on to one without https://"),
        ] {
            let said = try readdress(path)
            #expect(said.contains(words), "\(path): \(said)")
            #expect(try list().contains("Bridge closed"), "\(path)")
        }
        try news.write("Bridge open again")
        #expect(try readdress("/good.xml").contains("is read"))
        let now = try list()
        #expect(now.contains("Bridge open again") && now.contains("changed") && now.contains("❤️ 1"), "\(now)")
        try kin("news", "sources")
        try kin("news", "remove", "1", "--yes")
        #expect(try !list().contains("Bridge"))
        #expect(!news.house.daemon.said.contains("s3cret") && !news.house.daemon.said.contains("good.xml"))
    }
}
