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

@Suite struct MembersSlowdownTests {
    private func open(
        _ box: FamilyBox, _ username: String, _ password: String, from address: String
    ) throws -> Rejection? {
        try box.refusal(
            .none, "session.open", ["username": .string(username), "password": .string(password)], from: address)
    }

    /// Wrong passwords need no real check here: that takes a fifth of a second each.
    private func box() throws -> (FamilyBox, FamilyBox.Person) {
        let box = try FamilyBox()
        let ada = try box.found()
        box.substitute = { work in
            guard case PasswordWork.checkPassword(let password, let encoded) = work, password != FamilyBox.password
            else {
                return nil
            }
            return .passwordMatched(false, encoded: encoded)
        }
        return (box, ada)
    }

    @Test func `failures are slowed ever more, and time heals`() throws {
        let (box, _) = try box()
        for _ in 0..<5 { #expect(try open(box, "ada", "wrong", from: "203.0.113.5")?.kind == .notSignedIn) }
        var waits: [Int] = []
        for _ in 0..<12 {
            let refused = try open(box, "ada", "wrong", from: "203.0.113.5")
            #expect(refused?.kind == .slowDown)
            let wait = try #require(refused?.retryAfter)
            waits.append(wait)
            box.clock = box.clock.adding(seconds: Int64(wait))
            #expect(try open(box, "ada", "wrong", from: "203.0.113.5")?.kind == .notSignedIn)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
        box.clock = box.clock.adding(seconds: 900)
        #expect(try open(box, "ada", FamilyBox.password, from: "203.0.113.5") == nil)
        // Right once, and the pair starts afresh.
        #expect(try open(box, "ada", "wrong", from: "203.0.113.5")?.kind == .notSignedIn)
    }

    @Test func `while it is slowed even the right password is not looked at`() throws {
        let (box, _) = try box()
        for _ in 0..<5 { _ = try open(box, "ada", "wrong", from: "203.0.113.5") }
        let before = box.works.count
        #expect(try open(box, "ada", FamilyBox.password, from: "203.0.113.5")?.kind == .slowDown)
        #expect(box.works.count == before)
    }

    @Test func `nobody locks a parent out of a device of their own, wherever they try`() throws {
        let (box, _) = try box()
        let own = try open(box, nil, from: "203.0.113.9")
        // From a hundred addresses at once, the own one among them.
        for number in 0..<100 { _ = try open(box, "ada", "wrong", from: "198.51.100.\(number)") }
        for _ in 0..<40 { _ = try open(box, "ada", "wrong", from: "203.0.113.9") }
        #expect(try open(box, "ada", FamilyBox.password, from: "203.0.113.9")?.kind == .slowDown)
        // But it answers for its own tries.
        for _ in 0..<5 { #expect(try open(box, "wrong", showing: own)?.kind == .notSignedIn) }
        #expect(try open(box, FamilyBox.password, showing: own)?.kind == .slowDown)
        box.clock = box.clock.adding(seconds: 1)
        #expect(try open(box, FamilyBox.password, showing: own) == nil)
    }

    @Test func `one address that tries many accounts is slowed for all but known devices`() throws {
        let (box, ada) = try box()
        _ = try box.join("ben", by: ada)
        let own = try open(box, nil, from: "203.0.113.5")
        for number in 0..<20 {
            #expect(try open(box, "user\(number)", "wrong", from: "203.0.113.5")?.kind == .notSignedIn)
        }
        #expect(try open(box, "ben", FamilyBox.password, from: "203.0.113.5")?.kind == .slowDown)
        #expect(try open(box, FamilyBox.password, showing: own) == nil)
        #expect(try open(box, "ben", FamilyBox.password, from: "192.0.2.1") == nil)
    }

    /// Ada signs in; answers what the device is known by.
    private func open(_ box: FamilyBox, _ device: JSON?, from address: String) throws -> JSON {
        var params: JSON.Object = ["username": "ada", "password": .string(FamilyBox.password)]
        if let device { params["knownDevice"] = device }
        return try #require(try box.call(.none, "session.open", params, from: address)["knownDevice"])
    }

    private func open(_ box: FamilyBox, _ password: String, showing device: JSON) throws -> Rejection? {
        try box.refusal(
            .none, "session.open", ["username": "ada", "password": .string(password), "knownDevice": device],
            from: "203.0.113.5")
    }

    @Test func `the answer and the work are the same whether or not the account exists`() throws {
        let (box, _) = try box()
        var answers: [[Rejection?]] = []
        var works: [Int] = []
        for username in ["ada", "nobody"] {
            let before = box.works.count
            answers.append(try (0..<8).map { _ in try open(box, username, "wrong", from: "203.0.113.5") })
            works.append(box.works.count - before)
        }
        #expect(answers[0] == answers[1])
        #expect(works[0] == works[1] && works[0] == 5)
        for work in box.works.suffix(10) {
            guard case PasswordWork.checkPassword(_, let encoded) = work else { throw Rejection(.parse, "other work") }
            // The same costs of scrypt, so the same time.
            #expect(encoded.hasPrefix("$scrypt$ln=15,r=8,p=3$"))
        }
    }

    @Test func `many tries at once count from their beginning`() throws {
        let (box, _) = try box()
        let origin = Origin(addressKey: "203.0.113.5")
        let tries = (0..<10).map { _ in
            box.request(.none, "session.open", ["username": "ada", "password": "wrong"], nil, origin)
        }
        let commit = box.keeper.turn(tries, clock: box.reading)
        let taken = commit.replies.filter { if case .later = $0.effect { true } else { false } }
        #expect(taken.count == 5)
    }

    @Test func `the old password cannot be guessed from a stolen session`() throws {
        let (box, ada) = try box()
        box.substitute = { work in
            guard case PasswordWork.changePassword(_, let encoded, _, _, _) = work else { return nil }
            return .passwordMatched(false, encoded: encoded)
        }
        let params: JSON.Object = ["old": "wrong", "new": "walnut-harbour-tulip-9"]
        for _ in 0..<5 { #expect(try box.refusal(ada, "password.change", params)?.field == "old") }
        #expect(try box.refusal(ada, "password.change", params)?.kind == .slowDown)
    }

    @Test func `a flood of made-up names neither grows the memory nor washes out an account under attack`() throws {
        let slowdown = SignInSlowdown()
        let now = FamilyBox.start
        for number in 0..<40 {
            _ = slowdown.begin(account: "ada", by: .stranger(address: "a\(number)"), now: now)
        }
        for number in 0..<10_000 {
            _ = slowdown.begin(
                account: "x\(number)", by: .stranger(address: "b\(number)"), now: now.adding(seconds: 1))
        }
        #expect(slowdown.failures.count <= Limits.signInFailuresMax)
        #expect(slowdown.begin(account: "ada", by: .stranger(address: "new"), now: now) != nil)
        #expect(slowdown.begin(account: "ada", by: .own("device"), now: now) == nil)
    }
}

extension MembersSlowdownTests {
    @Test(arguments: ["192.0.2.1", "203.0.113.5"])
    func `where the family is at home and elsewhere, trying names tells none that is somebody's`(address: String) throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        _ = try box.join("ben", by: ada, from: "192.0.2.2")
        box.substitute = { work in
            if case PasswordWork.checkPassword(_, let encoded) = work {
                .passwordMatched(false, encoded: encoded)
            } else {
                nil
            }
        }
        // Twenty-five made-up names, then real and made-up ones side by side, often.
        for number in 0..<25 { _ = try wrong(box, "user\(number)", address) }
        var answers: [String: [Rejection?]] = [:]
        for _ in 0..<8 {
            for username in ["ada", "ben", "zoe"] {
                answers[username, default: []].append(try wrong(box, username, address))
            }
        }
        #expect(answers["ada"]?.map(\.?.message) == answers["zoe"]?.map(\.?.message))
        #expect(answers["ben"]?.map(\.?.message) == answers["zoe"]?.map(\.?.message))
    }

    private func wrong(_ box: FamilyBox, _ username: String, _ address: String) throws -> Rejection? {
        try box.refusal(
            .none, "session.open", ["username": .string(username), "password": "wrong"], from: address)
    }
}
