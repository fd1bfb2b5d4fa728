import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct MembersInviteTests {
    @Test func `a code shows what it is for and brings as many as it says`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let made = try box.call(ada, "invite.create", ["uses": 2, "role": "member", "kind": "child"])
        let code = try #require(made["code"])
        #expect(made["invite"]?["by"]?.identifier == ada.id)
        #expect(box.types(ada).last == "invite.created")
        let shown = try box.call(.none, "invite.show", ["code": code])
        #expect(shown["family"] == "Reed" && shown["household"] == "Mill" && shown["inviter"] == "Ada")
        let ben = try box.person(try box.call(.none, "member.join", box.join(code, "ben", kind: .child)))
        #expect(box.types(ada) == ["member.joined"])
        #expect(try box.call(ben, "member.show", ["member": .id(ben.id)])["member"]?["kind"] == "child")
        // As a person types it: in capitals and with spaces.
        let typed = try #require(code.string).uppercased().split(separator: "-").joined(separator: " ")
        _ = try box.call(.none, "member.join", box.join(.string(typed), "cleo", kind: .child))
        #expect(try box.call(ada, "invite.list") == ["invites": []])
        #expect(try box.refusal(.none, "member.join", box.join(code, "dora"))?.kind == .notFound)
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.field == "code")
    }

    @Test func `invites that are used up are not open ones`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for number in 0..<Limits.invitesPerHouseholdMax {
            let code = try #require(try box.call(ada, "invite.create")["code"])
            if number < 2 { _ = try box.call(.none, "member.join", box.join(code, "m\(number)")) }
        }
        for _ in 1...2 { try box.call(ada, "invite.create") }
        #expect(try box.refusal(ada, "invite.create")?.kind == .tooLarge)
    }

    @Test func `expired, revoked and unknown codes are answered alike`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let code = try #require(
            try box.call(ada, "invite.create", ["expires": .time(box.clock.adding(seconds: 60))])["code"])
        let other = try box.call(ada, "invite.create")
        let revoked = try #require(other["code"])
        #expect(try box.call(ada, "invite.list")["invites"]?.array?.count == 2)
        try box.call(ada, "invite.revoke", ["invite": try #require(other["invite"]?["id"])])
        #expect(box.types(ada).last == "invite.revoked")
        box.clock = box.clock.adding(seconds: 60)
        var answers: Set<Rejection> = []
        for code: JSON in [code, revoked, "abcd-efgh"] {
            answers.insert(try #require(try box.refusal(.none, "member.join", box.join(code, "ben"))))
        }
        #expect(answers.count == 1)
        #expect(answers.first?.kind == .notFound)
        // The hour's upkeep takes the row as well.
        try box.wait(seconds: 3600)
        #expect(try box.count("SELECT count(*) FROM invites") == 0)
    }

    @Test func `a head invites members and guests into the own household only`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let hugo = try box.join("hugo", role: .head, into: lake, by: ada)
        let ben = try box.join("ben", by: ada)
        let mill = try box.household(of: ada)
        let made = try box.call(hugo, "invite.create", ["role": "guest"])
        #expect(made["invite"]?["household"]?.identifier == lake)
        #expect(box.types(hugo).last == "invite.created")
        #expect(try box.refusal(hugo, "invite.create", ["household": .id(mill)])?.kind == .forbidden)
        #expect(try box.refusal(hugo, "invite.create", ["role": "head"])?.kind == .forbidden)
        #expect(try box.refusal(hugo, "invite.create", ["role": "admin"])?.kind == .forbidden)
        #expect(try box.refusal(ben, "invite.create")?.kind == .forbidden)
        #expect(try box.refusal(ben, "invite.list")?.kind == .forbidden)
        _ = box.heard(ben)
        let adas = try #require(try box.call(ada, "invite.create")["invite"]?["id"])
        #expect(box.types(ben) == [] && box.types(hugo) == [])
        // What a head may not see, there is not.
        #expect(try box.refusal(hugo, "invite.revoke", ["invite": adas])?.kind == .notFound)
        #expect(try box.call(hugo, "invite.list")["invites"]?.array?.count == 1)
        #expect(try box.call(ada, "invite.list")["invites"]?.array?.count == 2)
        let open = try #require(made["invite"]?["id"])
        try box.call(ada, "invite.revoke", ["invite": open])
        #expect(box.types(hugo) == ["invite.revoked"])
    }

    @Test func `an invite ends with its maker's right to make it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let lake = try box.foundHousehold("Lake", by: ada)
        let hugo = try box.join("hugo", role: .head, into: lake, by: ada)
        _ = try box.join("ivy", into: lake, by: ada)
        let first = try #require(try box.call(hugo, "invite.create")["code"])
        try box.call(ada, "member.setRole", ["member": .id(hugo.id), "role": "member"])
        #expect(try box.refusal(.none, "invite.show", ["code": first])?.kind == .notFound)
        try box.call(ada, "member.setRole", ["member": .id(hugo.id), "role": "head"])
        let second = try #require(try box.call(hugo, "invite.create")["code"])
        try box.call(ada, "household.admit", ["member": .id(hugo.id), "admit": true])
        try box.call(hugo, "household.move", ["member": .id(hugo.id), "household": .id(try box.household(of: ada))])
        #expect(try box.role(of: hugo) == .member)
        #expect(try box.refusal(.none, "invite.show", ["code": second])?.kind == .notFound)
        let third = try #require(try box.call(ada, "invite.create", ["household": .id(lake)])["code"])
        #expect(try box.refusal(.none, "invite.show", ["code": third]) == nil)
    }

    @Test func `impossible invites are refused`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        #expect(try box.refusal(ada, "invite.create", ["uses": 0])?.field == "uses")
        #expect(try box.refusal(ada, "invite.create", ["uses": 101])?.field == "uses")
        #expect(try box.refusal(ada, "invite.create", ["role": "king"])?.field == "role")
        for expires in [box.clock, box.clock.adding(days: 367), .earliest] {
            #expect(try box.refusal(ada, "invite.create", ["expires": .time(expires)])?.field == "expires")
        }
        #expect(try box.refusal(.machine, "invite.create")?.field == "household")
        let nowhere = Identifier(high: 1, low: 2)
        #expect(try box.refusal(ada, "invite.create", ["household": .id(nowhere)])?.kind == .notFound)
        #expect(try box.refusal(ada, "invite.create", ["household": .id(nowhere), "colour": 1])?.kind == .params)
    }

    @Test func `joining needs a free and well-formed username and a good password`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let code = try #require(try box.call(ada, "invite.create")["code"])
        #expect(try box.refusal(.none, "member.join", box.join(code, "ada"))?.field == "username")
        #expect(try box.refusal(.none, "member.join", box.join(code, "Ben"))?.kind == .invalid)
        var weak = box.join(code, "ben")
        for password in ["benbenben", "reed-mill", "1234567890", "short"] {
            weak["password"] = .string(password)
            let rejection = try box.refusal(.none, "member.join", weak)
            #expect(rejection?.kind == .invalid && rejection?.field == "password")
        }
        var marks = box.join(code, "ben")
        marks["displayName"] = .string("B" + String(repeating: "\u{301}", count: 40))
        #expect(try box.refusal(.none, "member.join", marks)?.field == "displayName")
        #expect(try box.refusal(ada, "member.join", box.join(code, "ben"))?.kind == .forbidden)
        // None of that used the code up.
        _ = try box.call(.none, "member.join", box.join(code, "ben"))
    }

    @Test func `two who race for the last use of a code or for a username do not both win`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let code = try #require(try box.call(ada, "invite.create")["code"])
        var first = box.request(.none, "member.join", box.join(code, "ben"))
        var second = box.request(.none, "member.join", box.join(code, "cleo"))
        // Both were judged in time; one worker is done, then the other.
        try box.turn(first, second)
        first.work = .passwordHash("x", replacing: nil)
        second.work = .passwordHash("x", replacing: nil)
        let commit = try box.turn(first, second)
        #expect(throws: Never.self) { try commit.replies[0].result.get() }
        #expect(throws: Rejection.self) { try commit.replies[1].result.get() }
        #expect(try box.keeper.roster().entries.count == 2)
    }

    @Test func `while the clock is doubted invites and links wait, and end by the right time`() throws {
        let box = try FamilyBox()
        box.machine = .alone
        let ada = try box.found()
        let code = try #require(try box.call(ada, "invite.create")["code"])
        let link = try #require(try box.call(ada, "session.link", ["member": .id(ada.id)])["link"])
        box.machine.ahead = -600_000
        try box.turn()
        #expect(box.notes.contains { $0.contains("doubted") })
        #expect(try box.refusal(.none, "invite.show", ["code": code])?.kind == .unavailable)
        #expect(try box.refusal(.none, "session.redeem", ["link": link])?.kind == .unavailable)
        // What nobody has is no more there than before.
        #expect(try box.refusal(.none, "invite.show", ["code": "ABCD-EFGH-JKMN-PQRS"])?.kind == .notFound)
        #expect(box.types(ada).last != "invite.revoked")
        box.machine.ahead = 0
        try box.wait(seconds: 86_400)
        #expect(try box.refusal(.none, "invite.show", ["code": code]) == nil)
        #expect(try box.refusal(.none, "session.redeem", ["link": link])?.kind == .notFound)
    }
}
