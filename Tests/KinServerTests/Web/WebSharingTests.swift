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

/// The page of a child's sharing, for who holds the settings, for other parents and for who may not see it; and the own
/// page, which lists the children.
@Suite struct WebSharingTests {
    private let cookie = "Cookie: __Host-kinwire=tok"
    private static func id(_ number: UInt64) -> Identifier {
        Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0000 | number)
    }
    private static let (ada, ben, kit, nia, mill) = (id(1), id(2), id(3), id(4), id(0x11))
    private var page: String { "/sharing/\(Self.kit)" }

    private static func member(
        _ id: Identifier, _ name: String, _ username: String, _ kind: MemberKind = .adult, parents: [Identifier] = []
    ) -> JSON {
        Member(
            id: id, username: username, displayName: name, role: .member, kind: kind, household: mill, parents: parents
        ).json
    }

    private static let members: [JSON] = [
        member(ada, "Ada", "ada"), member(ben, "Ben <b>", "ben"),
        member(kit, "Kit", "kit", .child, parents: [ada, ben]),
        member(nia, "Аda", "nia"),
    ]

    private static func sharing(_ more: JSON) -> JSON {
        var sharing: JSON = [
            "state": "on", "rules": [["viewer": "everyone", "precision": "coarse", "history": false]],
            "seenBy": [["id": .id(ben), "displayName": "Ben <b>", "precision": "coarse", "history": false]],
            "waiting": [], "declined": [], "mayHold": [.id(ada), .id(ben)],
        ]
        for (name, value) in more.object?.members ?? [] { sharing[name] = value }
        return sharing
    }

    /// Each person's row says which rule decides, and who sees nothing stands there as well.
    @Test func `each row says because of which rule`() throws {
        let shared = Self.sharing([
            "seenBy": [
                [
                    "id": .id(Self.ben), "displayName": "Ben <b>", "precision": "coarse", "history": false,
                    "rules": ["household", "everyone"],
                ]
            ],
            "notSeenBy": [
                [
                    "id": .id(Self.nia), "displayName": "Аda", "precision": "off", "history": false,
                    "rules": [.id(Self.nia)],
                ]
            ],
        ])
        let text = try walk(shared).get(page, cookie).text
        #expect(text.contains("household and for everyone, of which the least counts</small>"))
        #expect(text.contains(": nothing <small>because of the rule for <bdi>Аda (nia)</bdi></small>"))
    }

    /// Ada looks.
    private func walk(_ sharing: JSON, own: JSON = ["state": "off", "seenBy": [], "rules": []]) -> WebWalk {
        var walk = WebWalk.ada(sharing: own)
        walk.answers["session.resume"] = [.success(["member": Self.members[0]])]
        walk.answers["member.list"] = [.success(["members": .array(Self.members)])]
        walk.answers["sharing.show"] = [.success(["sharing": sharing])]
        walk.answers["sharing.looks"] = [.success(["looks": []])]
        walk.answers["guestLink.list"] = [.success(["guestLinks": []])]
        walk.answers["place.list"] = [.success(["places": []])]
        for method in ["sharing.set", "sharing.admit", "place.admit", "sharing.hold"] {
            walk.answers[method] = [.success([:])]
        }
        return walk
    }

    @Test func `the holder sees the rules and what waits, and has a button for everything`() throws {
        let held = walk(
            Self.sharing([
                "heldBy": .id(Self.ada), "confirmBy": "2026-12-04T18:00:00.000Z",
                "waiting": [
                    [
                        "id": .id(Self.nia), "displayName": "Аda", "group": "household", "precision": "exact",
                        "history": true,
                    ]
                ], "waitingPlaces": [["place": "p", "name": "Pond & Co"]],
            ]))
        let shown = try held.get(page, cookie)
        let text = shown.text
        #expect(text.contains("Who sees where Kit is") && text.contains("You hold these settings"))
        #expect(text.contains("<bdi>Аda (nia)</bdi></strong> came later"), "names that look the same are told apart")
        #expect(text.contains("Everyone in the family: to about a kilometre"))
        #expect(text.contains("<bdi>Ben &lt;b&gt;</bdi>: to about a kilometre") && !text.contains("Ben <b>"))
        #expect(text.contains(">Show when <bdi>Kit</bdi> is there</button>") && !text.contains("HTML("))
        #expect(text.contains("Pond &amp; Co") && text.contains("2026-12-04 18:00 UTC"))
        for button in [
            "name=\"state\" value=\"off\"", "name=\"confirm\"", "name=\"admit\" value=\"\(Self.nia)\"",
            "name=\"refuse\" value=\"\(Self.nia)\"", "name=\"admitPlace\" value=\"p\"", "name=\"viewer\"",
            "name=\"hold\" value=\"over\"", "name=\"hold\" value=\"give\"",
        ] { #expect(text.contains(button), "\(button)") }
        #expect(text.contains("<option value=\"\(Self.ben)\">"), "to whom it can go")
        #expect(text.count(of: "<form method=\"post\" action=\"\(page)\">") == text.count(of: "<form"))
        #expect(!text.contains("<script>") && !text.contains("tok"))
    }

    @Test(
        arguments: [
            ("state=off", "sharing.set", ["state": "off"]),
            ("state=on&confirms=a+b", "sharing.set", ["state": "on", "confirms": ["a", "b"]]),
            ("admit=n", "sharing.admit", ["viewer": "n", "admit": true]),
            ("refuse=n", "sharing.admit", ["viewer": "n", "admit": false]),
            ("admitPlace=p", "place.admit", ["place": "p", "admit": true]),
            ("refusePlace=p", "place.admit", ["place": "p", "admit": false]),
            ("hold=take", "sharing.hold", ["hold": true]), ("hold=give", "sharing.hold", ["hold": false]),
            ("hold=over&to=x", "sharing.hold", ["hold": true, "to": "x"]),
            (
                "viewer=household&precision=home", "sharing.set",
                [
                    "rules": [
                        ["viewer": "everyone", "precision": "coarse", "history": false],
                        ["viewer": "household", "precision": "home", "history": false],
                    ]
                ]
            ),
            ("viewer=everyone&precision=none", "sharing.set", ["rules": []]),
        ] as [(String, String, JSON)])
    func `a button does for the child what it says`(form: String, method: String, params: JSON) throws {
        let held = walk(Self.sharing(["heldBy": .id(Self.ada)]))
        let shown = try held.post(page, form, cookie)
        var wanted = params
        wanted["member"] = .id(Self.kit)
        #expect(shown.asked.last?.method == method && shown.asked.last?.params == wanted)
        #expect(shown.asked.allSatisfy { $0.credential == .token("tok") && $0.params["member"] == .id(Self.kit) })
        #expect(shown.location == page)
        #expect(try held.post(page, form).location == "/signin")
    }

    @Test func `whom sharing is turned on for are told apart where names look the same`() throws {
        let own: JSON = [
            "state": "off", "rules": [], "seenBy": [["id": .id(Self.nia), "displayName": "Аda"]], "waiting": [],
        ]
        var walk = walk(Self.sharing([:]), own: own)
        walk.answers["sharing.show"] = [.success(["sharing": own])]
        let shown = try walk.get("/phone", cookie)
        #expect(shown.text.contains("Аda (nia)"), "\(shown.text)")
    }

    @Test func `nobody makes a link for another, whatever a form says`() throws {
        let held = walk(Self.sharing(["heldBy": .id(Self.ada)]))
        let shown = try held.post(page, "hours=4&precision=exact", cookie)
        #expect(!shown.asked.contains { $0.method.hasPrefix("guestLink.") })
        #expect(try !held.get(page, cookie).text.contains("outside the family"))
    }

    @Test func `a child's links stand on its page, each with the button that ends it`() throws {
        var held = walk(Self.sharing(["links": 1]))
        held.answers["guestLink.list"] = [
            .success([
                "guestLinks": [
                    [
                        "id": "l", "precision": "exact", "until": "2026-12-04T18:00:00.000Z", "name": "Kit <b>",
                        "places": ["p"],
                    ]
                ]
            ])
        ]
        held.answers["place.list"] = [
            .success(["places": [["id": "p", "name": "Pond & Co", "radius": 100, "kind": "place"]]])
        ]
        held.answers["guestLink.revoke"] = [.success([:])]
        let shown = try held.get(page, cookie)
        #expect(shown.asked.first { $0.method == "guestLink.list" }?.params == ["member": .id(Self.kit)])
        #expect(
            shown.text.contains("A link that shows where <bdi>Kit</bdi> is exactly, until <time")
                && shown.text.contains("2026-12-04 18:00 UTC</time>."))
        #expect(shown.text.contains("It calls <bdi>Kit</bdi> <bdi>Kit &lt;b&gt;</bdi>."))
        #expect(shown.text.contains("It says when <bdi>Kit</bdi> is at <strong><bdi>Pond &amp; Co</bdi></strong>."))
        #expect(
            shown.text.contains("<form method=\"post\" action=\"\(page)\">") && !shown.text.contains("name=\"hours\""))
        let ended = try held.post(page, "revoke=l", cookie)
        #expect(ended.asked.last?.method == "guestLink.revoke" && ended.asked.last?.params == ["guestLink": "l"])
        #expect(ended.location == page)
    }

    @Test func `another parent narrows, and has no button that shows anybody more`() throws {
        let shown = try walk(
            Self.sharing(["heldBy": .id(Self.ben), "waiting": [["id": .id(Self.nia), "displayName": "Nia"]]])
        ).get(page, cookie)
        #expect(shown.text.contains("<bdi>Ben &lt;b&gt;</bdi> holds these settings. As a parent you can"))
        #expect(shown.text.contains("value=\"off\"") && shown.text.contains("name=\"viewer\""))
        for button in ["name=\"admit\"", "name=\"hold\"", "value=\"on\"", "name=\"confirm\""] {
            #expect(!shown.text.contains(button), "\(button)")
        }
        #expect(!shown.asked.contains { $0.method == "sharing.looks" }, "who looked is the holder's to know")
        let off = try walk(Self.sharing(["heldBy": .id(Self.ben), "state": "off"])).get(page, cookie)
        #expect(!off.text.contains("name=\"state\""))
    }

    @Test func `what nobody holds is taken by who may`() throws {
        let own = try walk(Self.sharing([:])).get(page, cookie)
        #expect(own.text.contains("own hands") && own.text.contains("name=\"hold\" value=\"take\""))
        #expect(!own.text.contains("name=\"viewer\""))
        let waits = try walk(
            Self.sharing(["state": "off", "paused": true, "parents": [.id(Self.ada), .id(Self.ben)]])
        )
        .get(page, cookie)
        #expect(waits.text.contains("is gone") && waits.text.contains("name=\"hold\" value=\"take\""))
        let far = try walk(Self.sharing(["mayHold": [.id(Self.ben)]])).get(page, cookie)
        #expect(!far.text.contains("name=\"hold\""))
    }

    @Test func `who may not look is told so, and oneself is sent to the own page`() throws {
        var walk = walk([:])
        walk.answers["sharing.show"] = [.failure(Rejection(.forbidden, "You do not hold this member's sharing."))]
        let shown = try walk.get(page, cookie)
        #expect(shown.answer.status == 403 && shown.text.contains("You do not hold this member&#39;s sharing."))
        #expect(try walk.get("/sharing/\(Self.ada)", cookie).location == "/sharing")
        #expect(try walk.get(page).location == "/signin")
        var refused = self.walk(Self.sharing(["heldBy": .id(Self.ben)]))
        refused.answers["sharing.set"] = [.failure(Rejection(.forbidden, "Only Ben, who holds it, can widen."))]
        let widened = try refused.post(page, "state=on", cookie)
        #expect(widened.answer.status == 403 && widened.text.contains("href=\"\(page)\""))
    }

    @Test func `the own page lists the children and what waits for them`() throws {
        let held = Self.sharing(["heldBy": .id(Self.ada), "waiting": [["id": .id(Self.nia), "displayName": "Nia"]]])
        var walk = walk(held)
        walk.answers["sharing.show"] = [
            .success(["sharing": ["state": "off", "seenBy": [], "rules": []]]), .success(["sharing": held]),
        ]
        let shown = try walk.get("/sharing", cookie)
        #expect(shown.text.contains("<a href=\"\(page)\"><bdi>Kit</bdi></a>: sharing is on, you hold the settings"))
        #expect(shown.text.contains("Something waits for your answer"))
        walk.answers["sharing.show"] = [
            .success(["sharing": ["state": "off", "seenBy": [], "rules": []]]),
            .failure(Rejection(.forbidden, "Not yours.")),
        ]
        let other = try walk.get("/sharing", cookie)
        #expect(other.answer.status == 200 && !other.text.contains("<bdi>Kit</bdi></a>"))
    }

    @Test func `a held child looks, and has no button that would be refused`() throws {
        var walk = walk(Self.sharing(["heldBy": .id(Self.ada)]))
        walk.answers["session.resume"] = [.success(["member": Self.members[2]])]
        for path in ["/sharing", "/phone"] {
            let shown = try walk.get(path, cookie)
            #expect(shown.text.contains("holds these settings"), "\(path)")
            #expect(!shown.text.contains("name=\"state\"") && !shown.text.contains("name=\"viewer\""), "\(path)")
            #expect(!shown.text.contains("name=\"hours\""))
        }
    }

    @Test func `a guest is told that others see it whom the guest does not see`() throws {
        for seenBy in [[], [["id": .id(Self.ben), "displayName": "Ben", "precision": "exact"]]] as [JSON] {
            let own: JSON = ["state": "on", "rules": [], "seenBy": seenBy, "others": true]
            var walk = walk([:], own: own)
            walk.answers["sharing.show"] = [.success(["sharing": own])]
            let shown = try walk.get("/sharing", cookie)
            #expect(shown.text.contains("Members of other households") && !shown.text.contains("<p>Nobody.</p>\n<h3>"))
        }
    }

    @Test func `a session that waits sees the page without who looked`() throws {
        var walk = walk(Self.sharing(["heldBy": .id(Self.ada)]))
        walk.answers["sharing.looks"] = [.failure(Rejection(.forbidden, "This session waits."))]
        for path in ["/sharing", page] {
            let shown = try walk.get(path, cookie)
            #expect(shown.answer.status == 200 && shown.text.contains("This session waits."))
        }
    }
}

