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

@Suite struct WebSetUpTests {
    private let form =
        "name=Lovelace&household=Mill+Lane&displayName=Ada+%3Cscript%3E&username=+Ada+&password=+two+words%26more+"

    private func walk(_ answer: Result<JSON, Rejection>) -> WebWalk {
        WebWalk(answers: ["setUp.show": [.success(["state": "good"])], "family.found": [answer]])
    }

    @Test func `opening the link only asks whether it is good`() throws {
        let shown = try walk(.success([:])).get("/setup/abc")
        #expect(shown.asked == [.init(method: "setUp.show", params: ["link": "abc"], credential: .none)])
        #expect(shown.answer.status == 200)
        #expect(shown.answer.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(shown.answer.headers["Cache-Control"] == "no-store")
        for field in ["name", "household", "displayName", "username", "password"] {
            #expect(shown.text.contains("<label for=\"\(field)\">"), "\(field) has a label")
            #expect(shown.text.contains("<input id=\"\(field)\" name=\"\(field)\""), "\(field) is there")
        }
        #expect(shown.text.contains("autocomplete=\"username\""))
        #expect(shown.text.contains("autocomplete=\"new-password\""))
        #expect(shown.text.contains("passwordrules="))
        #expect(shown.text.contains("width=device-width"))
        // The secret stands in the address alone.
        #expect(!shown.text.contains("abc"))
        #expect(!shown.text.contains("<script>"))
    }

    @Test func `founding signs in, whoever's cookie the browser still has`() throws {
        let shown = try walk(.success(["token": "secret"])).post(
            "/setup/abc", form, "Cookie: __Host-kinwire=old", "User-Agent: Mozilla/5.0 (iPhone; CPU)")
        #expect(
            shown.asked == [
                .init(
                    method: "family.found",
                    params: [
                        "name": "Lovelace", "household": "Mill Lane", "displayName": "Ada <script>", "username": "ada",
                        "password": " two words&more ", "link": "abc", "device": "iPhone",
                    ], credential: .none)
            ])
        #expect(shown.answer.status == 303)
        #expect(shown.location == "/")
        #expect(shown.cookie == .set("secret", device: nil))
        #expect(shown.answer.body.isEmpty)
    }

    @Test func `a weak password is said beside its field, and the rest stays typed`() throws {
        let weak = Rejection(.invalid, "This password is too weak. Make it \"longer\".", field: "password")
        let shown = try walk(.failure(weak)).post("/setup/abc", form)
        #expect(shown.answer.status == 422)
        #expect(shown.cookie == .none)
        #expect(
            shown.text.contains(
                "id=\"password-wrong\">This password is too weak. Make it &quot;longer&quot;.</p>"))
        #expect(shown.text.contains("aria-describedby=\"password-hint password-wrong\" aria-invalid=\"true\""))
        #expect(shown.text.count(of: "aria-invalid") == 1)
        #expect(shown.text.contains("value=\"Ada &lt;script&gt;\""))
        #expect(!shown.text.contains("two words"))
        #expect(!shown.text.contains("<script>"))
    }

    @Test func `sentences name fields as the form does`() throws {
        let long = Rejection(.tooLarge, "displayName is 70 characters long; at most 64.", field: "displayName")
        let shown = try walk(.failure(long)).post("/setup/abc", form)
        #expect(shown.answer.status == 413)
        #expect(shown.text.contains(">Your name is 70 characters long; at most 64.<"))
    }

    @Test func `what is left empty is said without asking`() throws {
        let shown = try walk(.success([:])).post("/setup/abc", "name=Lovelace&household=+&username=ada&password=x")
        #expect(shown.asked == [])
        #expect(shown.answer.status == 422)
        #expect(shown.text.contains("id=\"household-wrong\">Write what your household is called.</p>"))
        #expect(shown.text.contains("value=\"Lovelace\""))
    }

    @Test(arguments: ["founded", "old", "something new"])
    func `a link that is no longer good says what to do`(state: String) throws {
        var walk = WebWalk()
        walk.answers["setUp.show"] = [.success(["state": .string(state)])]
        let shown = try walk.get("/setup/abc")
        #expect(shown.answer.status == 410)
        #expect(!shown.text.contains("<form"))
        #expect(shown.text.contains(state == "founded" ? "href=\"/signin\"" : "kin found"))
    }

    @Test(arguments: ["GET /signin", "POST /signin", "GET /join"])
    func `where no family lives yet, pages of a family say so`(request: String) throws {
        var walk = WebWalk()
        walk.answers["setUp.show"] = [.success(["state": "old"])]
        for (headers, said) in [([], "No family lives here yet"), (["Accept-Language: de"], "noch keine Familie")] {
            let shown =
                request.hasPrefix("POST")
                ? try walk.post("/signin", "username=ada&password=x", headers.first ?? "Accept-Language: en")
                : try walk.send(request + " HTTP/1.1", headers, body: "")
            #expect(shown.text.contains(said) && shown.text.contains("kin"), "\(shown.text)")
            #expect(!shown.text.contains("<form"))
        }
    }

    @Test func `a link that was used meanwhile says the same`() throws {
        let founded = try walk(.failure(Rejection(.conflict, "Founded already."))).post("/setup/abc", form)
        #expect(founded.answer.status == 410)
        #expect(founded.text.contains("href=\"/signin\""))
        let old = try walk(.failure(Rejection(.forbidden, "Old."))).post("/setup/abc", form)
        #expect(old.answer.status == 410)
        #expect(old.text.contains("kin found"))
    }

    @Test func `a keeper that cannot answer is said above the form`() throws {
        let busy = Rejection(.slowDown, "Too many at once; try again.", retryAfter: 2)
        let shown = try walk(.failure(busy)).post("/setup/abc", form)
        #expect(shown.answer.status == 429)
        #expect(shown.answer.headers["Retry-After"] == "2")
        #expect(shown.text.contains("role=\"alert\">Too many at once; try again.</p>"))
        #expect(shown.text.contains("value=\"Lovelace\""))
    }
}
