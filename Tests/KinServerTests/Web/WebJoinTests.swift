import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

@Suite struct WebJoinTests {
    private let invite: JSON = [
        "family": "<i>Lovelace</i>", "household": "Mill & Lane", "inviter": "Ada \"Countess\"", "role": "guest",
        "kind": "adult", "expires": "2026-11-20T18:04:05.000Z",
    ]
    private let form = "displayName=Bob&username=bob&password=two+words"

    private func walk(_ answer: Result<JSON, Rejection> = .success([:])) -> WebWalk {
        WebWalk(answers: ["invite.show": [.success(invite)], "member.join": [answer]])
    }

    @Test func `an invite says who invites, where, and as what`() throws {
        let shown = try walk().get("/join/abcd-efgh")
        #expect(shown.asked == [.init(method: "invite.show", params: ["code": "abcd-efgh"], credential: .none)])
        #expect(shown.text.contains("Ada &quot;Countess&quot;"))
        #expect(shown.text.contains("&lt;i&gt;Lovelace&lt;/i&gt;"))
        #expect(shown.text.contains("Mill &amp; Lane"))
        #expect(shown.text.contains("as a guest"))
        #expect(!shown.text.contains("<i>"))
        #expect(!shown.text.contains("abcd-efgh"))
    }

    @Test func `joining signs in`() throws {
        let shown = try walk(.success(["token": "secret"])).post("/join/abcd", form)
        #expect(shown.asked.map(\.method) == ["member.join"])
        #expect(shown.asked.first?.params["code"] == "abcd")
        #expect(shown.asked.first?.credential == Optional(.none))
        #expect(shown.location == "/")
        #expect(shown.cookie == .set("secret", device: nil))
    }

    @Test func `a taken username is said beside it, on the invite's own page`() throws {
        let taken = Rejection(.conflict, "This username is taken; choose another.", field: "username")
        let shown = try walk(.failure(taken)).post("/join/abcd", form)
        #expect(shown.answer.status == 409)
        #expect(shown.text.contains("id=\"username-wrong\">This username is taken; choose another.</p>"))
        #expect(shown.text.contains("Mill &amp; Lane"))
        #expect(shown.text.contains("value=\"bob\""))
        // The password's field is empty, and says why; the focus is where something is wrong.
        #expect(shown.text.contains("id=\"password-wrong\">Type the password once more"))
        #expect(shown.text.count(of: "aria-invalid") == 1 && shown.text.count(of: "autofocus") == 1)
        #expect(!shown.text.contains("two words"))
    }

    @Test func `a refused password is typed anew, and all else stays`() throws {
        let weak = Rejection(.invalid, "This password is too weak.", field: "password")
        var walk = walk(.failure(weak))
        var child = invite
        child["kind"] = "child"
        walk.answers["invite.show"] = [.success(child)]
        let shown = try walk.post("/join/abcd", form + "&asChild=yes")
        #expect(shown.text.contains("id=\"password-wrong\">This password is too weak.</p>"))
        #expect(shown.text.contains("value=\"Bob\"") && shown.text.contains("value=\"bob\""))
        #expect(shown.text.contains("name=\"asChild\" value=\"yes\" checked"))
        #expect(!shown.text.contains("two words"))
        // The same where somebody else's act is in the way.
        walk.answers["member.join"] = [.failure(Rejection(.unavailable, "The disk is full."))]
        let later = try walk.post("/join/abcd", form + "&asChild=yes")
        #expect(later.text.contains("The disk is full.") && later.text.contains("value=\"bob\""))
    }

    @Test func `a code that is used up, unknown or no code says so, looked at or used`() throws {
        let gone = Rejection(.notFound, "This code is unknown, used up or expired.", field: "code")
        let tooLong = Rejection(.tooLarge, "code is longer than 200 bytes.", field: "code")
        for rejection in [gone, tooLong] {
            var walk = walk(.failure(rejection))
            walk.answers["invite.show"] = [.failure(rejection)]
            for shown in [try walk.get("/join/abcd"), try walk.post("/join/abcd", form)] {
                #expect(shown.answer.status == 410)
                #expect(shown.text.contains("ask whoever invited you"))
                #expect(shown.text.contains("<form method=\"get\" action=\"/join\">"))
                #expect(shown.text.contains("name=\"code\"") && shown.text.contains("value=\"abcd\""))
            }
            // What was typed goes with the next code; the password is typed anew.
            let typed = try walk.post("/join/abcd", "displayName=Bob+%3Cb%3E&username=bob&password=two+words")
            #expect(typed.text.contains("<input type=\"hidden\" name=\"displayName\" value=\"Bob &lt;b&gt;\">"))
            #expect(typed.text.contains("name=\"username\" value=\"bob\"") && !typed.text.contains("two words"))
        }
    }

    @Test func `an invite for a child says so, and asks by a box that must be ticked`() throws {
        var walk = walk(.success(["token": "secret"]))
        var child = invite
        child["kind"] = "child"
        walk.answers["invite.show"] = [.success(child)]
        let shown = try walk.get("/join/abcd")
        #expect(shown.text.contains("as a child"))
        #expect(shown.text.contains("type=\"checkbox\" id=\"asChild\" name=\"asChild\" value=\"yes\" required"))
        #expect(shown.text.contains("hold your location settings"))
        #expect(try !self.walk().get("/join/abcd").text.contains("asChild"))
        let ticked = try walk.post("/join/abcd", form + "&asChild=yes")
        #expect(ticked.asked.first?.params["asChild"] == true)
        #expect(ticked.location == "/")
        // Not ticked, by a browser that lets it pass: the keeper says what it means, beside the box.
        walk.answers["member.join"] = [.failure(Rejection(.invalid, "This invite is for a child.", field: "asChild"))]
        let not = try walk.post("/join/abcd", form)
        #expect(not.asked.first?.params["asChild"] == nil)
        #expect(not.answer.status == 422)
        #expect(not.text.contains("id=\"asChild-wrong\">This invite is for a child. Tick the box if you are one.</p>"))
    }

    @Test func `a code that was read out can be typed`() throws {
        let asked = try WebWalk().get("/join")
        #expect(asked.text.contains("name=\"code\""))
        #expect(try WebWalk().get("/join/").text == asked.text)
        let typed = try WebWalk().get("/join?code=+ab%2Fcd%0D%0AX:+1+")
        #expect(typed.answer.status == 303)
        #expect(typed.location == "/join/ab%2Fcd%0D%0AX%3A%201")
        // With what was typed before another code was refused.
        let again = try WebWalk().get("/join?code=efgh&displayName=Bob+%26+Co&username=bob")
        #expect(again.location == "/join/efgh?displayName=Bob%20%26%20Co&username=bob")
        let shown = try walk().get("/join/efgh?displayName=Bob+%26+Co&username=bob")
        #expect(shown.asked == [.init(method: "invite.show", params: ["code": "efgh"], credential: .none)])
        #expect(shown.text.contains("value=\"Bob &amp; Co\"") && shown.text.contains("value=\"bob\""))
    }
}