/// The same in the real daemon.
@Suite(.serialized) struct WebSharingEndToEndTests {
    private let password = "correct+zebra+staple+nine"

    @Test func `a mother holds her child's settings, answers for it and hands over, by forms alone`() throws {
        let daemon = try WebDaemon()
        func joined(_ name: String, _ more: String = "", _ invite: JSON = [:]) throws -> (cookie: String, id: String) {
            let code = try #require(try daemon.call(as: "ada", "invite.create", invite)["code"]?.string)
            let form = "displayName=\(name)&username=\(name.lowercased())&password=\(password)\(more)"
            let response = try daemon.post("/join/\(code)", form)
            try #require(response.status == 303, "\(response.text)")
            let all = try daemon.call(as: "ada", "member.list", [:])["members"]?.array
            let id = all?.first { $0["displayName"]?.string == name }?["id"]?.string
            return (try #require(response.cookie), try #require(id))
        }
        let founded = try daemon.post(
            "/setup/\(daemon.setUp)",
            "name=Lovelace&household=Mill&displayName=Ada&username=ada&password=\(password)")
        let ada = try #require(founded.cookie)
        let kit = try joined("Kit", "&asChild=yes", ["kind": "child"])
        let ben = try joined("Ben")
        let page = "/sharing/\(kit.id)"
        func show(_ cookie: String) throws -> String { try daemon.get(page, cookie: cookie).text }
        func post(_ form: String, _ cookie: String) throws -> Int {
            try daemon.post(page, form, cookie: cookie).status
        }
        func state() throws -> JSON? { try daemon.call(as: "kit", "sharing.show", [:])["sharing"] }

        #expect(try daemon.get("/sharing", cookie: ada).text.contains("href=\"\(page)\""))
        #expect(try show(ada).contains("Hold these settings"))
        // Ben is no parent and brought nobody in.
        #expect(try daemon.get(page, cookie: ben.cookie).status == 403)
        #expect(try post("hold=take", ben.cookie) == 403)
        #expect(try !daemon.get("/sharing", cookie: ben.cookie).text.contains(page))
        // Not from another site's page, not without a cookie.
        let type = "Content-Type: application/x-www-form-urlencoded"
        for header in ["X: none", "Origin: http://evil.example", "Origin: null"] {
            let forged = try daemon.ask("POST \(page)", [type, "Cookie: \(ada)", header], "hold=take")
            #expect(forged.status == 403, "\(header)")
        }
        #expect(try daemon.post(page, "hold=take").head.headers["Location"] == "/signin")
        #expect(try state()?["heldBy"] == nil)

        #expect(try post("hold=take", ada) == 303)
        #expect(try post("state=on", ada) == 303)
        #expect(try state()?["state"] == "on" && state()?["heldBy"] != nil)
        #expect(try daemon.get("/phone", cookie: kit.cookie).text.contains("</bdi> holds these settings"))
        #expect(try daemon.post("/phone/sharing", "state=off", cookie: kit.cookie).status == 403)
        #expect(try daemon.get(page, cookie: kit.cookie).head.headers["Location"] == "/sharing")

        let nia = try joined("Nia")
        #expect(try show(ada).contains("<bdi>Nia</bdi></strong> came later"))
        #expect(try post("refuse=\(nia.id)", ben.cookie) == 403)
        #expect(try post("refuse=\(nia.id)", ada) == 303)
        #expect(try show(ada).contains("<bdi>Nia</bdi> was refused"))
        // Ada and Ben wait for the rule that is there; another one lets them in.
        #expect(try post("viewer=everyone&precision=home", ada) == 200)
        #expect(try state()?["rules"]?.array?.first?["precision"] == "exact")
        #expect(try post("viewer=everyone&precision=home&sure=yes", ada) == 303)
        #expect(try state()?["rules"]?.array?.first?["precision"] == "home")

        // Ben becomes a parent: he narrows, and widens nothing; then he holds it.
        for parent in ["ada", "ben"] {
            _ = try daemon.call(
                as: "ada", "member.relate",
                [
                    "member": .string(parent == "ben" ? ben.id : try id("ada", daemon)),
                    "parentOf": .string(kit.id),
                ])
        }
        #expect(try show(ben.cookie).contains("As a parent you can"))
        #expect(try post("viewer=everyone&precision=exact&sure=yes", ben.cookie) == 403)
        #expect(try post("viewer=household&precision=off", ben.cookie) == 303)
        #expect(try post("state=off", ben.cookie) == 303)
        #expect(try state()?["state"] == "off")
        #expect(try post("state=on", ben.cookie) == 403)
        #expect(try show(ada).contains("<option value=\"\(ben.id)\">"))
        #expect(try post("hold=over&to=\(ben.id)", ada) == 303)
        #expect(try state()?["heldBy"] == .string(ben.id))
        #expect(try post("hold=give", ada) == 403)
        #expect(try post("hold=give", ben.cookie) == 303)
        #expect(try state()?["heldBy"] == nil)
    }

    private func id(_ username: String, _ daemon: WebDaemon) throws -> String {
        let members = try daemon.call(as: "ada", "member.list", [:])["members"]?.array
        return try #require(members?.first { $0["username"]?.string == username }?["id"]?.string)
    }

    @Test func `a link with a new password ends phones unless they are to be kept`() throws {
        let daemon = try WebDaemon()
        let founded = try daemon.post(
            "/setup/\(daemon.setUp)",
            "name=Lovelace&household=Mill&displayName=Ada&username=ada&password=\(password)")
        let ada = try #require(founded.cookie)
        #expect(try daemon.post("/phone/owntracks", "device=Pixel", cookie: ada).status == 200)
        func phones() throws -> Int? {
            try daemon.call(as: "ada", "appPassword.list", [:])["appPasswords"]?.array?.count
        }
        for (form, left) in [
            ("password=&keepAppPasswords=yes", 1), ("password=", 1),
            ("password=other+zebra+staple+ten&keepAppPasswords=yes", 1), ("password=third+zebra+staple+six", 0),
        ] {
            let me = try id("ada", daemon)
            let link = try #require(
                try daemon.call(as: "ada", "session.link", ["member": .string(me)])["link"]?.string)
            #expect(try daemon.get("/signin/\(link)").text.contains("name=\"keepAppPasswords\""))
            #expect(try daemon.post("/signin/\(link)", form).status == 303, "\(form)")
            #expect(try phones() == left, "\(form)")
        }
    }
}
