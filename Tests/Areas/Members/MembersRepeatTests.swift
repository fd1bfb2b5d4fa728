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

@Suite struct MembersRepeatTests {
    @Test func `a repeated command changes nothing and is answered with what is so now`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let found: JSON.Object = ["name": "Lake"]
        let first = try box.call(ben, "household.found", found, op: "op-1")
        let lake = try #require(first["household"]?["id"])
        try box.call(ben, "household.rename", ["household": lake, "name": "Lake House"], op: "op-2")
        _ = box.heard(ada)
        let again = try box.call(ben, "household.found", found, op: "op-1")
        #expect(again["household"]?["id"] == lake)
        #expect(again["household"]?["name"] == "Lake House")
        #expect(box.types(ada) == [])
        #expect(try box.count("SELECT count(*) FROM households") == 2)
        let other = try box.refusal(ben, "household.found", ["name": "Pond"], op: "op-1")
        #expect(other?.kind == .conflict && other?.field == "op")
        let method = try box.refusal(ben, "session.close", [:], op: "op-1")
        #expect(method?.kind == .conflict)
        // Another member's op of the same name is another.
        try box.call(ada, "household.found", ["name": "Pond", "stay": true], op: "op-1")
    }

    @Test func `a repeat about what is gone says so`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let params: JSON.Object = ["member": .id(ben.id), "displayName": "Benny"]
        try box.call(.machine, "member.update", params, op: "op-1")
        try box.call(ben, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.refusal(.machine, "member.update", params, op: "op-1")?.kind == .notFound)
    }

    @Test func `a repeat of what carried a secret is already done, with the id of what it made`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let made = try box.call(ada, "invite.create", ["uses": 3], op: "op-1")
        let again = try box.refusal(ada, "invite.create", ["uses": 3], op: "op-1")
        #expect(again?.detail == "already-done" && again?.id == made["invite"]?["id"]?.identifier)
        let password = try box.call(ada, "appPassword.create", ["device": "X", "scope": "location"], op: "op-2")
        let second = try box.refusal(ada, "appPassword.create", ["device": "X", "scope": "location"], op: "op-2")
        #expect(second?.id == password["id"]?.identifier)
        #expect(try box.count("SELECT count(*) FROM app_passwords") == 1)
        // Before sign-in the scope is the code.
        let join = box.join(try #require(made["code"]), "ben")
        _ = try box.call(.none, "member.join", join, op: "op-3")
        #expect(try box.refusal(.none, "member.join", join, op: "op-3")?.detail == "already-done")
        #expect(try box.keeper.roster().entries.count == 2)
    }

    @Test func `what is remembered of a command holds nothing of its secrets, and strangers share no op`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        _ = try box.join("ben", by: ada)
        let open: (String) -> JSON.Object = { ["username": .string($0), "password": .string(FamilyBox.password)] }
        try box.call(.none, "session.open", open("ada"), op: "op-1")
        try box.call(.none, "session.open", open("ben"), op: "op-1")
        // Another password is no other digest: nothing to try guesses on.
        let other: JSON.Object = ["username": "ada", "password": "a guess"]
        #expect(try box.refusal(.none, "session.open", other, op: "op-1")?.detail == "already-done")
        #expect(try box.count("SELECT count(*) FROM ops WHERE method = 'session.open'") == 2)
    }
}

extension MembersRepeatTests {
    @Test func `a removed member's repeats are forgotten, the one that removed them too`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let before = try box.count("SELECT count(*) FROM ops")
        try box.call(ben, "sharing.set", ["state": "on"], op: "one")
        try box.call(ben, "sharing.set", ["state": "off"], op: "two")
        try box.call(ada, "sharing.set", ["state": "on"], op: "three")
        #expect(try box.count("SELECT count(*) FROM ops") == before + 3)
        try box.call(ben, "member.remove", ["member": .id(ben.id), "keep": "delete"], op: "four")
        #expect(try box.count("SELECT count(*) FROM ops") == before + 1)
    }
}
