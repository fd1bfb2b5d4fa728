import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct MembersPasswordTests {
    static let other = "walnut-harbour-tulip-9"

    @Test func `changing the password ends the other sessions and keeps this one`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let phone = try box.signIn("ada")
        try box.call(
            ada, "password.change", ["old": .string(FamilyBox.password), "new": .string(Self.other)])
        #expect(box.revocations == [.session(phone.session)])
        #expect(try box.refusal(ada, "family.show") == nil)
        #expect(try box.refusal(phone, "family.show")?.kind == .notSignedIn)
        let params: JSON.Object = ["username": "ada", "password": .string(FamilyBox.password)]
        #expect(try box.refusal(.none, "session.open", params)?.kind == .notSignedIn)
        try box.call(.none, "session.open", ["username": "ada", "password": .string(Self.other)])
    }

    @Test func `the old password has to be right and the new one good`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let wrong: JSON.Object = ["old": "not-the-one", "new": .string(Self.other)]
        #expect(try box.refusal(ada, "password.change", wrong)?.field == "old")
        for weak in ["ada-reed", "millmillmill", "qwertyuiop", "2026-11-20"] {
            let params: JSON.Object = ["old": .string(FamilyBox.password), "new": .string(weak)]
            let rejection = try box.refusal(ada, "password.change", params)
            #expect(rejection?.kind == .invalid && rejection?.field == "new")
        }
        #expect(try box.refusal(.machine, "password.change", wrong)?.kind == .forbidden)
        let long: JSON.Object = [
            "old": .string(FamilyBox.password), "new": .string(String(repeating: "x", count: 1025)),
        ]
        #expect(try box.refusal(ada, "password.change", long)?.kind == .tooLarge)
    }

    @Test func `a password that changed while another was being checked lets nobody in`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let stored = try #require(
            try box.store.database.first(
                "SELECT password FROM members", map: { (row) throws(StoreFailure) in row.text(0) }))
        var signIn = box.request(
            .none, "session.open", ["username": "ada", "password": .string(FamilyBox.password)])
        try box.turn(signIn)
        try box.call(.machine, "password.reset", ["username": "ada", "password": .string(Self.other)])
        signIn.work = .passwordMatched(true, encoded: stored)
        let late = try box.turn(signIn)
        #expect(throws: Rejection.self) { try late.replies[0].result.get() }
        var change = box.request(ada.credential, "password.change", ["old": "a", "new": "b"])
        change.work = .passwordHash("x", replacing: stored)
        #expect(throws: Rejection.self) { try box.keeper.turn([change], clock: box.reading).replies[0].result.get() }
    }

    @Test func `a reset over the machine ends every session and link`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let link = try #require(try box.call(ada, "session.link", ["member": .id(ben.id)])["link"])
        let params: JSON.Object = ["username": "ben", "password": .string(Self.other)]
        #expect(try box.refusal(ada, "password.reset", params)?.kind == .forbidden)
        #expect(try box.refusal(.none, "password.reset", params)?.kind == .notSignedIn)
        let nobody: JSON.Object = ["username": "nobody", "password": .string(Self.other)]
        #expect(try box.refusal(.machine, "password.reset", nobody)?.kind == .notFound)
        let weak: JSON.Object = ["username": "ben", "password": "benben12"]
        #expect(try box.refusal(.machine, "password.reset", weak)?.field == "password")
        try box.call(.machine, "password.reset", params)
        #expect(box.revocations == [.session(ben.session)])
        #expect(try box.refusal(.none, "session.redeem", ["link": link])?.kind == .notFound)
        try box.call(.none, "session.open", params)
        #expect(try box.refusal(ada, "family.show") == nil)
    }

    @Test func `every path that sets a password has it judged with the family's words`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let code = try #require(try box.call(ada, "invite.create")["code"])
        let link = try #require(try box.call(ada, "session.link", ["member": .id(ada.id)])["link"])
        box.substitute = { work in
            switch work {
            case PasswordWork.newPassword(_, let words, let salt),
                PasswordWork.changePassword(_, _, _, let words, let salt):
                #expect(words.contains("Reed") && words.contains("Mill") && salt.count == 16)
                return .weakPassword("Longer.")
            default: return nil
            }
        }
        let mill = try box.household(of: ada)
        let asked: [(Credential, String, JSON.Object, String)] = [
            (.none, "member.join", box.join(code, "ben"), "ben"),
            (.none, "session.redeem", ["link": link, "password": "x"], "ada"),
            (.machine, "password.reset", ["username": "ada", "password": "x"], "ada"),
            (ada.credential, "password.change", ["old": "x", "new": "y"], "ada"),
            (
                ada.credential, "member.add",
                [
                    "username": "cleo", "displayName": "Cleo", "password": "x", "household": .id(mill),
                    "role": "member", "kind": "adult",
                ], "cleo"
            ),
        ]
        for (who, method, params, word) in asked {
            let rejection = try box.refusal(who, method, params)
            #expect(rejection?.kind == .invalid && rejection?.message.contains("Longer.") == true, "\(method)")
            switch box.works.last as? PasswordWork {
            case .newPassword(_, let words, _)?, .changePassword(_, _, _, let words, _)?:
                #expect(words.contains(word), "\(method)")
            default: Issue.record("\(method) judged nothing")
            }
        }
        // No other method takes a password.
        let setting = box.keeper.registry.methods.values.filter { method in
            method.parameters.contains { field in ["password", "new"].contains(field.name) }
        }
        #expect(
            Set(setting.map(\.name)) == Set(asked.map(\.1)).union(["family.found", "session.open", "session.expose"]))
    }

    @Test func `passwords stand in no file`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "password.change", ["old": .string(FamilyBox.password), "new": .string(Self.other)])
        #expect(try !box.holds(FamilyBox.password))
        #expect(try !box.holds(Self.other))
        for secret in [FamilyBox.password, Self.other] {
            #expect(!box.notes.contains { $0.contains(secret) })
        }
    }
}
