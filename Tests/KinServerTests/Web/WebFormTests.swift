import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

@Suite struct WebFormTests {
    private let type = "Content-Type: application/x-www-form-urlencoded"
    private let signIn = WebWalk(answers: ["session.open": [.success(["token": "secret"])]])

    private func status(_ headers: String...) throws -> Int {
        try signIn.send("POST /signin HTTP/1.1", [type] + headers, body: "username=a&password=b").answer.status
    }

    @Test func `a form counts when a page of ours sent it`() throws {
        #expect(try status("Origin: https://kin.local:5469") == 303)
        #expect(try status("Sec-Fetch-Site: same-origin") == 303)
        #expect(try status("Referer: https://kin.local:5469/signin") == 303)
    }

    @Test(arguments: [
        "X: nothing said", "Origin: null", "Origin: https://evil.example", "Origin: https://kin.local:8443",
        "Origin: https://kin.local", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Sec-Fetch-Site: none",
        "Referer: https://evil.example/kin.local:5469", "Referer: https://kin.local:5469.evil.example/",
        "Referer: /signin",
    ])
    func `a form from anywhere else does nothing`(header: String) throws {
        let shown = try signIn.send("POST /signin HTTP/1.1", [type, header], body: "username=a&password=b")
        #expect(shown.answer.status == 403)
        #expect(shown.asked == [])
    }

    @Test func `what Origin says is not outvoted`() throws {
        #expect(try status("Origin: https://evil.example", "Referer: https://kin.local:5469/") == 403)
        #expect(try status("Origin: null", "Sec-Fetch-Site: same-origin") == 403)
    }

    @Test(arguments: ["multipart/form-data; boundary=x", "text/plain", "application/json", "nonsense"])
    func `only forms are taken`(type: String) throws {
        let headers = ["Content-Type: \(type)", "Origin: https://kin.local:5469"]
        let shown = try signIn.send("POST /signin HTTP/1.1", headers, body: "username=a&password=b")
        #expect(shown.answer.status == 415)
        #expect(shown.asked == [])
    }

    @Test(arguments: [
        ("/setup/a", "GET, HEAD, POST"), ("/join", "GET, HEAD"), ("/join/a", "GET, HEAD, POST"),
        ("/signin", "GET, HEAD, POST"), ("/signin/a", "GET, HEAD, POST"), ("/signout", "POST"), ("/phone", "GET, HEAD"),
        ("/phone/owntracks", "GET, HEAD, POST"), ("/phone/sharing", "GET, HEAD, POST"),
        ("/phone/reporter", "GET, HEAD, POST"), ("/phone/ntfy", "GET, HEAD, POST"),
        ("/phone/calendar", "GET, HEAD"), ("/phone/calendar/apple", "GET, HEAD, POST"),
        ("/phone/trust", "GET, HEAD, POST"), ("/style.css", "GET, HEAD"),
    ])
    func `other verbs are refused with those that work`(target: String, verbs: String) throws {
        let others = ["PUT", "DELETE", "PATCH", "PROPFIND"]
        for verb in others + (verbs.contains("POST") ? [] : ["POST"]) + (verbs.contains("GET") ? [] : ["GET"]) {
            let shown = try WebWalk().send("\(verb) \(target) HTTP/1.1", ["Origin: https://kin.local:5469"], body: "")
            #expect(shown.answer.status == 405, "\(verb)")
            #expect(shown.answer.headers["Allow"] == verbs + ", OPTIONS")
        }
        let asked = try WebWalk().send("OPTIONS \(target) HTTP/1.1", [], body: "")
        #expect(asked.answer.status == 204)
        #expect(asked.answer.headers["Allow"] == verbs + ", OPTIONS")
    }

    @Test func `HEAD asks what GET asks`() throws {
        let walk = WebWalk.ada()
        let head = try walk.send("HEAD /phone HTTP/1.1", ["Cookie: __Host-kinwire=tok"], body: "")
        let get = try walk.get("/phone", "Cookie: __Host-kinwire=tok")
        #expect(head.answer.status == 200)
        #expect(head.asked == get.asked)
    }

    @Test func `what takes forms only leads those who look back to its page`() throws {
        #expect(try WebWalk().get("/phone/owntracks").location == "/phone")
        #expect(try WebWalk().get("/phone/sharing").location == "/phone")
    }

    @Test func `the style sheet may be kept, under an address of its content`() throws {
        let page = try WebWalk().get("/signin").text
        #expect(page.contains("href=\"\(PageFile.style.path)\""))
        let sheet = try WebWalk().get(PageFile.style.path)
        #expect(sheet.answer.headers["Content-Type"] == "text/css; charset=utf-8")
        #expect(sheet.text.contains("prefers-color-scheme: dark"))
        // The policy lets nothing else in.
        #expect(!sheet.text.contains("url("))
        #expect(!sheet.text.contains("@import"))
    }

    @Test func `nothing else is a page, so that phone apps may post to any other address`() {
        for line in ["POST / HTTP/1.1", "GET /phones HTTP/1.1", "GET /phone/ HTTP/1.1", "GET /join/a/b HTTP/1.1"] {
            var parser = HTTPRequestParser()
            guard case .head(let head) = parser.consume(Array((line + "\r\nHost: kin.local\r\n\r\n").utf8).span).step
            else {
                Issue.record("\(line) is no request")
                continue
            }
            #expect(Pages.place(head) == nil, "\(line)")
        }
    }
}
