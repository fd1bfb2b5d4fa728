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

/// Whoever gains sight of what others share is shown it, and whoever loses sight is told so, whatever the cause.
@Suite struct SharedWithTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let bob: FamilyBox.Person
    private let hill: Identifier

    /// Ada and Bob live in the Mill; the household on the Hill waits for its first members.
    init() throws {
        box = try FamilyBox(registry: Letters.registry)
        ada = try box.found()
        bob = try box.join("bob", by: ada)
        hill = try box.foundHousehold("Hill", by: ada)
        _ = box.heard(ada)
        _ = box.heard(bob)
    }

    /// Ada writes a letter, which tells who sees it.
    private func write(_ audience: JSON) throws -> Identifier {
        let letter = try #require(try box.call(ada, "letter.write", ["audience": audience])["letter"]?.identifier)
        _ = told(ada)
        return letter
    }

    private func share(_ letter: Identifier, _ audience: JSON) throws {
        try box.call(ada, "letter.share", ["letter": .id(letter), "audience": audience])
    }

    /// What somebody was told of letters since the last time, as `shown` and `hidden`.
    private func told(_ who: FamilyBox.Person) -> [String] {
        box.heard(who).map(\.type).filter { $0.hasPrefix("letter.") }.map { String($0.dropFirst("letter.".count)) }
    }

    /// Who sees a letter, as it is written down.
    private func seers(_ letter: Identifier) throws -> Set<Identifier> {
        Set(
            try box.store.database.rows(
                "SELECT s.member FROM letter_sight s JOIN letters l ON l.number = s.letter WHERE l.id = ?", .id(letter)
            ) { row in row.identifier(0) })
    }

    private func audience(_ letter: Identifier) throws -> JSON? {
        try box.call(ada, "letter.show", ["letter": .id(letter)])["audience"]
    }

    @Test(
        arguments: [
            ("everyone", Role.member, true), ("everyone", .guest, false), ("household", .member, true),
            ("household", .guest, true), ([], .member, false),
        ] as [(JSON, Role, Bool)])
    func `who joins sees what is for them`(audience: JSON, role: Role, sees: Bool) throws {
        let letter = try write(audience)
        let eve = try box.join("eve", role: role, by: ada)
        #expect(try seers(letter).contains(eve.id) == sees)
        #expect(told(ada) == [] && told(bob) == (audience == [] ? [] : ["shown"]))
    }

    @Test func `who moves out sees what was for the household no longer, and who moves in sees it`() throws {
        let letter = try write("household")
        #expect(told(bob) == ["shown"])
        try box.move(bob, to: hill)
        #expect(told(bob) == ["hidden"])
        #expect(try seers(letter) == [ada.id])
        try box.move(bob, to: try box.household(of: ada))
        #expect(told(bob) == ["shown"])
        #expect(told(ada) == [])
    }

    @Test func `a letter stays with the household it was for when its owner moves`() throws {
        let letter = try write("household")
        _ = told(bob)
        try box.move(ada, to: hill)
        #expect(told(bob) == [] && told(ada) == [])
        #expect(try seers(letter) == [ada.id, bob.id])
    }

    @Test func `a guest is shown what is for everyone on becoming a member, and loses it on becoming a guest`() throws {
        let eve = try box.join("eve", role: .guest, by: ada)
        let letter = try write("everyone")
        #expect(told(eve) == [])
        try box.call(ada, "member.setRole", ["member": .id(eve.id), "role": "member"])
        #expect(told(eve) == ["shown"])
        #expect(try seers(letter).contains(eve.id))
        try box.call(ada, "member.setRole", ["member": .id(eve.id), "role": "guest"])
        #expect(told(eve) == ["hidden"])
        #expect(try !seers(letter).contains(eve.id))
    }

    @Test func `another role that is no guest's changes nothing`() throws {
        _ = try write("everyone")
        #expect(told(bob) == ["shown"])
        try box.call(ada, "member.setRole", ["member": .id(bob.id), "role": "head"])
        #expect(told(bob) == [])
    }

    @Test func `who is named is shown it, guests too, and stays so wherever they live and whatever they are`() throws {
        let eve = try box.join("eve", role: .guest, by: ada)
        let letter = try write([.id(eve.id)])
        #expect(told(eve) == ["shown"] && told(bob) == [])
        try box.move(eve, to: hill)
        try box.call(ada, "member.setRole", ["member": .id(eve.id), "role": "member"])
        #expect(told(eve) == [])
        #expect(try seers(letter) == [ada.id, eve.id])
    }

    @Test func `who is removed is named no more and sees nothing, and others are told nothing`() throws {
        let eve = try box.join("eve", by: ada)
        let letter = try write([.id(bob.id), .id(eve.id)])
        _ = told(bob)
        try box.call(ada, "member.remove", ["member": .id(eve.id), "keep": "delete"])
        #expect(try seers(letter) == [ada.id, bob.id])
        #expect(try audience(letter) == [.id(bob.id)])
        #expect(told(bob) == [] && told(ada) == [])
        #expect(try box.count("SELECT count(*) FROM letter_members") == 1)
    }

    @Test func `another audience shows and hides for those alone who gain and lose`() throws {
        let eve = try box.join("eve", role: .guest, by: ada)
        let letter = try write("everyone")
        #expect(told(bob) == ["shown"] && told(eve) == [])
        try share(letter, [.id(eve.id)])
        #expect(told(bob) == ["hidden"] && told(eve) == ["shown"] && told(ada) == [])
        try share(letter, "household")
        #expect(told(bob) == ["shown"] && told(eve) == [])
        try share(letter, "household")
        #expect(told(bob) == [] && told(eve) == [])
        try share(letter, [])
        #expect(told(bob) == ["hidden"] && told(eve) == ["hidden"] && told(ada) == [])
        #expect(try seers(letter) == [ada.id])
    }

    @Test func `what was for a household that is gone is the owner's alone`() throws {
        try box.move(ada, to: hill)
        let letter = try write("household")
        // It goes with the last who lived there.
        try box.move(ada, to: try box.household(of: bob))
        #expect(try audience(letter) == [])
        #expect(try seers(letter) == [ada.id])
    }

    @Test func `whoever is named has to be in sight`() throws {
        let nobody = Identifier(high: 1, low: 1)
        let refusal = try box.refusal(ada, "letter.write", ["audience": [.id(nobody)]])
        #expect(refusal?.kind == .notFound && refusal?.field == "audience")
        #expect(try box.refusal(ada, "letter.write", ["audience": "nobody"])?.field == "audience")
    }

    @Test func `the wire has the words it was given, and each member once`() throws {
        for word in ["everyone", "household"] as [JSON] { #expect(try audience(try write(word)) == word) }
        #expect(try audience(try write([.id(bob.id), .id(bob.id)])) == [.id(bob.id)])
    }
}
