import KinStore
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

@Suite struct MembersSessionTests {
    @Test func `signing in opens a session that is told to its owner, listed and revocable`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        _ = (box.heard(ada), box.heard(ben))
        let opened = try box.call(
            .none, "session.open",
            ["username": "ben", "password": .string(FamilyBox.password), "device": "Kitchen"], from: "198.51.100.7")
        let kitchen = try box.person(opened)
        #expect(opened["member"]?["id"]?.identifier == ben.id && opened["family"]?["name"] == "Reed")
        guard case .signedIn(let identity) = box.effect else { throw Rejection(.parse, "no sign-in") }
        #expect(identity.session == kitchen.session)
        let events = box.heard(ben)
        #expect(events.map(\.type) == ["session.opened"] && events[0].data["device"] == "Kitchen")
        #expect(box.types(ada) == [])
        // The token is good on every connection, as long as it is.
        #expect(try box.call(.token(kitchen.token), "session.list")["sessions"]?.array?.count == 2)
        let resumed = try box.call(.none, "session.resume", ["token": .string(kitchen.token)])
        #expect(resumed["session"]?.identifier == kitchen.session)
        let listed = try box.call(ben, "session.list")["sessions"]?.array ?? []
        #expect(listed.first { $0["device"] == "Kitchen" }?["isThisOne"] == false)
        #expect(listed.first { $0["device"] == "Kitchen" }?["address"] == "198.51.100.7")
        try box.call(ben, "session.revoke", ["session": .id(kitchen.session)])
        #expect(box.revocations.last == .session(kitchen.session))
        #expect(try box.refusal(.token(kitchen.token), "session.list")?.kind == .notSignedIn)
        #expect(try box.refusal(kitchen, "session.list")?.kind == .notSignedIn)
        #expect(try box.refusal(.none, "session.resume", ["token": .string(kitchen.token)])?.kind == .notSignedIn)
        #expect(try !box.holds(ben.token))
        // 256 random bits.
        #expect(kitchen.token.utf8.count == 43 && kitchen.token != ben.token)
    }

    /// Every request asks for its session.
    @Test func `a session is looked up once, and what is written to it or to its member counts at once`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let database = box.store.database
        func statements() throws -> Int {
            let before = database.statementCount
            try box.call(ben, "family.show")
            return database.statementCount - before
        }
        _ = try statements()
        let known = try statements()
        try database.run("UPDATE sessions SET device = 'phone' WHERE member = ?", .id(ada.id))
        #expect(try statements() == known + 1)
        #expect(try statements() == known)
        let kind = try box.refusal(ben, "place.add")?.kind
        #expect(kind != nil && kind != .forbidden)
        try box.call(ada, "member.setRole", ["member": .id(ben.id), "role": "guest"])
        #expect(try box.refusal(ben, "place.add")?.kind == .forbidden)
        try database.begin()
        try database.run("DELETE FROM sessions WHERE id = ?", .id(ben.session))
        database.rollback()
        #expect(try box.refusal(ben, "family.show") == nil)
        try database.run("DELETE FROM sessions WHERE id = ?", .id(ben.session))
        #expect(try box.refusal(ben, "family.show")?.kind == .notSignedIn)
    }

    @Test func `somebody else's session is none`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        #expect(try box.refusal(ada, "session.revoke", ["session": .id(ben.session)])?.kind == .notFound)
        #expect(try box.refusal(.machine, "session.list")?.kind == .forbidden)
        #expect(try box.call(ben, "session.list")["sessions"]?.array?.count == 1)
    }

    @Test func `signing out ends the session`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(.token(ada.token), "session.close")
        guard case .signedOut = box.effect else { throw Rejection(.parse, "still signed in") }
        #expect(box.revocations.last == .signedOut(session: ada.session))
        #expect(try box.refusal(ada, "family.show")?.kind == .notSignedIn)
    }

    @Test func `an old token does not stand in the way of signing in`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "session.close")
        let params: JSON.Object = ["username": "ada", "password": .string(FamilyBox.password)]
        try box.call(.token(ada.token), "session.open", params)
        try box.call(.token("nonsense"), "session.open", params)
        try box.call(.token(String(repeating: "x", count: 5000)), "session.open", params)
    }

    @Test func `the session unused longest makes room`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for _ in 1..<Limits.sessionsPerMemberMax {
            box.clock = box.clock.adding(seconds: 1)
            _ = try box.signIn("ada")
        }
        #expect(try box.refusal(ada, "family.show") == nil)
        let last = try box.signIn("ada")
        #expect(box.revocations == [.session(ada.session)])
        #expect(try box.refusal(ada, "family.show")?.kind == .notSignedIn)
        #expect(try box.call(last, "session.list")["sessions"]?.array?.count == Limits.sessionsPerMemberMax)
    }

    @Test func `a session that is used lasts, one unused for long ends`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let phone = try box.signIn("ada")
        box.clock = box.clock.adding(days: 300)
        #expect(try box.refusal(ada, "family.show") == nil)
        box.clock = box.clock.adding(days: 101)
        #expect(try box.refusal(phone, "family.show")?.kind == .notSignedIn)
        #expect(try box.refusal(ada, "family.show") == nil)
        #expect(box.revocations.contains(.session(phone.session)))
    }

    @Test func `a one-time link signs its member in once`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        #expect(try box.refusal(ben, "session.link", ["member": .id(ada.id)])?.kind == .forbidden)
        let first = try #require(try box.call(ada, "session.link", ["member": .id(ben.id)])["link"])
        let link = try #require(try box.call(.machine, "session.link", ["member": .id(ben.id)])["link"])
        #expect(try box.refusal(.none, "session.redeem", ["link": first])?.kind == .notFound)
        let tablet = try box.person(try box.call(.none, "session.redeem", ["link": link, "device": "Tablet"]))
        #expect(tablet.id == ben.id)
        #expect(try box.refusal(.none, "session.redeem", ["link": link])?.kind == .notFound)
        #expect(try box.refusal(ben, "member.list") == nil, "a link alone ends no other session")
        let late = try #require(try box.call(ada, "session.link", ["member": .id(ben.id)])["link"])
        try box.wait(seconds: 86_400)
        #expect(try box.refusal(.none, "session.redeem", ["link": late])?.kind == .notFound)
        #expect(try box.count("SELECT count(*) FROM links") == 0)
    }

    @Test func `a link with a new password ends all earlier sessions`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let link = try #require(try box.call(ada, "session.link", ["member": .id(ben.id)])["link"])
        let weak = try box.refusal(.none, "session.redeem", ["link": link, "password": "benbenben"])
        #expect(weak?.field == "password")
        let new = "walnut-harbour-tulip-9"
        let phone = try box.person(
            try box.call(.none, "session.redeem", ["link": link, "password": .string(new)]))
        #expect(try box.refusal(ben, "member.list")?.kind == .notSignedIn)
        #expect(try box.refusal(phone, "member.list") == nil)
        try box.call(.none, "session.open", ["username": "ben", "password": .string(new)])
    }

    @Test func `at the machine one acts as a member by name`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(.machine, "session.as", ["username": "ben"])
        guard case .signedIn(let identity) = box.effect else { throw Rejection(.parse, "no sign-in") }
        #expect(identity.member == ben.id && identity.session == nil)
        #expect(try box.refusal(.machineAs(ben.id), "invite.create")?.kind == .forbidden)
        #expect(try box.call(.machineAs(ben.id), "session.list")["sessions"]?.array?.count == 1)
        #expect(try box.refusal(.machineAs(ben.id), "session.as", ["username": "ada"]) == nil)
        #expect(try box.refusal(.machine, "session.as", ["username": "nobody"])?.kind == .notFound)
        #expect(try box.refusal(ada, "session.as", ["username": "ben"])?.kind == .forbidden)
        #expect(try box.refusal(.none, "session.as", ["username": "ben"])?.kind == .notSignedIn)
    }

    @Test func `what was seen in plain text is revoked`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let made = try box.call(ada, "appPassword.create", ["device": "Phone", "scope": "location"])
        let password = try #require(made["password"]?.string)
        for shown in [["token": .string(ada.token)], ["username": "ada", "password": .string(password)]]
            as [JSON.Object]
        {
            #expect(try box.refusal(.none, "session.expose", shown) == nil)
            #expect(box.notes.last?.contains("plain text") == true)
        }
        #expect(box.revocations == [.session(ada.session)])
        #expect(try box.refusal(ada, "family.show")?.kind == .notSignedIn)
        #expect(try box.count("SELECT count(*) FROM app_passwords") == 0)
    }
}
