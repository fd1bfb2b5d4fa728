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

/// A device that shows the secret of its last sign-in is spared from what others did.
@Suite struct KnownDeviceTests {
    private static let home = "203.0.113.5"

    /// Wrong passwords need no real check here: that takes a fifth of a second each.
    private func box() throws -> (FamilyBox, FamilyBox.Person) {
        let box = try FamilyBox()
        let ada = try box.found()
        box.substitute = { work in
            switch work {
            case PasswordWork.checkPassword(let password, let encoded) where password != FamilyBox.password:
                .passwordMatched(false, encoded: encoded)
            default: nil
            }
        }
        return (box, ada)
    }

    private func params(_ password: String, device: JSON? = nil) -> JSON.Object {
        var params: JSON.Object = ["username": "ada", "password": .string(password)]
        if let device { params["knownDevice"] = device }
        return params
    }

    /// A teenager's device at home tries the admin's password, again and again.
    private func guess(_ box: FamilyBox, _ tries: Int) throws {
        for _ in 0..<tries { _ = try box.refusal(.none, "session.open", params("wrong"), from: Self.home) }
    }

    @Test func `a teenager at home does not lock the admin's own device out`() throws {
        let (box, _) = try box()
        let first = try box.call(.none, "session.open", params(FamilyBox.password), from: Self.home)
        let device = try #require(first["knownDevice"], "a sign-in gives the device its secret")
        try guess(box, 40)
        #expect(
            try box.refusal(.none, "session.open", params(FamilyBox.password), from: Self.home)?.kind == .slowDown)
        let again = try box.call(
            .none, "session.open", params(FamilyBox.password, device: device), from: Self.home)
        #expect(again["token"] != nil)
    }

    @Test func `a signed-in change of the password is not slowed by strangers`() throws {
        let (box, ada) = try box()
        try guess(box, 40)
        box.substitute = { work in
            guard case PasswordWork.changePassword(_, let encoded, _, _, _) = work else { return nil }
            return .passwordHash("$scrypt$new", replacing: encoded)
        }
        let change: JSON.Object = ["old": .string(FamilyBox.password), "new": "walnut-harbour-tulip-9"]
        _ = try box.call(ada, "password.change", change, from: Self.home)
    }

    @Test func `a device's secret is good once, and for its own account alone`() throws {
        let (box, ada) = try box()
        _ = try box.join("ben", by: ada)
        let first = try #require(
            try box.call(.none, "session.open", params(FamilyBox.password), from: Self.home)["knownDevice"])
        let second = try #require(
            try box.call(.none, "session.open", params(FamilyBox.password, device: first), from: Self.home)[
                "knownDevice"])
        #expect(first != second)
        try guess(box, 40)
        // Used, made up: each is a stranger's.
        for device in [first, "made-up"] {
            #expect(
                try box.refusal(.none, "session.open", params("wrong", device: device), from: Self.home)?.kind
                    == .slowDown)
        }
        // Of another's account, or nobody's, the secret says nothing: it is slowed as if there were none.
        for name in ["ben", "nobody"] {
            let kinds = try (0..<7).map { index in
                var params: JSON.Object = ["username": .string(name), "password": "wrong"]
                if index > 4 { params["knownDevice"] = second }
                return try box.refusal(.none, "session.open", params, from: Self.home)?.kind
            }
            #expect(kinds.prefix(5).allSatisfy { $0 == .notSignedIn } && kinds.suffix(2).allSatisfy { $0 == .slowDown })
        }
        #expect(
            try box.refusal(.none, "session.open", params("wrong", device: second), from: Self.home)?.kind
                == .notSignedIn)
    }

    @Test func `with a new password only the device that chose it is known`() throws {
        let (box, _) = try box()
        let phone = try box.call(.none, "session.open", params(FamilyBox.password), from: Self.home)
        let desk = try box.call(.none, "session.open", params(FamilyBox.password), from: Self.home)
        box.substitute = { work in
            switch work {
            case PasswordWork.changePassword(_, let encoded, _, _, _): .passwordHash("$scrypt$new", replacing: encoded)
            case PasswordWork.newPassword: .passwordHash("$scrypt$newer", replacing: nil)
            case PasswordWork.checkPassword(_, let encoded): .passwordMatched(false, encoded: encoded)
            default: nil
            }
        }
        _ = try box.call(
            try box.person(desk), "password.change",
            ["old": .string(FamilyBox.password), "new": "walnut-harbour-tulip-9"])
        try guess(box, 40)
        func refusal(_ opened: JSON) throws -> Rejection.Kind? {
            try box.refusal(.none, "session.open", params("wrong", device: opened["knownDevice"]), from: Self.home)?
                .kind
        }
        #expect(try refusal(phone) == .slowDown)
        #expect(try refusal(desk) == .notSignedIn)
        _ = try box.call(.machine, "password.reset", ["username": "ada", "password": "walnut-harbour-tulip-10"])
        #expect(try refusal(desk) == .slowDown)
    }

    @Test func `a session that is revoked takes its device's secret with it, a sign-out does not`() throws {
        let (box, ada) = try box()
        let lost = try box.call(.none, "session.open", params(FamilyBox.password), from: Self.home)
        let kept = try box.call(.none, "session.open", params(FamilyBox.password), from: Self.home)
        _ = try box.call(ada, "session.revoke", ["session": lost["session"] ?? .null])
        _ = try box.call(try box.person(kept), "session.close")
        try guess(box, 40)
        func refusal(_ opened: JSON) throws -> Rejection.Kind? {
            try box.refusal(.none, "session.open", params("wrong", device: opened["knownDevice"]), from: Self.home)?
                .kind
        }
        #expect(try refusal(lost) == .slowDown)
        #expect(try refusal(kept) == .notSignedIn)
    }

    @Test func `of one member so many devices are known, the newest, for a year`() throws {
        let (box, _) = try box()
        var devices: [JSON] = []
        for _ in 0..<(Limits.knownDevicesPerMemberMax + 3) {
            box.clock = box.clock.adding(seconds: 1)
            devices.append(try box.call(.none, "session.open", params(FamilyBox.password), from: Self.home))
        }
        #expect(try box.count("SELECT count(*) FROM known_devices") == Int64(Limits.knownDevicesPerMemberMax))
        try guess(box, 40)
        let newest = try #require(devices.last?["knownDevice"])
        #expect(
            try box.refusal(.none, "session.open", params("wrong", device: newest), from: Self.home)?.kind
                == .notSignedIn)
        try box.wait(seconds: 366 * 86_400)
        #expect(try box.count("SELECT count(*) FROM known_devices") == 0)
    }
}
