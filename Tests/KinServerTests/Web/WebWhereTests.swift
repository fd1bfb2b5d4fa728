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

/// The page behind a guest link.
@Suite struct WebWhereTests {
    private func walk(_ shown: Result<JSON, Rejection>) -> WebWalk {
        var walk = WebWalk()
        walk.answers["guestLink.open"] = [shown]
        return walk
    }

    private func shown(_ precision: JSON, _ more: JSON.Object = [:]) -> JSON {
        var json: JSON = [
            "until": "2026-11-20T20:00:00.000Z", "precision": precision, "state": "abc", "lat": -52.500004, "lon": 13.4,
            "at": "2026-11-20T17:57:30.000Z",
        ]
        for (name, value) in more.members { json[name] = value }
        return json
    }

    private static let form = "look=yes"

    @Test func `the address alone asks nothing, and shows the same whatever link it is`() throws {
        let good = try walk(.success(shown("exact", ["name": "Ada"]))).get("/where/secret")
        let bad = try walk(.failure(.notFound("guest link", "x", field: "secret"))).get("/where/other")
        #expect(good.asked.isEmpty && bad.asked.isEmpty)
        #expect(good.answer.status == 200 && bad.answer.status == 200)
        #expect(good.text == bad.text)
        #expect(good.answer.headers.fields == bad.answer.headers.fields)
        #expect(good.answer.headers["Cache-Control"] == "no-store")
        #expect(good.answer.headers["Referrer-Policy"] == "no-referrer")
        #expect(good.answer.headers["Content-Security-Policy"] == Page.contentSecurityPolicy)
        #expect(good.text.contains("noindex") && good.text.contains("data-live"))
        #expect(!good.text.contains("Ada") && !good.text.contains("secret"))
        // Without script there is a button.
        #expect(good.text.contains("<form method=\"post\"><button"))
    }

    @Test func `degrees are written as in the reader's language`() throws {
        let page = try walk(.success(shown("exact"))).post("/where/secret", Self.form, "Accept-Language: de")
        #expect(page.text.contains("52,5° S, 13,4° O") && page.text.contains("data-now=\"gerade eben\""))
    }

