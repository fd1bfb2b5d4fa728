import KinCodec
import KinKeeper
import KinModel
import KinPosts
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// The page of a link to a post, and its pictures by address.
@Suite struct SharedPostTests {
    // MARK: The page alone

    private func walk(_ shown: Result<JSON, Rejection>) -> WebWalk {
        var walk = WebWalk()
        walk.answers["post.shared"] = [shown]
        return walk
    }

    private static let post: JSON = [
        "until": "2026-11-27T18:00:00.000Z", "author": "Ada <b>", "at": "2026-11-20T17:57:30.000Z",
        "text": "Soup & bread\nat <six>", "link": "https://example.org/soup?a=1&b=2",
        "pictures": [["width": 40, "height": 30, "caption": "Soup \"hot\""], ["width": 10, "height": 10]],
    ]

    @Test func `the address alone asks nothing, and shows the same whatever link it is`() throws {
        let good = try walk(.success(Self.post)).get("/shared/secret")
        let bad = try walk(.failure(.notFound("link", "x", field: "secret"))).get("/shared/other")
        #expect(good.asked.isEmpty && bad.asked.isEmpty && good.answer.status == 200)
        #expect(good.text == bad.text && good.answer.headers.fields == bad.answer.headers.fields)
        #expect(good.answer.headers["Cache-Control"] == "no-store")
        #expect(good.answer.headers["X-Robots-Tag"]?.contains("noindex") == true)
        #expect(good.answer.headers["Referrer-Policy"] == "no-referrer")
        #expect(good.answer.headers["Content-Security-Policy"]?.contains("script-src") == false)
        #expect(!good.text.contains("<script") && !good.text.contains("og:") && !good.text.contains("secret"))
        #expect(good.text.contains("<form method=\"post\"><button") && good.text.contains("noindex"))
    }

    @Test func `asked, it shows the post escaped, with its pictures, and runs nothing`() throws {
        let page = try walk(.success(Self.post)).post("/shared/secret", "look=yes")
        #expect(page.asked == [.init(method: "post.shared", params: ["secret": "secret"], credential: .none)])
        #expect(page.answer.status == 200 && page.answer.headers["Cache-Control"] == "no-store")
        #expect(page.text.contains("<h1>From Ada &lt;b&gt;</h1>"))
        #expect(page.text.contains("<bdi>Soup &amp; bread</bdi><br><bdi>at &lt;six&gt;</bdi>"))
        #expect(
            page.text.contains(
                "href=\"https://example.org/soup?a=1&amp;b=2\" target=\"_blank\" rel=\"noreferrer noopener\""))
        #expect(
            page.text.contains(
                "<img src=\"/shared/secret/1/middle\" alt=\"Soup &quot;hot&quot;\" width=\"40\" height=\"30\">"))
        #expect(page.text.contains("/shared/secret/2/large") && !page.text.contains("/shared/secret/3"))
        // The daemon's own script writes the times; without it they are those of the family, and say so.
        #expect(page.text.count(of: "<script") == 1 && page.text.contains("/pages.js"))
        #expect(page.text.contains("<time datetime=\"2026-11-20T17:57:30.000Z\">2026-11-20 17:57 UTC</time>"))
        #expect(page.text.contains(">These times are those of the family’s home (<bdi>UTC</bdi>).</p>"))
        // A link that is no page is none.
        var post = Self.post
        post["link"] = "javascript:alert(1)"
        #expect(!(try walk(.success(post)).post("/shared/secret", "look=yes")).text.contains("javascript"))
    }

    @Test func `a link that is over says so, and who guesses is told to wait`() throws {
        let gone = try walk(.failure(.notFound("link", "x", field: "secret"))).post("/shared/x", "look=yes")
        #expect(gone.answer.status == 404 && gone.text.contains("This link is over"))
        let slow = try walk(
            .failure(Rejection(.slowDown, "Too many links that are not good. Wait 9 s and try again.", retryAfter: 9))
        )
        .post("/shared/x", "look=yes", "Accept-Language: de")
        #expect(slow.answer.status == 429 && slow.answer.headers["Retry-After"] == "9")
        #expect(slow.text.contains("Warte 9 s"))
    }

    // MARK: On the whole server

    /// A post of Hal's with a picture, and the secret of a link to it.
    private func shared(_ box: Box) throws -> (post: JSON, secret: String, line: BoxClient) {
        let hal = try box.line("hal")
        let picture = try hal.result("picture.add", ["picture": PicturesLife.picture("soup")])["picture"]?["id"]
        let post = try hal.result(
            "post.add", ["text": "Soup", "pictures": [["picture": picture ?? .null, "caption": "Hot"]]])
        let id = try #require(post["post"]?["id"])
        let until = Instant(milliseconds: box.time.wallMilliseconds()).adding(days: 7)
        let made = try hal.result("post.share", ["post": id, "until": .time(until)])
        return (id, try #require(made["secret"]?.string), hal)
    }

    @Test func `a stranger sees the post and its pictures until it is another`() throws {
        let box = try Box.family()
        let (post, secret, hal) = try shared(box)
        defer { hal.leave() }
        func ask(_ line: String, _ headers: String..., body: String = "") throws -> BoxResponse {
            let client = box.connect()
            defer { client.leave() }
            return try client.ask(line, headers, body)
        }
        let form = "Content-Type: application/x-www-form-urlencoded"
        let page = try ask(
            "POST /shared/\(secret)", form, "Origin: null", "Sec-Fetch-Site: same-origin", body: "look=yes")
        #expect(page.status == 200 && page.text.contains("Soup") && page.text.contains("Hot"))
        let address = "/shared/\(secret)/1/small"
        let whole = try ask("GET \(address)")
        #expect(whole.status == 200 && whole["Content-Type"] == "image/jpeg" && whole["Cache-Control"] == "no-store")
        #expect(whole["Content-Security-Policy"] == "sandbox; default-src 'none'")
        let etag = try #require(whole["ETag"])
        #expect(try ask("GET \(address)", "If-None-Match: \(etag)").status == 304)
        let part = try ask("GET \(address)", "Range: bytes=0-3")
        #expect(part.status == 206 && part.body == Array(whole.body[0..<4]))
        #expect(try ask("HEAD \(address)").status == 200)
        let put = try ask("PUT \(address)", "Content-Type: image/jpeg", body: "x")
        #expect(put.status == 405 && put["Allow"]?.contains("GET") == true)
        // Under that link alone: not by the picture's own address, not at another place, not under another link.
        for other in ["/shared/\(secret)/2/small", "/shared/other/1/small", "/shared/\(secret)/1/huge"] {
            #expect(try ask("GET \(other)").status == 404, "\(other)")
        }
        _ = try hal.result("post.update", ["post": post, "text": "Bread"])
        #expect(try ask("GET \(address)", "If-None-Match: \(etag)").status == 404)
        #expect(
            try ask("POST /shared/\(secret)", form, "Origin: null", "Sec-Fetch-Site: same-origin", body: "look=yes")
                .status == 404)
    }
}
