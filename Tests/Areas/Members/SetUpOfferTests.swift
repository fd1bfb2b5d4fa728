import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMembers

/// Addresses that set a device up: good once, for ten minutes.
@Suite struct SetUpOfferTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
    }

    private func offer(_ device: String = "iPad") throws -> String {
        let made = try box.call(ada, "appPassword.offer", ["device": .string(device), "scope": "calendar"])
        #expect(made["expires"]?.instant == box.clock.adding(seconds: 600))
        return try #require(made["secret"]?.string)
    }

    private func take(_ secret: String, from address: String = "") throws -> JSON {
        try box.call(.none, "appPassword.take", ["secret": .string(secret)], from: address)
    }

    private func refusal(_ secret: String, from address: String = "") throws -> Rejection? {
        try box.refusal(.none, "appPassword.take", ["secret": .string(secret)], from: address)
    }

    private func devices() throws -> [String] {
        (try box.call(ada, "appPassword.list")["appPasswords"]?.array ?? []).compactMap { $0["device"]?.string }
    }

    @Test func `a new password ends what was offered and not taken`() throws {
        let secret = try offer()
        try box.call(
            ada, "password.change", ["old": .string(FamilyBox.password), "new": "correct horse battery staple"])
        #expect(try refusal(secret)?.kind == .notFound)
        let again = try offer("iPhone")
        try box.call(
            .machine, "password.reset",
            ["username": "ada", "password": "another horse battery staple", "keepAppPasswords": true])
        #expect(try refusal(again)?.kind == .notFound)
        #expect(try box.count("SELECT count(*) FROM app_passwords") == 0)
    }

    @Test func `a device takes its password once, and it is like any other`() throws {
        let secret = try offer()
        #expect(try devices().isEmpty && !box.holds(secret), "nothing is made before, and the secret lies nowhere")
        let taken = try take(secret)
        #expect(taken["device"] == "iPad" && taken["member"] == .id(ada.id) && taken["username"] == "ada")
        let password = try #require(taken["password"]?.string)
        #expect(try devices() == ["iPad"] && !box.holds(password))
        #expect(try refusal(secret)?.kind == .notFound)
        let device = Credential.appPassword(username: "ada", password: password)
        try box.call(device, "calendar.shelves")
        #expect(try box.refusal(device, "family.show")?.kind == .forbidden)
        let id = try #require(try box.call(ada, "appPassword.list")["appPasswords"]?.array?.first?["id"])
        try box.call(ada, "appPassword.revoke", ["appPassword": id])
        #expect(try box.refusal(device, "calendar.shelves")?.kind == .notSignedIn)
        #expect(
            try box.refusal(ada, "appPassword.offer", ["device": "x", "scope": "metrics"])?.field == "scope",
            "for calendars alone")
    }

    @Test func `after ten minutes it is good no more, and a clock that is put back prolongs nothing`() throws {
        let (first, second) = (try offer(), try offer())
        box.clock = box.clock.adding(seconds: 599)
        _ = try take(first)
        box.clock = box.clock.adding(seconds: 1)
        #expect(try refusal(second)?.kind == .notFound)
        let third = try offer()
        box.clock = box.clock.adding(seconds: -60)
        // That the clock is doubted is written down beside it.
        #expect(throws: Rejection.self) { try take(third) }
        #expect(try devices() == ["iPad"])
    }

    @Test func `only the newest five are good, and none of a member who left or of one seen in plain text`() throws {
        let all = try (0..<7).map { number in
            box.clock = box.clock.adding(seconds: 1)
            return try offer("\(number)")
        }
        #expect(try all.map { try refusal($0) == nil } == [false, false, true, true, true, true, true])
        let seen = try offer()
        try box.call(.none, "session.expose", ["topics": [.string(seen)]])
        #expect(try refusal(seen)?.kind == .notFound && box.notes.contains { $0.contains("sets a device up") })
        #expect(!box.notes.joined().contains(seen))
        let ben = try box.join("ben", by: ada)
        let made = try box.call(ben, "appPassword.offer", ["device": "x", "scope": "calendar"])
        try box.call(ben, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try refusal(try #require(made["secret"]?.string))?.kind == .notFound)
    }

    @Test func `who guesses is slowed, and a right one is taken all the same`() throws {
        let secret = try offer()
        for _ in 0..<Limits.guessesFree { #expect(try refusal("profile-guess", from: "x")?.kind == .notFound) }
        let slowed = try refusal("profile-guess", from: "x")
        #expect(slowed?.kind == .slowDown && slowed?.retryAfter != nil)
        #expect(try refusal("profile-guess", from: "y")?.kind == .notFound)
        _ = try take(secret, from: "x")
    }
}