    @Test func `asked, it shows the dot and its age, asks again by itself and is kept nowhere`() throws {
        let page = try walk(.success(shown("exact"))).post("/where/secret", Self.form)
        #expect(page.asked == [.init(method: "guestLink.open", params: ["secret": "secret"], credential: .none)])
        #expect(page.answer.status == 200)
        #expect(page.answer.headers["Cache-Control"] == "no-store")
        #expect(page.answer.headers["Referrer-Policy"] == "no-referrer")
        #expect(page.text.contains("data-live=\"3\" data-seen=\"abc\""))
        #expect(page.text.contains("52.5° S, 13.4° E"))
        #expect(
            page.text.contains(
                "href=\"https://www.openstreetmap.org/?mlat=-52.5&amp;mlon=13.4#map=16/-52.5/13.4\" target=\"_blank\" rel=\"noreferrer noopener\""
            ))
        #expect(page.text.contains("<time class=\"age\" data-now=\"just now\" "))
        #expect(page.text.contains(" datetime=\"2026-11-20T17:57:30.000Z\">2 min ago</time>"))
        #expect(page.text.contains("ends in 2 h"))
        #expect(!page.text.contains("geo:") && !page.text.contains("secret"))
    }

    @Test func `a name, a place and a town are said in words`() throws {
        let town: JSON = ["name": "Koper", "country": "SI"]
        let page = try walk(.success(shown("exact", ["name": "<b>Mum", "place": "School", "town": town])))
            .post("/where/secret", Self.form)
        #expect(page.text.contains("<h1>Where &lt;b&gt;Mum is</h1>"))
        #expect(page.text.contains("at <bdi>School</bdi>, near <bdi>Koper</bdi>"))
        let far = try walk(.success(shown("exact", ["town": town]))).post("/where/secret", Self.form)
        #expect(far.text.contains("<strong>near <bdi>Koper</bdi></strong>"))
    }

    @Test func `a cell is said to be one and gets no mark, and Android's own map is offered there`() throws {
        let page = try walk(.success(shown("coarse")))
            .post("/where/secret", Self.form, "User-Agent: Mozilla/5.0 (Linux; Android 15)")
        #expect(page.text.contains("within about a kilometre"))
        #expect(page.text.contains("https://www.openstreetmap.org/#map=14/-52.5/13.4"))
        #expect(!page.text.contains("mlat"))
        #expect(page.text.contains("geo:-52.5,13.4;u=750"))
    }

    /// A town to the north-east; another that lies where the first has its name, and one far off.
    private static let around: JSON = [
        ["name": "<b>Koper", "lat": -52.48, "lon": 13.43], ["name": "Izola", "lat": -52.481, "lon": 13.431],
        ["name": "Piran", "lat": -52.51, "lon": 13.36],
    ]

    @Test func `the page has a map of its own, with a dot, towns beside each other and a scale`() throws {
        let page = try walk(.success(shown("exact", ["around": Self.around]))).post("/where/secret", Self.form)
        let start = try #require(page.text.firstRange(of: "<svg class=\"map\"")?.lowerBound)
        let text = String(page.text[start...])
        #expect(text.contains("role=\"img\" aria-label=\"A small map"))
        #expect(text.contains("<circle class=\"here\" cx=\"160"))
        #expect(text.contains(">&lt;b&gt;Koper</text>") && text.contains(">Piran</text>"))
        #expect(!text.contains("Izola"))
        #expect(text.contains("class=\"scale\"") && text.contains(" km</text>"))
        // Koper lies to the upper right of the middle, and Piran to the lower left.
        let towns = text.matches(of: /class="town" cx="([0-9.]+)" cy="([0-9.]+)"/).compactMap { match in
            Double(match.output.1).flatMap { x in Double(match.output.2).map { (x: x, y: $0) } }
        }
        #expect(towns.count == 2)
        #expect(towns.first.map { $0.x > 160 && $0.y < 120 } == true)
        #expect(towns.last.map { $0.x < 160 && $0.y > 120 } == true)
    }

    @Test func `a cell is a cell on the map, and without towns there is a grid`() throws {
        let page = try walk(.success(shown("coarse"))).post("/where/secret", Self.form)
        #expect(page.text.contains("<rect class=\"cell\"") && !page.text.contains("class=\"here\""))
        #expect(page.text.contains("<line x1=") && page.text.contains("class=\"scale\""))
        let none = try walk(.success(["until": "2026-11-21T18:00:00.000Z", "precision": "exact"]))
            .post("/where/secret", Self.form)
        #expect(!none.text.contains("<svg"))
        // At a pole and at the date line there is a map as well.
        for (lat, lon, town) in [(90.0, 0.0, 120.0), (10, 179.99, -179.99)] {
            var json: JSON = [
                "until": "2026-11-20T20:00:00.000Z", "precision": "exact", "lat": .double(lat), "lon": .double(lon),
                "at": "2026-11-20T17:57:30.000Z",
            ]
            json["around"] = [["name": "Far", "lat": .double(lat - 0.02), "lon": .double(town)]]
            let edge = try walk(.success(json)).post("/where/secret", Self.form)
            #expect(edge.text.contains(">Far</text>"), "\(lat), \(lon)")
        }
    }

    @Test func `what the page shows already is answered with nothing`() throws {
        let same: JSON = [
            "until": "2026-11-20T20:00:00.000Z", "precision": "exact", "state": "abc", "same": true,
        ]
        let page = try walk(.success(same)).post("/where/secret", Self.form + "&seen=abc")
        #expect(
            page.asked == [
                .init(method: "guestLink.open", params: ["secret": "secret", "seen": "abc"], credential: .none)
            ])
        #expect(page.answer.status == 204 && page.answer.body.isEmpty)
        #expect(page.answer.headers["Cache-Control"] == "no-store")
        // Once a minute it asks for everything, since the time left gets shorter.
        let whole = try walk(.success(shown("exact"))).post("/where/secret", Self.form + "&seen=abc&whole=yes")
        #expect(whole.asked.first?.params == ["secret": "secret", "seen": "abc", "whole": true])
        #expect(whole.text.contains("data-seen"))
    }

    @Test func `nothing shared is said so, and the page looks again`() throws {
        let page = try walk(.success(["until": "2026-11-21T18:00:00.000Z", "precision": "exact"]))
            .post("/where/secret", Self.form)
        #expect(page.answer.status == 200)
        #expect(page.text.contains("data-live"))
        #expect(!page.text.contains("openstreetmap"))
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
        walk.answers["place.list"] = [
            .success([
                "places": [
                    ["id": "p", "kind": "place", "name": "<i>School", "radius": 100],
                    ["id": "n", "kind": "note", "name": "Bakery"],
                ]
            ])
        ]
        let page = try walk.get("/sharing", cookie)
        #expect(page.text.contains("name=\"place\" value=\"p\"> <bdi>&lt;i&gt;School</bdi>"))
        #expect(!page.text.contains("Bakery"))
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
        let made = try walk.post("/sharing", "hours=4&precision=exact&name=+Mum++A+&place=p&place=q", cookie)
        #expect(made.text.contains("data-reach=\"home\"") && made.text.contains("data-do=\"copy\" hidden"))
        #expect(made.text.contains("https://kin.local:5469/where/sssh"))
        let until = JSON.time(WebWalk.now.adding(seconds: 14_400))
        #expect(
            made.asked.first { $0.method == "guestLink.create" }?.params == [
                "precision": "exact", "until": until, "name": "Mum A", "places": ["p", "q"],
            ])
        #expect(made.text.contains("Lovelace"))
    }

    private static let ben = "01a1fd3b-e129-7742-9828-dfba90345cf4"
    private static let nia = "01a1fd3b-e129-7742-9828-dfba90345cf9"
    private static let ruleForms: [(String, Bool)] = [
        ("viewer=everyone&precision=exact", true), ("viewer=everyone&precision=coarse&history=yes", true),
        ("viewer=everyone&precision=place", false), ("viewer=everyone&precision=none", false),
        // Of the rules for the household and for everyone the least counts.
        ("viewer=household&precision=exact", false), ("viewer=\(ben)&precision=coarse", true),
        ("viewer=\(ben)&precision=home", false), ("viewer=\(ben)&precision=none", true),
        ("viewer=\(ben)&precision=place&history=yes", true), ("viewer=\(nia)&precision=home", true),
    ]

    @Test(arguments: ruleForms)
    func `a rule that shows more than before is asked about first, and one that shows less is not`(
        form: String, asks: Bool
    ) throws {
        let rules: JSON = [
            ["viewer": "everyone", "precision": "coarse", "history": false],
            ["viewer": .string(Self.ben), "precision": "place", "history": false],
        ]
        var walk = WebWalk.ada(sharing: ["state": "on", "rules": rules, "seenBy": []])
        walk.answers["sharing.set"] = [.success([:])]
        let cookie = "Cookie: __Host-kinwire=tok"
        let first = try walk.post("/sharing", form, cookie)
        #expect(first.asked.contains { $0.method == "sharing.set" } == !asks)
        guard asks else {
            #expect(first.location == "/sharing")
            return
        }
        #expect(first.answer.status == 200 && first.text.contains("name=\"sure\" value=\"yes\""))
        #expect(first.text.contains("<form method=\"post\" action=\"/sharing\">"))
        for part in form.split(separator: "&") {
            let pair = part.split(separator: "=")
            #expect(first.text.contains("name=\"\(pair[0])\" value=\"\(pair[1])\""), "\(part)")
        }
        let german = try walk.post("/sharing", form, cookie, "Accept-Language: de")
        #expect(german.text.contains("Mehr zeigen als bisher?") && german.text.count(of: "page.who") == 0)
        let second = try walk.post("/sharing", form + "&sure=yes", cookie)
        #expect(second.location == "/sharing" && second.asked.last?.method == "sharing.set")
    }

    /// Nia sees nothing of it yet, and would by any other rule for her group.
    @Test(arguments: [
        ("viewer=household&precision=coarse", true), ("viewer=household&precision=exact", false),
        ("viewer=household&precision=off", false), ("viewer=household&precision=none", false),
        ("viewer=everyone&precision=home", false), ("viewer=\(ben)&precision=exact", true),
        ("viewer=\(ben)&precision=off", false),
    ])
    func `a rule is asked about that lets in who waits, or that no longer ends by itself`(
        form: String, asks: Bool
    ) throws {
        let rules: JSON = [
            ["viewer": "household", "precision": "exact", "history": false],
            ["viewer": "everyone", "precision": "exact", "history": false],
            [
                "viewer": .string(Self.ben), "precision": "exact", "history": false,
                "until": "2026-12-04T18:00:00.000Z",
            ],
        ]
        let waiting: JSON = [["id": .string(Self.nia), "displayName": "Nia", "group": "household"]]
        var walk = WebWalk.ada(sharing: ["state": "on", "rules": rules, "seenBy": [], "waiting": waiting])
        walk.answers["sharing.set"] = [.success([:])]
        let answer = try walk.post("/sharing", form, "Cookie: __Host-kinwire=tok")
        #expect(answer.asked.contains { $0.method == "sharing.set" } == !asks)
    }

    @Test func `what was chosen for a link or a rule stays when it is refused`() throws {
        var walk = WebWalk.ada(sharing: ["state": "on", "rules": [], "seenBy": []])
        walk.answers["guestLink.list"] = [.success(["guestLinks": []])]
        walk.answers["sharing.looks"] = [.success(["looks": []])]
        walk.answers["place.list"] = [
            .success(["places": [["id": "p", "kind": "place", "name": "School", "radius": 100]]])
        ]
        let slow = Rejection(.slowDown, "There are too many requests; wait a moment.", retryAfter: 7)
        walk.answers["guestLink.create"] = [.failure(slow)]
        walk.answers["sharing.set"] = [.failure(slow)]
        let cookie = "Cookie: __Host-kinwire=tok"
        let link = try walk.post("/sharing", "hours=24&precision=coarse&name=Mum&place=p", cookie)
        #expect(link.answer.status == 429 && link.answer.headers["Retry-After"] == "7")
        for kept in [
            "<option value=\"24\" selected>", "<option value=\"coarse\" selected>", "value=\"Mum\"",
            "value=\"p\" checked>", "<details open>", "There are too many requests",
        ] { #expect(link.text.contains(kept), "\(kept)") }
        let rule = try walk.post("/sharing", "viewer=household&precision=place&history=yes&sure=yes", cookie)
        #expect(rule.answer.status == 429)
        for kept in [
            "<option value=\"household\" selected>", "<option value=\"place\" selected>",
            "name=\"history\" value=\"yes\" checked>", "<details open>",
        ] { #expect(rule.text.contains(kept), "\(kept)") }
        // The other form of the page is as ever, and whose sign-in has ended signs in.
        #expect(!rule.text.contains("value=\"Mum\"") && !link.text.contains("value=\"yes\" checked"))
        walk.answers["guestLink.create"] = [.failure(Rejection(.notSignedIn, "Sign in first."))]
        #expect(try walk.post("/sharing", "hours=24&precision=exact", cookie).location == "/signin")
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
        walk.answers["place.list"] = [.success(["places": []])]
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
        let page = try walk(.failure(.notFound("guest link", "x", field: "secret"))).post("/where/secret", Self.form)
        #expect(page.answer.status == 404)
        #expect(!page.text.contains("data-live"))
        let slowed = try walk(.failure(Rejection(.slowDown, "Wait.", retryAfter: 7))).post("/where/secret", Self.form)
        #expect(slowed.answer.status == 429 && slowed.answer.headers["Retry-After"] == "7")
        #expect(page.text.contains("It may have ended"))
    }
}
