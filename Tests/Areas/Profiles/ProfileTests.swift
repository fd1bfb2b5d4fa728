import KinModel
import KinProfiles
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore
@testable import KinProfiles

/// What members say of themselves is seen by whom they choose, whoever comes, moves and goes.
@Suite struct ProfileTests {
    private func add(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ kind: String, _ value: String, _ more: JSON.Object = [:]
    ) throws -> Identifier {
        var params: JSON.Object = ["kind": .string(kind), "value": .string(value)]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "profile.add", params)["entry"]?["id"]?.identifier)
    }

    private func seen(_ box: FamilyBox, _ person: FamilyBox.Person) throws -> [String] {
        let listed = (try box.call(person, "profile.list")["profiles"]?.array ?? []).compactMap { $0["value"]?.string }
        #expect(try box.fresh(person.id).profiles.values.map(\.value).sorted() == listed.sorted())
        return listed.sorted()
    }

    @Test func `an entry is seen by those it is for, and only its owner sees for whom`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gil = try box.join("gil", role: .guest, by: ada)
        _ = try add(box, ben, "about", "everyone's")
        _ = try add(box, ben, "phone", "1 household", ["audience": "household"])
        _ = try add(box, ben, "email", "me@home", ["audience": []])
        _ = try add(box, ben, "link", "gil's", ["audience": [.id(gil.id)], "label": "new"])
        #expect(try seen(box, ben) == ["1 household", "everyone's", "gil's", "me@home"])
        #expect(try seen(box, ada) == ["1 household", "everyone's"])
        #expect(try seen(box, gil) == ["1 household", "gil's"])
        let own = try box.call(ben, "profile.list", ["member": .id(ben.id)])["profiles"]?.array ?? []
        #expect(own.compactMap { $0["audience"] }.count == 4)
        let others = try box.call(ada, "profile.list", ["member": .id(ben.id)])["profiles"]?.array ?? []
        #expect(others.count == 2 && others.allSatisfy { $0["audience"] == nil })
    }

    @Test func `about and birthday are there once; another one takes the place of the one before`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let first = try add(box, ada, "birthday", "1984-02-29")
        #expect(try add(box, ada, "birthday", "--02-29") == first)
        _ = try add(box, ada, "about", "one")
        _ = try add(box, ada, "about", "two")
        _ = try add(box, ada, "phone", "1")
        _ = try add(box, ada, "phone", "2")
        #expect(try seen(box, ada) == ["--02-29", "1", "2", "two"])
        // One that takes another's place without an audience is for those the other was for.
        let near = try box.call(ada, "profile.add", ["kind": "about", "value": "three", "audience": "household"])
        let next = try box.call(ada, "profile.add", ["kind": "about", "value": "four"])
        #expect(near["entry"]?["audience"] != "everyone")
        #expect(next["entry"]?["audience"] == near["entry"]?["audience"])
    }

    @Test(arguments: [
        "1984-02-29", "--02-29", "2000-02-29", "--12-31", "0001-01-01", "2026-11-20",
    ]) func `a day that there is can be a birthday`(day: String) throws {
        let box = try FamilyBox()
        _ = try add(box, try box.found(), "birthday", day)
        #expect(Birthday(day)?.text == day)
    }

    @Test(arguments: [
        "1985-02-29", "1900-02-29", "--02-30", "--04-31", "2026-13-01", "0000-01-01", "--00-10", "1984-2-29", "",
        "-02-29",
        "2027-01-01", "1984-02-29T00", "１９８４-02-29",
    ]) func `a day that there is not, or that is to come, can be none`(day: String) throws {
        let box = try FamilyBox()
        let refusal = try box.refusal(box.found(), "profile.add", ["kind": "birthday", "value": .string(day)])
        #expect(refusal?.kind == .invalid)
    }

    @Test func `who gains sight is shown the whole, who loses it is told so, who keeps it is told what changed`() throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let cleo = try box.join("cleo", by: ada)
        let id = try add(box, ada, "phone", "1", ["audience": [.id(ben.id)]])
        for person in [ben, cleo] { _ = box.heard(person) }
        try box.call(ada, "profile.update", ["entry": .id(id), "audience": [.id(cleo.id)]])
        #expect(box.types(ben) == ["profile.hidden"])
        #expect(box.types(cleo) == ["profile.shown"])
        try box.call(ada, "profile.update", ["entry": .id(id), "value": "2"])
        #expect(box.types(ben) == [] && box.types(cleo) == ["profile.changed"])
        try box.call(ada, "profile.update", ["entry": .id(id), "value": "3", "audience": "everyone"])
        #expect(box.types(ben) == ["profile.shown"] && box.types(cleo) == ["profile.changed"])
        try box.call(ada, "profile.remove", ["entry": .id(id)])
        #expect(box.types(ben) == ["profile.removed"] && box.types(cleo) == ["profile.removed"])
    }

    @Test func `what somebody sees no longer has left the log for them, and what is removed for all`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let number = try #require(try box.keeper.roster()[ben.id]).number
        let id = try add(box, ada, "phone", "0171 quitte 1")
        try box.call(ada, "profile.update", ["entry": .id(id), "audience": []])
        let audiences = try box.store.database.rows("SELECT audience FROM log WHERE type = 'profile.added'") { row in
            row.int(0)
        }
        for audience in audiences { #expect(try !box.store.database.audience(audience).contains(number)) }
        // What stood there before has left it for everybody.
        try box.call(ada, "profile.update", ["entry": .id(id), "value": "0171 pflaume"])
        try box.wait(seconds: 60)
        #expect(try !box.holds("0171 quitte 1") && box.holds("0171 pflaume"))
        try box.call(ada, "profile.remove", ["entry": .id(id)])
        try box.wait(seconds: 60)
        #expect(try !box.holds("0171 pflaume"))
    }

    @Test func `audiences follow who joins, moves, becomes a guest and leaves`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        _ = try add(box, ada, "about", "all")
        _ = try add(box, ada, "phone", "1", ["audience": "household"])
        let cleo = try box.join("cleo", by: ada)
        #expect(try seen(box, cleo) == ["1", "all"])
        let attic = try box.foundHousehold("Attic", by: ada)
        _ = box.heard(cleo)
        try box.move(cleo, to: attic)
        #expect(box.types(cleo).filter { $0.hasPrefix("profile.") } == ["profile.hidden"])
        #expect(try seen(box, cleo) == ["all"])
        // What is for a household stays for the one it was for.
        try box.move(ada, to: attic)
        #expect(try seen(box, ben) == ["1", "all"] && seen(box, cleo) == ["all"])
        try box.call(ada, "member.setRole", ["member": .id(cleo.id), "role": "guest"])
        #expect(try seen(box, cleo) == [])
        try box.call(ada, "member.setRole", ["member": .id(cleo.id), "role": "member"])
        #expect(try seen(box, cleo) == ["all"])
        _ = try add(box, cleo, "about", "of cleo")
        _ = box.heard(ben)
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        #expect(box.types(ben).contains("profile.removed"))
        #expect(try seen(box, ben) == ["1", "all"])
        #expect(
            try box.count("SELECT count(*) FROM profile_sight WHERE entry NOT IN (SELECT number FROM profile_entries)")
                == 0)
    }

    @Test func `nobody changes what somebody else says, not even an admin`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let id = try add(box, ben, "about", "mine")
        #expect(try box.refusal(ada, "profile.update", ["entry": .id(id), "value": "yours"])?.kind == .notFound)
        #expect(try box.refusal(ada, "profile.remove", ["entry": .id(id)])?.kind == .notFound)
        #expect(try box.refusal(ben, "profile.add", ["kind": "phone", "value": "none"])?.kind == .invalid)
        #expect(try box.refusal(ben, "profile.add", ["kind": "phone", "value": "1\n2"])?.kind == .invalid)
        #expect(try box.refusal(ben, "profile.update", ["entry": .id(id), "label": "work"])?.kind == .invalid)
    }

    @Test func `a profile has so many entries and no more`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for index in 0..<Limits.profileEntriesMax { _ = try add(box, ada, "link", "\(index)") }
        #expect(try box.refusal(ada, "profile.add", ["kind": "link", "value": "x"])?.kind == .tooLarge)
    }

    @Test func `who holds a child's sharing speaks for it, and nobody else does`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, kim) = (try box.join("ben", by: ada), try box.join("kim", kind: .child, by: ada))
        try box.call(ada, "member.relate", ["member": .id(ben.id), "parentOf": .id(kim.id)])
        let said: JSON.Object = ["kind": "about", "value": "I am four.", "member": .id(kim.id), "audience": []]
        for other in [ada, ben] { #expect(try box.refusal(other, "profile.add", said)?.kind == .forbidden) }
        try box.call(ada, "sharing.hold", ["member": .id(kim.id), "hold": true])
        #expect(try box.refusal(ben, "profile.add", said)?.kind == .forbidden)
        let entry = try #require(try box.call(ada, "profile.add", said)["entry"])
        #expect(entry["member"]?.identifier == kim.id && entry["audience"] == [])
        #expect(try seen(box, kim) == ["I am four."])
        // It is the child's: the adult's own list and snapshot have what is for the adult.
        #expect(try seen(box, ada) == [])
        let listed = try box.call(ada, "profile.list", ["member": .id(kim.id)])["profiles"]?.array
        #expect(listed?.count == 1 && listed?[0]["audience"] == [])
        #expect(try box.call(ben, "profile.list", ["member": .id(kim.id)])["profiles"]?.array == [])
        let id = try #require(entry["id"])
        _ = try box.call(ada, "profile.update", ["entry": id, "audience": "household"])
        #expect(try seen(box, ben) == ["I am four."])
        #expect(try box.refusal(ben, "profile.remove", ["entry": id])?.kind == .notFound)
        try box.call(ada, "sharing.hold", ["member": .id(kim.id), "hold": false])
        #expect(try box.refusal(ada, "profile.update", ["entry": id, "value": "x"])?.kind == .notFound)
        #expect(try box.refusal(ada, "profile.add", said)?.kind == .forbidden)
        // An adult is nobody else's, whoever held what.
        #expect(
            try box.refusal(ada, "profile.add", ["kind": "link", "value": "x", "member": .id(ben.id)])?.kind
                == .forbidden)
        _ = try box.call(kim, "profile.remove", ["entry": id])
    }
}
