import KinActivity
import KinCodec
import KinCrypto
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

@Suite struct WebPhoneTests {
    private let cookie = "Cookie: a=b; __Host-kinwire=tok"

    @Test func `without a session the way leads to the sign-in`() throws {
        for target in ["/phone", "/phone?x=1"] {
            let shown = try WebWalk().get(target)
            #expect(shown.answer.status == 303)
            #expect(shown.location == "/signin")
        }
        #expect(try WebWalk().get("/").location == "/phone")
        #expect(try WebWalk().post("/phone/owntracks", "device=x").location == "/signin")
        #expect(try WebWalk().post("/phone/sharing", "state=on").location == "/signin")
        // Another cookie's name is not ours, and an empty one is none.
        #expect(try WebWalk().get("/phone", "Cookie: kinwire=tok; __Host-kinwire=").location == "/signin")
    }

    @Test func `a dead session's cookie is taken away`() throws {
        var walk = WebWalk.ada()
        walk.answers["session.resume"] = [.failure(Rejection(.notSignedIn, "No longer good."))]
        let shown = try walk.get("/phone", cookie)
        #expect(shown.location == "/signin")
        #expect(shown.cookie == .clear)
    }

    @Test func `who came from another site is not asked to sign in again`() throws {
        let shown = try WebWalk().get("/phone", "Sec-Fetch-Site: cross-site")
        #expect(shown.answer.status == 200)
        #expect(shown.text.contains("href=\"/\""))
    }

