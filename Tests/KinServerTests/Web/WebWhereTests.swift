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

/// The page behind a guest link.
@Suite struct WebWhereTests {
    private func walk(_ shown: Result<JSON, Rejection>) -> WebWalk {
        var walk = WebWalk()
        walk.answers["guestLink.open"] = [shown]
        return walk
    }

    private func shown(_ precision: JSON) -> JSON {
        [
            "until": "2026-11-21T18:00:00.000Z", "precision": precision, "lat": -52.500004, "lon": 13.4,
            "at": "2026-11-20T17:57:30.000Z",
        ]
    }

    @Test func `it shows the dot and its age, comes again by itself and is kept nowhere`() throws {
        let page = try walk(.success(shown("exact"))).get("/where/secret")
        #expect(page.asked == [.init(method: "guestLink.open", params: ["secret": "secret"], credential: .none)])
        #expect(page.answer.status == 200)
        #expect(page.answer.headers["Refresh"] == "30")
        #expect(page.answer.headers["Cache-Control"] == "no-store")
        #expect(page.text.contains("noindex"))
        #expect(page.text.contains("52.5° S, 13.4° E"))
        #expect(page.text.contains("href=\"geo:-52.5,13.4\""))
        #expect(page.text.contains("2 minutes ago"))
        #expect(!page.text.contains("<script"))
        #expect(!page.text.contains("http"))
        #expect(!page.text.contains("secret"))
    }

    @Test func `a cell is said to be one`() throws {
        let page = try walk(.success(shown("coarse"))).get("/where/secret")
        #expect(page.text.contains("within about a kilometre"))
        #expect(page.text.contains("geo:-52.5,13.4;u=750"))
    }

    @Test func `nothing shared is said so, and the page looks again`() throws {
        let page = try walk(.success(["until": "2026-11-21T18:00:00.000Z", "precision": "exact"])).get("/where/secret")
        #expect(page.answer.status == 200)
        #expect(page.answer.headers["Refresh"] == "30")
        #expect(!page.text.contains("geo:"))
    }

    @Test func `who sees how much is a page, with forms for rules and links`() throws {
        var walk = WebWalk.ada(sharing: [
            "state": "on", "rules": [["viewer": "everyone", "precision": "coarse", "history": false]],
            "seenBy": [["id": "x", "displayName": "<b>Bob", "precision": "coarse", "history": true]],
        ])
        let link: JSON = ["id": "l", "precision": "exact", "until": "2026-11-21T18:00:00.000Z"]
        walk.answers["guestLink.list"] = [.success(["guestLinks": [link]])]
        walk.answers["sharing.looks"] = [
            .success(["looks": [["how": "live", "displayName": "<b>Bob", "count": 1]]])
        ]
        walk.answers["sharing.set"] = [.success([:])]
        walk.answers["guestLink.create"] = [.success(["secret": "sssh"])]
        let cookie = "Cookie: __Host-kinwire=tok"
        let page = try walk.get("/sharing", cookie)
        #expect(page.text.contains("<bdi>&lt;b&gt;Bob</bdi>: to about a kilometre, with the history"))
        #expect(page.text.contains("<bdi>&lt;b&gt;Bob</bdi>: live, 1×"))
        #expect(!page.text.contains("<b>"))
        let set = try walk.post("/sharing", "viewer=household&precision=exact&history=yes", cookie)
        #expect(set.location == "/sharing")
        let rules: JSON = [
            ["viewer": "everyone", "precision": "coarse", "history": false],
            ["viewer": "household", "precision": "exact", "history": true],
        ]
        #expect(set.asked.last?.params == ["rules": rules])
        let made = try walk.post("/sharing", "hours=4&precision=exact", cookie)
        #expect(made.text.contains("https://kin.local:5469/where/sssh"))
        let until = JSON.time(WebWalk.now.adding(seconds: 14_400))
        #expect(made.asked.last?.params == ["precision": "exact", "until": until])
    }

    @Test func `who waits for an answer is on the page, with buttons`() throws {
        var walk = WebWalk.ada(sharing: [
            "state": "on", "rules": [], "confirmBy": "2026-12-04T18:00:00.000Z",
            "seenBy": [["id": "x", "displayName": "Bob", "precision": "exact", "history": false]],
            "waiting": [
                ["id": "n", "displayName": "<b>Nia", "group": "household", "precision": "exact", "history": true]
            ], "declined": [["id": "d", "displayName": "Dan"]],
        ])
        walk.answers["guestLink.list"] = [.success(["guestLinks": []])]
        walk.answers["sharing.looks"] = [.success(["looks": []])]
        walk.answers["sharing.admit"] = [.success([:])]
        walk.answers["sharing.set"] = [.success([:])]
        let cookie = "Cookie: __Host-kinwire=tok"
        let page = try walk.get("/sharing", cookie)
        #expect(
            page.text.contains(
                "<bdi>&lt;b&gt;Nia</bdi></strong> came later and sees nothing by your rule for the household"))
        #expect(page.text.contains("name=\"admit\" value=\"n\"") && page.text.contains("name=\"refuse\" value=\"n\""))
        #expect(page.text.contains("2026-12-04 18:00 UTC") && page.text.contains("Dan</bdi> was refused"))
        #expect(try walk.get("/phone", cookie).text.contains("href=\"/sharing#waiting\""))
        for (typed, admit) in [("admit=n", true), ("refuse=n", false)] as [(String, JSON)] {
            let answered = try walk.post("/sharing", typed, cookie)
            #expect(answered.location == "/sharing")
            #expect(answered.asked.last?.params == ["viewer": "n", "admit": admit])
        }
        let confirmed = try walk.post("/sharing", "confirm=yes&confirms=x+y", cookie)
        #expect(confirmed.asked.last?.params == ["state": "on", "confirms": ["x", "y"]])
    }

    @Test func `a link that is not good is a page that says so and does not come again`() throws {
        let page = try walk(.failure(.notFound("guest link", "x", field: "secret"))).get("/where/secret")
        #expect(page.answer.status == 404)
        #expect(page.answer.headers["Refresh"] == nil)
        #expect(page.text.contains("It may have ended"))
    }
}
