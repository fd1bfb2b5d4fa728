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

@Suite struct WebHouseholdTests {
    private let cookie = "Cookie: __Host-kinwire=tok"
    private static let ada = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0001)
    private static let ben = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0002)
    private static let kit = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0003)
    private static let mill = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0011)
    private static let lake = Identifier(high: 0x0198_0000_0000_7000, low: 0x8000_0000_0000_0012)

    private static func member(
        _ id: Identifier, _ name: String, _ username: String, _ home: Identifier, _ kind: MemberKind = .adult
    ) -> JSON {
        Member(id: id, username: username, displayName: name, role: .head, kind: kind, household: home).json
    }

    private func walk(me: JSON, moves: JSON = [], grown: JSON = []) -> WebWalk {
        var walk = WebWalk()
        let others = [
            Self.member(Self.ben, "Аda", "ben", Self.lake), Self.member(Self.kit, "Kit <b>", "kit", Self.mill, .child),
        ].filter { $0["id"] != me["id"] }
        walk.answers["session.resume"] = [.success(["member": me])]
        walk.answers["family.show"] = [
            .success([
                "family": ["name": "Lovelace"],
                "households": [
                    ["id": .id(Self.mill), "name": "Mill & Lane", "members": 2],
                    ["id": .id(Self.lake), "name": "Lake", "members": 1],
                ],
            ])
        ]
        walk.answers["member.list"] = [.success(["members": .array([me] + others)])]
        walk.answers["member.requests"] = [.success(["moves": moves, "grown": grown])]
        for method in ["household.admit", "household.move", "member.answerGrown", "member.askGrown"] {
            walk.answers[method] = [.success([:])]
        }
        return walk
    }

    private let me = member(ada, "Ada", "ada", mill)

    private func move(_ mayAnswer: Bool, _ mayMove: Bool, admitted: Bool = false) -> JSON {
        [
            "member": Self.member(Self.ben, "Аda", "ben", Self.lake),
            "household": ["id": .id(Self.mill), "name": "Mill & Lane"], "admitted": .bool(admitted),
            "by": .id(Self.ben), "at": "2026-11-20T18:00:00.000Z", "ends": "2026-12-20T18:00:00.000Z",
            "mayAnswer": .bool(mayAnswer), "mayMove": .bool(mayMove),
        ]
    }

    @Test func `what waits for my answer has its buttons, and names that look the same are told apart`() throws {
        let child: JSON = [
            "member": Self.member(Self.kit, "Kit <b>", "kit", Self.mill, .child), "at": "2026-11-20T18:00:00.000Z",
            "ends": "2026-12-20T18:00:00.000Z", "mayAnswer": true,
        ]
        let shown = try walk(me: me, moves: [move(true, false)], grown: [child]).get("/household", cookie)
        #expect(shown.text.contains("<bdi>Аda (ben)</bdi> asks to move into <bdi>Mill &amp; Lane</bdi>"))
        #expect(shown.text.contains("Ada (ada)"))
        #expect(shown.text.contains("value=\"admit\">Admit</button>") && shown.text.contains("value=\"refuse\""))
        #expect(shown.text.contains("<bdi>Kit &lt;b&gt;</bdi> asks to count as an adult"))
        #expect(shown.text.contains("value=\"grown\"") && shown.text.contains("value=\"notYet\""))
        #expect(!shown.text.contains("Kit <b>") && !shown.text.contains("tok"))
    }

    @Test func `what I asked can be withdrawn, and where I am admitted I move in`() throws {
        let asked = try walk(me: me, moves: [move(false, true)]).get("/household", cookie)
        #expect(asked.text.contains("Withdraw</button>") && !asked.text.contains("Admit</button>"))
        let admitted = try walk(me: me, moves: [move(false, true, admitted: true)]).get("/household", cookie)
        #expect(admitted.text.contains("Move in</button>"))
        let looked = try walk(me: me, moves: [move(false, false)]).get("/household", cookie)
        #expect(!looked.text.contains("Withdraw</button>"))
        let nothing = try walk(me: me).get("/household", cookie)
        #expect(nothing.text.contains("<p>Nothing.</p>"))
        #expect(nothing.text.contains("Ask to move in</button>") && nothing.text.contains(">Lake</option>"))
        #expect(!nothing.text.contains("Ask to count as an adult"))
    }

    @Test func `a child asks to count as an adult, and does not move by itself`() throws {
        let kit = Self.member(Self.kit, "Kit", "kit", Self.mill, .child)
        let shown = try walk(me: kit).get("/household", cookie)
        #expect(shown.text.contains("Ask to count as an adult") && !shown.text.contains("Ask to move in"))
    }

    @Test(arguments: [
        ("admit", "household.admit"), ("refuse", "household.admit"), ("move", "household.move"),
        ("grown", "member.answerGrown"), ("notYet", "member.answerGrown"), ("askGrown", "member.askGrown"),
    ])
    func `a button does what it says`(word: String, method: String) throws {
        let form = "member=\(Self.ben)&household=\(Self.mill)&do=\(word)"
        let shown = try walk(me: me).post("/household", form, cookie)
        #expect(shown.asked.map(\.method) == [method])
        #expect(shown.asked.first?.credential == .token("tok"))
        #expect(shown.location == "/household")
        let params = shown.asked.first?.params
        switch word {
        case "admit", "refuse": #expect(params?["admit"] == .bool(word == "admit"))
        case "grown", "notYet": #expect(params?["grown"] == .bool(word == "grown"))
        case "move": #expect(params?["household"] == .id(Self.mill) && params?["member"] == .id(Self.ben))
        default: #expect(params == [:])
        }
        #expect(try walk(me: me).post("/household", form).location == "/signin")
    }

    @Test func `a refusal is a page that says why`() throws {
        var walk = walk(me: me)
        walk.answers["household.admit"] = [.failure(Rejection(.forbidden, "Only the heads do."))]
        let shown = try walk.post("/household", "member=\(Self.ben)&do=admit", cookie)
        #expect(shown.answer.status == 403 && shown.text.contains("Only the heads do."))
    }
}
