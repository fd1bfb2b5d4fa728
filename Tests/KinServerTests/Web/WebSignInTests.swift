import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

@Suite struct WebSignInTests {
    @Test func `the form is for password keepers, too`() throws {
        let shown = try WebWalk().get("/signin")
        #expect(shown.asked == [])
        #expect(shown.text.contains("autocomplete=\"username\" autocapitalize=\"none\""))
        #expect(shown.text.contains("autocomplete=\"current-password\""))
        #expect(shown.text.contains("<form method=\"post\">"))
    }

    @Test func `signing in sets the cookie and goes on`() throws {
        let walk = WebWalk(answers: ["session.open": [.success(["token": "secret", "knownDevice": "mark"])]])
        let shown = try walk.post("/signin", "username=Ada%20&password=+p+")
        #expect(
            shown.asked == [
                .init(
                    method: "session.open", params: ["username": "ada", "password": " p ", "device": "Browser"],
                    credential: .none)
            ])
        #expect(shown.cookie == .set("secret", device: "mark"))
        #expect(shown.location == "/")
    }

    @Test func `a wrong password is a sentence, no challenge, and keeps the name only`() throws {
        let wrong = Rejection(.notSignedIn, "The username or the password is not right.")
        let walk = WebWalk(answers: ["session.open": [.failure(wrong)]])
        let shown = try walk.post("/signin", "username=ada&password=hunter2")
        #expect(shown.answer.status == 422)
        #expect(shown.answer.headers["WWW-Authenticate"] == nil)
        #expect(shown.text.contains("role=\"alert\">The username or the password is not right.</p>"))
        #expect(shown.text.contains("value=\"ada\""))
        #expect(!shown.text.contains("hunter2"))
        #expect(shown.cookie == .none)
    }

    @Test func `who is slowed down is told for how long`() throws {
        let slow = Rejection(.slowDown, "Too many failed sign-ins. Wait 8 s and try again.", retryAfter: 8)
        let shown = try WebWalk(answers: ["session.open": [.failure(slow)]]).post("/signin", "username=a&password=b")
        #expect(shown.answer.status == 429)
        #expect(shown.answer.headers["Retry-After"] == "8")
        #expect(shown.text.contains("Wait 8 s and try again."))
    }

    @Test func `opening a one-time link uses nothing up`() throws {
        let shown = try WebWalk().get("/signin/secret-link")
        #expect(shown.asked == [])
        #expect(shown.text.count(of: "<button>") == 1)
        #expect(!shown.text.contains("secret-link"))
    }

    @Test(arguments: [("", nil), ("password=", nil), ("password=four+new+words", "four new words")])
    func `the button of a one-time link signs in, with a new password if one is typed`(
        form: String, password: String?
    ) throws {
        let walk = WebWalk(answers: ["session.redeem": [.success(["token": "secret"])]])
        let shown = try walk.post("/signin/abc", form)
        #expect(shown.asked.first?.params["link"] == "abc")
        #expect(shown.asked.first?.params["password"]?.string == password)
        #expect(shown.cookie == .set("secret", device: nil))
        #expect(shown.location == "/")
    }

    @Test func `phones are kept by a box, and end without it`() throws {
        let walk = WebWalk(answers: ["session.redeem": [.success(["token": "secret"])]])
        #expect(try walk.get("/signin/abc").text.contains("type=\"checkbox\" id=\"keepAppPasswords\""))
        let kept = try walk.post("/signin/abc", "password=four+new+words&keepAppPasswords=yes")
        #expect(kept.asked.first?.params["keepAppPasswords"] == true)
        let ended = try walk.post("/signin/abc", "password=four+new+words")
        #expect(ended.asked.first?.params["keepAppPasswords"] == nil)
        let weak = Rejection(.invalid, "This password is too weak.", field: "password")
        let again = try WebWalk(answers: ["session.redeem": [.failure(weak)]]).post(
            "/signin/abc", "password=a&keepAppPasswords=yes")
        #expect(again.text.contains("value=\"yes\" checked"), "what was ticked stays")
    }

    @Test func `a used link says so, a weak new password leaves it good`() throws {
        let used = Rejection(.notFound, "This link is unknown, used or expired.", field: "link")
        let gone = try WebWalk(answers: ["session.redeem": [.failure(used)]]).post("/signin/abc", "")
        #expect(gone.answer.status == 410)
        #expect(gone.text.contains("Ask an admin"))
        let weak = Rejection(.invalid, "This password is too weak.", field: "password")
        let again = try WebWalk(answers: ["session.redeem": [.failure(weak)]]).post("/signin/abc", "password=a")
        #expect(again.answer.status == 422)
        #expect(again.text.contains("id=\"password-wrong\">This password is too weak.</p>"))
    }

    @Test func `signing out ends the session and the cookie`() throws {
        let walk = WebWalk(answers: ["session.close": [.success([:])]])
        let shown = try walk.post("/signout", "", "Cookie: __Host-kinwire=tok")
        #expect(shown.answer.headers["Clear-Site-Data"] == "\"cache\", \"storage\"")
        #expect(shown.asked == [.init(method: "session.close", params: [:], credential: .token("tok"))])
        #expect(shown.cookie == .clear)
        #expect(shown.location == "/signin")
        let dead = WebWalk(answers: ["session.close": [.failure(Rejection(.notSignedIn, "Signed out."))]])
        let ended = try dead.post("/signout", "", "Cookie: __Host-kinwire=tok")
        #expect(ended.cookie == .clear && ended.location == "/signin?ended=1")
        #expect(ended.answer.headers["Clear-Site-Data"] == "\"cache\", \"storage\"")
        // Whoever did not sign out reads why they are out, and nobody else.
        #expect(try WebWalk().get("/signin?ended=1").text.contains("not signed in any more"))
        #expect(try !WebWalk().get("/signin").text.contains("not signed in any more"))
        #expect(try WebWalk().post("/signout", "").cookie == .clear)
    }
}
