import KinCodec
import KinModel
import KinWords
import Testing

@testable import KinServer
@testable import KinServerBox

/// Pages speak the visitor's language.
@Suite struct WebLanguageTests {
    private static let german = "Accept-Language: de-AT,de;q=0.9,en;q=0.5"

    @Test(arguments: [
        ("de", "de"), ("de-AT", "de"), ("en", "en"), ("fr, de;q=0.1", "de"), ("de;q=0.2, en;q=0.3", "en"), ("fr", "en"),
    ])
    func `the language is the one the browser asks for most`(header: String, tag: String) throws {
        let shown = try WebWalk().get("/signin", "Accept-Language: \(header)")
        #expect(shown.answer.headers["Content-Language"] == tag)
        #expect(shown.answer.headers["Vary"] == "Accept-Language")
        let isSaid = shown.text.contains("<html lang=\"\(tag)\">")
        #expect(isSaid, "\(header)")
        let title = Language(rawValue: tag)?.phrases["page.signin.title"]?.filled([:], in: .german) ?? "?"
        let isThere = shown.text.contains("<h1>\(title)</h1>")
        #expect(isThere, "\(title)")
    }

    @Test func `without a word about languages a page is English`() throws {
        let shown = try WebWalk().get("/signin")
        #expect(shown.answer.headers["Content-Language"] == "en")
        #expect(shown.answer.headers["Vary"] == "Accept-Language")
    }

    private static let ada = "01a1fd3b-e129-7742-9828-dfba90345cf3"
    private static let ben = "01a1fd3b-e129-7742-9828-dfba90345cf4"
    private static let oak = "01a1fd3b-e129-7aab-ab24-e7eb491f08fa"
    private static let cookie = "Cookie: __Host-kinwire=token"

    private static func member(_ id: String, _ name: String, kind: String) -> JSON {
        [
            "id": .string(id), "username": .string(name.lowercased()), "displayName": .string(name), "role": "member",
            "kind": .string(kind), "household": .string(oak), "parents": [.string(ada)], "partners": [],
        ]
    }

    /// A family in which everything happens that a page says something about.
    private static func walk(isOn: Bool) -> WebWalk {
        let people = [member(ada, "Ada", kind: "adult"), member(ben, "Ben", kind: "child")]
        let until: JSON = "2026-11-21T18:00:00.000Z"
        let viewer: JSON = [
            "id": .string(ben), "displayName": "Ben", "precision": "coarse", "history": true, "until": until,
            "group": "household",
        ]
        let sharing: JSON = [
            "state": isOn ? "on" : "off", "seenBy": [viewer], "waiting": [viewer], "declined": [viewer],
            "confirmBy": until, "others": true,
            "rules": [
                ["viewer": "everyone", "precision": "place"], ["viewer": "household", "precision": "home"],
                ["viewer": .string(ben), "precision": "exact", "history": true, "until": until],
            ],
            "waitingPlaces": [["place": .string(oak), "name": "School"]],
        ]
        var walk = WebWalk.ada("admin", sharing: sharing)
        walk.answers["session.resume"] = [.success(["member": people[0], "waitsUntil": until])]
        walk.answers["member.list"] = [.success(["members": .array(people)])]
        walk.answers["family.show"] = [
            .success(["family": ["name": "Lovelace"], "households": [["id": .string(oak), "name": "Oak"]]])
        ]
        walk.answers["session.waiting"] = [
            .success(["sessions": [["session": "1", "member": .string(ben), "device": "Mac"]]])
        ]
        walk.answers["guestLink.list"] = [
            .success([
                "guestLinks": [["id": "1", "precision": "exact", "until": until, "name": "Mum", "places": ["p"]]]
            ])
        ]
        walk.answers["place.list"] = [.success(["places": [["id": "p", "name": "School", "radius": 100]]])]
        walk.answers["sharing.looks"] = [
            .success(["looks": [["how": "link", "count": 2, "last": until, "atMachine": true]]])
        ]
        walk.answers["member.requests"] = [
            .success([
                "moves": [
                    [
                        "member": people[1], "household": ["id": .string(oak), "name": "Oak"], "mayAnswer": true,
                        "ends": until,
                    ]
                ],
                "grown": [["member": people[1], "mayAnswer": true, "ends": until]],
            ])
        ]
        walk.answers["guestLink.open"] = [
            .success(["lat": 45.27, "lon": -13.71, "at": "2026-11-20T17:00:00Z", "until": until])
        ]
        walk.answers["post.shared"] = [
            .success([
                "until": until, "at": until, "edited": until, "author": "Ben", "text": "Grüße",
                "pictures": [["width": 4, "height": 3]],
            ])
        ]
        walk.answers["invite.show"] = [
            .success(["family": "Lovelace", "household": "Oak", "role": "guest", "kind": "child"])
        ]
        walk.answers["setUp.show"] = [.success(["state": "good"]), .success(["state": "good"])]
        walk.answers["notice.add"] = [.success(["device": ["name": "Mac"], "topic": "kin-TOPIC"])]
        walk.answers["appPassword.offer"] = [.success(["secret": "profile-SECRET"])]
        walk.answers["calendar.addFeed"] = [.success(["secret": "feed-SECRET"])]
        walk.answers["appPassword.create"] = [.success(["device": "Mac", "password": "secret"])]
        return walk
    }