    @Test func `the page has the certificate, the app, the switch and the commands`() throws {
        let shown = try WebWalk.ada().get("/phone", cookie)
        #expect(
            shown.asked.map(\.method) == [
                "session.resume", "family.show", "member.list", "session.waiting", "sharing.show", "appPassword.list",
            ])
        #expect(shown.asked.map(\.credential) == [.none] + Array(repeating: .token("tok"), count: 5))
        #expect(shown.answer.headers["Cache-Control"] == "no-store")
        #expect(shown.text.contains("href=\"/ca.crt\""))
        #expect(shown.text.contains("<span>0F:0F:0F:0F:0F:0F:0F:0F</span>"))
        // The app's link comes first; the certificate after all that may do without it.
        let app = try #require(shown.text.firstRange(of: "action=\"/phone/owntracks\""))
        let certificate = try #require(shown.text.firstRange(of: "href=\"/ca.crt\""))
        #expect(app.lowerBound < certificate.lowerBound && shown.text.contains("href=\"#trust\""))
        #expect(shown.text.contains("Sharing is off"))
        #expect(shown.text.contains("action=\"/phone/sharing\""))
        #expect(shown.text.contains("kin tail"))
        #expect(shown.text.contains("Lovelace"))
        #expect(!shown.text.contains("tok"))
    }

    @Test func `a public certificate needs no trust`() throws {
        var walk = WebWalk.ada()
        walk.rootSHA256 = nil
        let shown = try walk.get("/phone", cookie)
        #expect(!shown.text.contains("/ca.crt") && !shown.text.contains("#trust"))
        #expect(!shown.text.contains("sha256"))
        #expect(shown.text.contains("kin login https://kin.local:5469<"))
    }

    @Test func `before sharing is turned on it says who would see it`() throws {
        let seenBy: JSON = [["displayName": "Bob"], ["displayName": "<b>Eve"], ["displayName": "Gil"]]
        let off = try WebWalk.ada(sharing: ["state": "off", "seenBy": seenBy]).get("/phone", cookie)
        #expect(
            off.text.contains(
                """
                <strong><bdi>Bob</bdi></strong>, <strong><bdi>&lt;b&gt;Eve</bdi></strong> and \
                <strong><bdi>Gil</bdi></strong> will see where you are
                """))
        #expect(off.text.contains("name=\"state\" value=\"on\""))
        #expect(!off.text.contains("value=\"off\""))
        let on = try WebWalk.ada(sharing: ["state": "on", "until": "2026-11-20T18:04:05.000Z", "seenBy": seenBy])
            .get("/phone", cookie)
        #expect(on.text.contains("2026-11-20 18:04 UTC"))
        #expect(on.text.contains("name=\"state\" value=\"off\""))
        #expect(on.text.contains("see where you are") && !on.text.contains("nothing reports where you are"))
        let unreported = try WebWalk.ada(sharing: ["state": "on", "unreported": true, "seenBy": seenBy])
            .get("/phone", cookie)
        #expect(unreported.text.contains("nothing reports where you are yet"))
        #expect(!unreported.text.contains("see where you are"))
        let paused = try WebWalk.ada(sharing: ["state": "off", "paused": true, "seenBy": []]).get("/phone", cookie)
        #expect(paused.text.contains("by a restore or because who held it is gone"))
        let guest = try WebWalk.ada("guest", sharing: ["state": "off", "seenBy": [], "others": true])
            .get("/phone", cookie)
        #expect(guest.text.contains("Members of other households"))
    }

    @Test func `the switch goes back to the page`() throws {
        var walk = WebWalk.ada()
        walk.answers["sharing.set"] = [.success([:])]
        let shown = try walk.post("/phone/sharing", "state=on", cookie)
        #expect(shown.asked == [.init(method: "sharing.set", params: ["state": "on"], credential: .token("tok"))])
        #expect(shown.answer.status == 303)
        #expect(shown.location == "/phone#sharing")
    }

    @Test func `switching on sends the list that was shown`() throws {
        var walk = WebWalk.ada(sharing: ["state": "off", "seenBy": [["id": "x", "displayName": "Bob"]]])
        walk.answers["sharing.set"] = [.success([:])]
        #expect(try walk.get("/phone", cookie).text.contains("name=\"confirms\" value=\"x\""))
        let on = try walk.post("/phone/sharing", "confirms=x+y&state=on", cookie)
        #expect(on.asked.last?.params == ["state": "on", "confirms": ["x", "y"]])
        let off = try walk.post("/phone/sharing", "confirms=x&state=off", cookie)
        #expect(off.asked.last?.params == ["state": "off"])
    }

    @Test func `a refusal that no field can put right is a page with a way on`() throws {
        var walk = WebWalk.ada()
        walk.answers["sharing.set"] = [.failure(Rejection(.unavailable, "The <disk> is full."))]
        let shown = try walk.post("/phone/sharing", "state=on", cookie)
        #expect(shown.answer.status == 503)
        #expect(shown.text.contains("The &lt;disk&gt; is full."))
        #expect(shown.text.contains("href=\"/phone\""))
    }

    // MARK: OwnTracks

    private func made(
        _ role: String = "admin", _ target: String = "/phone/owntracks", at url: String? = nil
    ) throws -> WebWalk.Shown {
        var walk = WebWalk.ada(role)
        if let url { walk.url = url }
        walk.answers["appPassword.create"] = [
            .success(["id": "1", "password": "abcd-efgh", "device": "Ada's <phone>", "scope": "location"])
        ]
        return try walk.post(target, "device=+Ada%27s+%3Cphone%3E+", cookie)
    }

    @Test func `a session that waits says so, and the page asks about those that wait for a word`() throws {
        var walk = WebWalk.ada()
        walk.answers["session.resume"] = [
            .success([
                "member": ["username": "ada", "displayName": "Ada", "role": "admin"],
                "waitsUntil": "2026-11-23T18:04:05.000Z",
            ])
        ]
        let ben = Identifier(high: 1, low: 2)
        walk.answers["session.waiting"] = [
            .success([
                "sessions": [
                    [
                        "session": .id(Identifier(high: 3, low: 4)), "member": .id(ben), "device": "<Pixel>",
                        "openedBy": nil,
                    ]
                ]
            ])
        ]
        let member = Member(
            id: ben, username: "ben", displayName: "Ben", role: .member, kind: .adult,
            household: Identifier(high: 1, low: 3))
        walk.answers["member.list"] = [.success(["members": [member.json]])]
        let shown = try walk.get("/phone", cookie)
        #expect(shown.text.contains("2026-11-23 18:04 UTC"))
        #expect(shown.text.contains("Ben signed in on &lt;Pixel&gt;"))
        #expect(shown.text.contains("action=\"/phone/trust\""))
        walk.answers["session.trust"] = [.success(["trusted": []])]
        let said = try walk.post("/phone/trust", "session=\(Identifier(high: 3, low: 4))&member=\(ben)", cookie)
        #expect(said.location == "/phone")
        #expect(said.asked.last?.params == ["session": .id(Identifier(high: 3, low: 4)), "member": .id(ben)])
    }

    @Test func `the button makes an app password for positions and shows it once`() throws {
        let shown = try made()
        let asked = try #require(shown.asked.first { $0.method == "appPassword.create" })
        #expect(asked.params == ["device": "Ada's <phone>", "scope": "location"])
        #expect(asked.credential == .token("tok"))
        #expect(shown.answer.status == 200)
        #expect(shown.answer.headers["Cache-Control"] == "no-store")
        #expect(shown.text.contains("<code>abcd-efgh</code>"))
        #expect(shown.text.contains("<code>https://kin.local:5469/owntracks</code>"))
        #expect(shown.text.contains("<code>ada</code>"))
        #expect(shown.text.contains("Ada&#39;s &lt;phone&gt;"))
        #expect(shown.text.contains("src=\"data:image/svg+xml;base64,"))
        #expect(shown.text.contains("until you turn sharing on"))
    }

    @Test func `no code is drawn that would lead a phone to itself`() throws {
        for url in ["http://127.0.0.1:5469", "http://localhost:5469"] {
            let shown = try made(at: url)
            #expect(
                shown.text.contains("<code>\(url)/owntracks</code>")
                    && !shown.text.contains("src=\"data:image/svg+xml;base64,"))
        }
    }

    @Test func `the link is the one that OwnTracks reads`() throws {
        let text = try made().text
        let start = try #require(text.firstRange(of: "href=\"owntracks:///config?inline="))
        let end = try #require(text[start.upperBound...].firstIndex(of: "\""))
        let base64 = text[start.upperBound..<end].replacing("%2B", with: "+")
        let json = try JSON.parse(try #require(Base64.decode(String(base64))))
        #expect(json["mode"] == 3)
        #expect(json["url"] == "https://kin.local:5469/owntracks")
        #expect(json["username"] == "ada")
        #expect(json["password"] == "abcd-efgh")
        #expect(json["deviceId"] == "Ada's <phone>")
    }

    @Test func `a phone is had ring by ntfy's link, its code, and what to type, the certificate first`() throws {
        var walk = WebWalk.ada()
        walk.answers["notice.add"] = [
            .success(["device": ["id": "x", "name": "Pixel", "app": "ntfy"], "topic": "kin-TOPIC"])
        ]
        #expect(try WebWalk.ada().get("/phone", cookie).text.contains("href=\"/phone/ntfy\""))
        let shown = try walk.post("/phone/ntfy", "device=Pixel", cookie)
        let asked = shown.asked.first { $0.method == "notice.add" }?.params
        #expect(asked?["name"] == "Pixel" && asked?["app"] == "ntfy")
        let text = shown.text
        #expect(text.contains("href=\"ntfy://kin.local:5469/kin-TOPIC?display=Kinwire\""))
        #expect(text.components("src=\"data:image/svg+xml;base64,") == 1)
        #expect(text.contains("<dt>Topic</dt><dd><code>kin-TOPIC</code></dd>"))
        let (trust, link) = (
            text.firstRange(of: "trust the family’s certificate first"), text.firstRange(of: "ntfy://")
        )
        #expect(try #require(trust).lowerBound < (try #require(link).lowerBound))
        #expect(shown.answer.headers["Cache-Control"] == "no-store")
    }

    @Test func `calendars come by a profile, by a link, or by an address to read, each as it was asked for`() throws {
        #expect(try WebWalk.ada().get("/phone", cookie).text.contains("href=\"/phone/calendar\""))
        let iPad = "User-Agent: Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)"
        let choice = try WebWalk.ada().get("/phone/calendar", cookie, iPad)
        #expect(choice.text.components("<details open>") == 1 && choice.text.components("<details>") == 2)
        for apps in ["apple", "other", "feed"] { #expect(choice.text.contains("action=\"/phone/calendar/\(apps)\"")) }
        var walk = WebWalk.ada()
        walk.answers["appPassword.offer"] = [.success(["secret": "profile-SECRET"])]
        walk.answers["appPassword.create"] = [.success(["device": "Pixel", "password": "abcd-efgh"])]
        walk.answers["calendar.addFeed"] = [.success(["secret": "feed-SECRET"])]
        let profile = try walk.post("/phone/calendar/apple", "device=iPad", cookie)
        let asked = profile.asked.first { $0.method == "appPassword.offer" }?.params
        #expect(asked?["device"] == "iPad" && asked?["scope"] == "calendar")
        #expect(profile.text.contains("href=\"https://kin.local:5469/profile/profile-SECRET.mobileconfig\""))
        #expect(profile.text.components("src=\"data:image/svg+xml;base64,") == 1)
        #expect(profile.text.contains("good once, for 10 minutes"))
        let link = try walk.post("/phone/calendar/other", "device=Pixel", cookie)
        #expect(link.asked.first { $0.method == "appPassword.create" }?.params["scope"] == "calendar")
        #expect(link.text.contains("href=\"davx5://ada:abcd-efgh@kin.local:5469/dav/\""))
        #expect(link.text.contains("<dt>Address</dt><dd><code>https://kin.local:5469/dav/</code></dd>"))
        let feed = try walk.post("/phone/calendar/feed", "device=Laptop", cookie)
        #expect(feed.text.contains("<code>https://kin.local:5469/feed/feed-SECRET.ics</code>"))
        #expect(feed.text.contains("href=\"webcal://kin.local:5469/feed/feed-SECRET.ics\""))
        #expect(feed.text.contains("without encryption"))
        #expect(feed.text.contains("Google Calendar and Outlook.com"))
        for shown in [profile, link, feed] { #expect(shown.answer.headers["Cache-Control"] == "no-store") }
    }

    @Test func `each page lists what was set up there, with the button that ends it`() throws {
        var walk = WebWalk.ada()
        walk.answers["appPassword.list"] = [
            .success([
                "appPasswords": [
                    ["id": "own", "device": "Pixel <b>", "scope": "location", "usedAt": "2026-11-20T17:00:00.000Z"],
                    ["id": "rep", "device": "Tracker", "scope": "report"],
                    ["id": "cal", "device": "iPad", "scope": "calendar"],
                ]
            ])
        ]
        walk.answers["calendar.feeds"] = [.success(["feeds": [["id": "feed", "name": "Laptop"]]])]
        walk.answers["notice.list"] = [
            .success([
                "devices": [
                    ["id": "ring", "name": "Fold", "app": "ntfy", "taken": "2026-11-20T17:59:00.000Z"],
                    ["id": "web", "name": "Firefox", "app": "webPush"],
                ]
            ])
        ]
        for method in ["appPassword.revoke", "calendar.removeFeed", "notice.remove"] {
            walk.answers[method] = [.success([:])]
        }
        func names(_ path: String) throws -> [String] {
            let text = try walk.get(path, cookie).text
            return ["Pixel &lt;b&gt;", "Tracker", "iPad", "Laptop", "Fold", "Firefox"].filter {
                text.contains("<bdi>\($0)</bdi>: ")
            }
        }
        #expect(try names("/phone") == ["Pixel &lt;b&gt;"] && names("/phone/reporter") == ["Tracker"])
        #expect(try names("/phone/calendar") == ["iPad", "Laptop"] && names("/phone/ntfy") == ["Fold"])
        let text = try walk.get("/phone", cookie).text
        #expect(text.contains("<bdi>Pixel &lt;b&gt;</bdi>: used "))
        #expect(text.contains("name=\"endPassword\" value=\"own\" aria-label=\"End Pixel &lt;b&gt;\""))
        #expect(try walk.get("/phone/calendar", cookie).text.contains("not used yet"))
        for (path, form, method, params, back) in [
            ("/phone/owntracks", "endPassword=own", "appPassword.revoke", ["appPassword": "own"], "/phone"),
            ("/phone/reporter", "endPassword=rep", "appPassword.revoke", ["appPassword": "rep"], "/phone/reporter"),
            (
                "/phone/calendar/other", "endPassword=cal", "appPassword.revoke", ["appPassword": "cal"],
                "/phone/calendar"
            ),
            ("/phone/calendar/other", "endFeed=feed", "calendar.removeFeed", ["feed": "feed"], "/phone/calendar"),
            ("/phone/ntfy", "endPhone=ring", "notice.remove", ["device": "ring"], "/phone/ntfy"),
        ] as [(String, String, String, JSON, String)] {
            let ended = try walk.post(path, form, cookie)
            #expect(ended.asked.last?.method == method && ended.asked.last?.params == params, "\(form)")
            #expect(ended.asked.last?.credential == .token("tok") && ended.location == back)
        }
        // Where nothing was set up, or a session may not see it, nothing stands there.
        #expect(try !WebWalk.ada().get("/phone", cookie).text.contains("id=\"kept\""))
        walk.answers["appPassword.list"] = [.failure(Rejection(.forbidden, "This session waits."))]
        #expect(try walk.get("/phone", cookie).answer.status == 200)
    }

    @Test func `Traccar Client and Overland have a code and their words of the same password`() throws {
        let shown = try made("admin", "/phone/reporter")
        let text = shown.text
        // Their password only reports.
        #expect(shown.asked.first { $0.method == "appPassword.create" }?.params["scope"] == "report")
        #expect(try WebWalk.ada().get("/phone/reporter", cookie).text.contains("action=\"/phone/reporter\""))
        #expect(text.components("src=\"data:image/svg+xml;base64,") == 2)
        #expect(text.contains("<dt>Server URL</dt><dd><code>https://kin.local:5469/osmand</code></dd>"))
        #expect(text.contains("<dt>Device identifier</dt><dd><code>abcd-efgh</code></dd>"))
        #expect(
            text.contains(
                "href=\"org.traccar.client://config?url=https%3A%2F%2Fkin.local%3A5469%2Fosmand&amp;id=abcd-efgh\""))
        #expect(text.contains("<dt>Receiver endpoint</dt><dd><code>https://kin.local:5469/overland</code></dd>"))
        #expect(text.contains("<dt>Access token</dt><dd><code>abcd-efgh</code></dd>"))
        #expect(text.contains("&amp;token=abcd-efgh&amp;device_id=Ada%27s%20%3Cphone%3E\""))
    }

    @Test func `a guest, who has no username to see, gets one that the app takes`() throws {
        #expect(try made("guest").text.contains("<dt>Username</dt><dd><code>kin</code></dd>"))
    }

    @Test func `a device without a name, or with a bad one, is said beside the field`() throws {
        let empty = try WebWalk.ada().post("/phone/owntracks", "device=+", cookie)
        #expect(empty.answer.status == 422)
        #expect(empty.text.contains("id=\"device-wrong\">Give this phone a name"))
        var walk = WebWalk.ada()
        walk.answers["appPassword.create"] = [
            .failure(Rejection(.tooLarge, "device is 65 characters long; at most 64.", field: "device"))
        ]
        let long = try walk.post("/phone/owntracks", "device=long", cookie)
        #expect(long.text.contains("What to call this phone is 65 characters long; at most 64."))
        #expect(long.text.contains("value=\"long\""))
    }
}

extension String {
    /// How often a text stands in it.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
