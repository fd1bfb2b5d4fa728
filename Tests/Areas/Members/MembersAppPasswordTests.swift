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

@Suite struct MembersAppPasswordTests {
    private func point(_ box: FamilyBox) -> JSON.Object { ["lat": 52.5, "lon": 13.4, "at": .time(box.clock)] }

    @Test func `an app password opens its scope and nothing else`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let made = try box.call(ada, "appPassword.create", ["device": "Ada's phone", "scope": "location"])
        let password = try #require(made["password"]?.string)
        let phone = Credential.appPassword(username: "ada", password: password)
        try box.call(phone, "position.report", point(box))
        for method in ["family.show", "session.list", "appPassword.list", "member.list"] {
            #expect(try box.refusal(phone, method)?.kind == .forbidden, "\(method)")
        }
        // As a person types it, and with a name that is not believed.
        let typed = password.uppercased().split(separator: "-").joined(separator: " ")
        try box.call(.appPassword(username: "ben", password: typed), "position.report", point(box))
        let calendar = try box.call(ada, "appPassword.create", ["device": "Calendar", "scope": "calendar"])
        let other = Credential.appPassword(username: nil, password: try #require(calendar["password"]?.string))
        #expect(try box.refusal(other, "position.report")?.kind == .forbidden)
        #expect(
            try box.refusal(.appPassword(username: "ada", password: "wrong"), "position.report")?.kind == .notSignedIn)
        #expect(
            box.works.filter { if case PasswordWork.checkPassword = $0 { true } else { false } }.isEmpty,
            "checked by a digest")
        #expect(try !box.holds(password))
    }

    @Test func `app passwords are listed by device and revoked by their owner`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let made = try box.call(ada, "appPassword.create", ["device": "Phone", "scope": "location"])
        let id = try #require(made["id"])
        let phone = Credential.appPassword(username: nil, password: try #require(made["password"]?.string))
        #expect(try box.call(ada, "appPassword.list")["appPasswords"]?.array?.first?["usedAt"] == nil)
        try box.call(phone, "position.report", point(box))
        let listed = try box.call(ada, "appPassword.list")["appPasswords"]?.array?.first
        #expect(listed?["device"] == "Phone" && listed?["usedAt"]?.instant == box.clock && listed?["password"] == nil)
        #expect(try box.call(ben, "appPassword.list") == ["appPasswords": []])
        #expect(try box.refusal(ben, "appPassword.revoke", ["appPassword": id])?.kind == .notFound)
        try box.call(ada, "appPassword.revoke", ["appPassword": id])
        #expect(try box.refusal(phone, "position.report")?.kind == .notSignedIn)
    }

    @Test func `metrics are for admins, and there is a limit`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        #expect(try box.refusal(ben, "appPassword.create", ["device": "X", "scope": "metrics"])?.kind == .forbidden)
        #expect(try box.refusal(ada, "appPassword.create", ["device": "X", "scope": "all"])?.field == "scope")
        #expect(
            try box.refusal(.machine, "appPassword.create", ["device": "X", "scope": "metrics"])?.kind == .forbidden)
        try box.call(ada, "appPassword.create", ["device": "X", "scope": "metrics"])
        for _ in 1..<Limits.appPasswordsPerMemberMax {
            try box.call(ada, "appPassword.create", ["device": "X", "scope": "location"])
        }
        #expect(try box.refusal(ada, "appPassword.create", ["device": "X", "scope": "location"])?.kind == .tooLarge)
    }
}
