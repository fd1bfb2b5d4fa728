import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// The pages in the real daemon, over real sockets.
@Suite(.serialized) struct WebEndToEndTests {
    private let password = "correct+zebra+staple+nine"

    private func founded(_ daemon: WebDaemon) throws -> String {
        let form = "name=Lovelace&household=Mill+Lane&displayName=Ada&username=ada&password=\(password)"
        let response = try daemon.post("/setup/\(daemon.setUp)", form)
        try #require(response.status == 303, "\(response.text)")
        return try #require(response.cookie)
    }

    @Test func `a family is founded, joined, and set up on a phone`() throws {
        let daemon = try WebDaemon()

        // Previews and scanners open the link; it stays good.
        #expect(try daemon.ask("HEAD /setup/\(daemon.setUp)").body.isEmpty)
        let form = try daemon.get("/setup/\(daemon.setUp)")
        #expect(form.status == 200)
        #expect(form.text.contains("Set up Kinwire for your family"))
        #expect(try daemon.get("/setup/other").status == 410)

        let weak = try daemon.post(
            "/setup/\(daemon.setUp)", "name=Lovelace&household=Mill&displayName=Ada&username=ada&password=lovelace1")
        #expect(weak.status == 422)
        #expect(weak.text.contains("id=\"password-wrong\""))
        #expect(weak.cookie == nil)

        let ada = try founded(daemon)
        #expect(ada.hasPrefix("kinwire="))
        #expect(try daemon.get("/setup/\(daemon.setUp)").status == 410)
        let phone = try daemon.get("/phone", cookie: ada)
        #expect(phone.status == 200)
        #expect(phone.text.contains("Nobody else") || phone.text.contains("nobody else"))
        #expect(phone.head.headers["Content-Security-Policy"] == Page.contentSecurityPolicy)
        // With no-referrer browsers would send `Origin: null` with our own forms.
        #expect(phone.head.headers["Referrer-Policy"] == "same-origin")
        #expect(try daemon.get("/style.css").head.headers["Content-Type"] == "text/css; charset=utf-8")

        let invite = try daemon.call(as: "ada", "invite.create", [:])
        let code = try #require(invite["code"]?.string)
        #expect(try daemon.get("/join/\(code)").text.contains("Mill Lane"))
        let taken = try daemon.post("/join/\(code)", "displayName=Bob&username=ada&password=\(password)")
        #expect(taken.status == 409)
        #expect(taken.text.contains("id=\"username-wrong\""))
        let joined = try daemon.post("/join/\(code)", "displayName=Bob&username=bob&password=\(password)", cookie: ada)
        let bob = try #require(joined.cookie)
        #expect(joined.status == 303)
        #expect(try daemon.get("/join/\(code)").status == 410)
        #expect(try daemon.get("/phone", cookie: bob).text.contains("<bdi>Ada</bdi></strong> will see where you are"))

        #expect(try daemon.post("/phone/sharing", "state=on", cookie: bob).head.headers["Location"] == "/phone#sharing")
        #expect(try daemon.get("/phone", cookie: bob).text.contains("Sharing is on"))
        #expect(try daemon.call(as: "bob", "sharing.show", [:])["sharing"]?["state"] == "on")

        let made = try daemon.post("/phone/owntracks", "device=Bob%27s+phone", cookie: bob)
        #expect(made.status == 200)
        #expect(made.text.contains("https://kin.example:5469/owntracks"))
        let secret = try #require(made.text.firstMatch(of: /Password<\/dt><dd><code>([a-z0-9-]+)</)).1
        let basic = "Authorization: Basic \(Base64.encode(Array("bob:\(secret)".utf8)))"
        let point = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1700000000}"#
        #expect(try daemon.ask("POST /owntracks", [basic], point).status == 200)
        #expect(try daemon.ask("GET /api/members", [basic]).status == 403)
    }

    @Test func `sessions begin and end by form, and by link`() throws {
        let daemon = try WebDaemon()
        let first = try founded(daemon)
        let out = try daemon.post("/signout", "", cookie: first)
        #expect(out.head.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        // What the page kept of the member's settings goes with it.
        for name in ["language", "clock", "zone"] {
            let ended = out.head.headers.values("Set-Cookie").filter { $0.hasPrefix("kinwire-\(name)=; ") }
            #expect(ended.count == 1 && ended.allSatisfy { $0.contains("; Max-Age=0;") }, "\(name)")
        }
        let dead = try daemon.get("/phone", cookie: first)
        #expect(dead.head.headers["Location"] == "/signin")
        #expect(dead.head.headers["Set-Cookie"]?.contains("Max-Age=0") == true)

        let response = try daemon.post("/signin", "username=Ada&password=\(password)", cookie: first)
        let cookie = try #require(response.head.headers["Set-Cookie"])
        #expect(cookie.contains("; HttpOnly; SameSite=Strict"))
        #expect(cookie.contains("Path=/;"))
        // Loopback in plain text cannot have secure cookies.
        #expect(!cookie.contains("Secure"))
        #expect(try daemon.get("/phone", cookie: response.cookie).status == 200)

        let member = try #require(try daemon.call(as: "ada", "member.list", [:])["members"]?.array?.first?["id"])
        let link = try #require(try daemon.call(as: "ada", "session.link", ["member": member])["link"]?.string)
        #expect(try daemon.get("/signin/\(link)").status == 200)
        let redeemed = try daemon.post("/signin/\(link)", "password=")
        #expect(try daemon.get("/phone", cookie: redeemed.cookie).status == 200)
        #expect(try daemon.post("/signin/\(link)", "password=").status == 410)
    }

    @Test func `a guest's link opened alone is like any other, counts nothing, and shows nobody until it is asked`()
        throws
    {
        let daemon = try WebDaemon()
        _ = try founded(daemon)
        _ = try daemon.call(as: "ada", "sharing.set", ["state": "on"])
        let page = try daemon.post(
            "/sharing", "hours=4&precision=exact&name=Zebra", cookie: try daemon.signIn("ada", password))
        let secret = try #require(page.text.firstMatch(of: /\/where\/([\w-]+)</)).1
        let head = "Accept: text/html"
        let (right, wrong) = (
            try daemon.ask("GET /where/\(secret)", [head]), try daemon.ask("GET /where/no-such-link", [head])
        )
        #expect(right.status == 200 && right.body == wrong.body)
        func fields(_ response: WebDaemon.Response) -> [HTTPHeaders.Field] {
            response.head.headers.fields.filter { $0.name != "Date" }
        }
        #expect(fields(right) == fields(wrong))
        #expect(right.head.headers.values("Referrer-Policy") == ["no-referrer"])
        #expect(!right.text.contains("Zebra"))
        #expect(try daemon.call(as: "ada", "sharing.looks", [:])["looks"] == [])
        // A form of a page that tells nobody its address comes with no origin.
        let type = "Content-Type: application/x-www-form-urlencoded"
        let opened = try daemon.ask(
            "POST /where/\(secret)", [type, "Origin: null", "Sec-Fetch-Site: same-origin"], "look=yes")
        #expect(opened.status == 200 && opened.text.contains("Where Zebra is"))
        #expect(try daemon.call(as: "ada", "sharing.looks", [:])["looks"]?.array?.count == 1)
        #expect(try daemon.ask("POST /where/\(secret)", [type, "Origin: null"], "look=yes").status == 403)
        #expect(try daemon.post("/where/no-such-link", "look=yes").status == 404)
    }

    @Test func `an address where nothing is shows a page to browsers and a problem to programs`() throws {
        let daemon = try WebDaemon()
        let page = try daemon.ask("GET /no/such/page", ["Accept: text/html,*/*;q=0.8", "Accept-Language: de"])
        #expect(page.status == 404 && page.head.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("Hier ist nichts") && page.text.contains("href=\"/\""))
        for (line, accept) in [("GET /no/such/page", "*/*"), ("GET /api/nothing", "text/html")] {
            let answer = try daemon.ask(line, ["Accept: \(accept)"])
            #expect(answer.status == 404 && answer.head.headers["Content-Type"] == "application/problem+json")
        }
    }

    @Test func `forms of others, too long or too often are refused`() throws {
        let daemon = try WebDaemon()
        let ada = try founded(daemon)
        let type = "Content-Type: application/x-www-form-urlencoded"
        for header in ["X: none", "Origin: http://evil.example", "Origin: http://127.0.0.1:1", "Origin: null"] {
            let response = try daemon.ask("POST /phone/sharing", [type, "Cookie: \(ada)", header], "state=on")
            #expect(response.status == 403, "\(header)")
        }
        #expect(try daemon.call(as: "ada", "sharing.show", [:])["sharing"]?["state"] == "off")
        let long = String(repeating: "a", count: 70_000)
        #expect(try daemon.post("/signin", "username=\(long)").status == 413)
        #expect(try daemon.ask("DELETE /phone").status == 405)

        var slowed: WebDaemon.Response?
        for _ in 0..<20 where slowed == nil {
            let response = try daemon.post("/signin", "username=nobody&password=wrong")
            if response.status == 429 { slowed = response } else { #expect(response.status == 422) }
        }
        #expect(slowed?.head.headers["Retry-After"] != nil)
        #expect(slowed?.text.contains("Too many failed sign-ins") == true)
    }
}