    private static let places = [
        "/signin", "/signin/LINK", "/join", "/join/CODE", "/setup/CODE", "/phone", "/phone/reporter", "/phone/ntfy",
        "/phone/calendar",
        "/sharing",
        "/sharing/\(ben)", "/household", "/where/SECRET", "/shared/SECRET",
    ]

    /// The words of a page that the other language has too are those of members, of apps and of commands.
    @Test(arguments: places, [true, false]) func `a page is whole in both languages`(place: String, isOn: Bool) throws {
        let walk = Self.walk(isOn: isOn)
        let english = try walk.get(place, Self.cookie)
        let german = try walk.get(place, Self.cookie, Self.german)
        #expect(english.answer.status == 200 && german.answer.status == 200)
        #expect(Self.tags(english.text).map(\.name) == Self.tags(german.text).map(\.name))
        // A key that no file has stands in the page as it is.
        for page in [english, german] { #expect(page.text.count(of: "page.") == page.text.count(of: "page.html")) }
        let left = Self.sentences(english.text).intersection(Self.sentences(german.text))
        #expect(left.sorted() == [], "\(place)")
    }

    @Test func `what sets up an app is whole in both languages`() throws {
        for target in [
            "/phone/owntracks", "/phone/reporter", "/phone/ntfy", "/phone/calendar/apple", "/phone/calendar/other",
            "/phone/calendar/feed", "/where/SECRET", "/shared/SECRET",
        ] {
            let walk = Self.walk(isOn: true)
            let english = try walk.post(target, "device=Mac", Self.cookie)
            let german = try walk.post(target, "device=Mac", Self.cookie, Self.german)
            #expect(english.answer.status == 200 && german.answer.status == 200)
            #expect(german.text.count(of: "page.") == 0)
            #expect(Self.sentences(english.text).intersection(Self.sentences(german.text)).sorted() == [])
        }
    }

    @Test func `what the member set comes before what the browser asks for`() throws {
        let own = try WebWalk().get("/signin", Self.german, "Cookie: kinwire-language=en")
        #expect(own.answer.headers["Content-Language"] == "en")
        let unknown = try WebWalk().get("/signin", Self.german, "Cookie: kinwire-language=xx")
        #expect(unknown.answer.headers["Content-Language"] == "de")
    }

    @Test func `what was typed wrongly is said in the language of the page`() throws {
        let shown = try WebWalk().post("/signin", "username=&password=x", Self.german)
        #expect(shown.answer.headers["Content-Language"] == "de")
        let isSaid = shown.text.contains("Gib deinen Benutzernamen ein.")
        #expect(isSaid)
    }

    @Test func `times are said in the machine's zone, by its name and as the language writes dates`() throws {
        var walk = Self.walk(isOn: true)
        walk.zone = "Europe/Berlin"
        let english = try walk.post("/where/SECRET", "look=yes")
        let german = try walk.post("/where/SECRET", "look=yes", Self.german)
        let american = try walk.post("/where/SECRET", "look=yes", "Accept-Language: en-US")
        for (page, said) in [
            (english, "2026-11-21 19:00 CET"), (german, "21.11.2026 19:00 CET"), (american, "2026-11-21 7:00 PM CET"),
        ] {
            let isSaid = page.text.contains("<time datetime=\"2026-11-21T18:00:00.000Z\">\(said)</time>")
            #expect(isSaid, "\(said)")
        }
        // The member's own clock comes before the browser's.
        let twelve = try walk.post("/where/SECRET", "look=yes", "Cookie: kinwire-clock=hours12")
        let full = try walk.post(
            "/where/SECRET", "look=yes", "Accept-Language: en-US", "Cookie: kinwire-language=en; kinwire-clock=hours24")
        #expect(twelve.text.contains(">2026-11-21 7:00 PM CET</time>"))
        #expect(full.text.contains(">2026-11-21 19:00 CET</time>"))
    }

    private struct Tag { let name: String }

    private static func tags(_ page: String) -> [Tag] {
        page.matches(of: /<\/?([a-z0-9]+)/).map { Tag(name: String($0.output.1)) }
    }

    /// What stands between tags and has three words or more; a place on the map and a command are the same in both.
    private static func sentences(_ page: String) -> Set<String> {
        let texts = page.matches(of: />([^<>]+)</).map { String($0.output.1) }
        return Set(
            texts.filter { text in
                text.split { $0 == " " || $0 == "\n" }.count >= 3 && !text.contains("°") && !text.hasPrefix("kin ")
            })
    }
}
