import KinLists
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What a list belongs to, for who sees both.
@Suite struct ListTieTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
    }

    private func meal(for audience: JSON) throws -> (id: JSON, about: JSON) {
        let made = try box.call(
            ada, "meal.put", ["title": "Soup", "date": "2026-11-24", "slot": "dinner", "audience": audience])
        let id = try #require(made["meal"]?["id"])
        return (id, .string("meal/\(id.string ?? "")"))
    }

    private func make(_ about: JSON) throws -> JSON {
        try #require(try box.call(ada, "list.add", ["name": "For the soup", "about": about])["list"]?["id"])
    }

    private func about(_ who: FamilyBox.Person, _ list: JSON) throws -> JSON? {
        try box.call(who, "list.show", ["list": list])["list"]?["about"]
    }

    @Test func `only who sees both is told what a list belongs to, and finds it by that`() throws {
        let (_, about) = try meal(for: [.id(ben.id)])
        for person in [ben, cleo] { _ = box.heard(person) }
        let list = try make(about)
        #expect(try self.about(ada, list) == about && self.about(ben, list) == about && self.about(cleo, list) == nil)
        #expect(box.types(ben) == ["list.added", "list.tied"] && box.types(cleo) == ["list.added"])
        func found(_ who: FamilyBox.Person) throws -> [JSON?] {
            (try box.call(who, "list.list", ["about": about])["lists"]?.array ?? []).map { $0["id"] }
        }
        #expect(try found(ben) == [list])
        let absent: JSON = "meal/01980000-0000-7000-8000-0000000000ff"
        for unseen in [about, absent] {
            #expect(try box.refusal(cleo, "list.list", ["about": unseen])?.kind == .notFound)
        }
        let all = try box.call(cleo, "list.list", [:])["lists"]?.array ?? []
        #expect(all.allSatisfy { $0["about"] == nil })
        // Nobody ties a list to what they do not see.
        let own = try #require(try box.call(cleo, "list.add", ["name": "Own"])["list"]?["id"])
        for unseen in [about, absent] {
            let refused = try box.refusal(cleo, "list.update", ["list": own, "about": unseen])
            #expect(refused?.kind == .notFound && refused?.field == "about")
        }
        let place: JSON = .string("list/\(own.string ?? "")")
        #expect(try box.refusal(cleo, "list.update", ["list": own, "about": place])?.kind == .invalid)
    }

    @Test func `what changes who sees the thing changes who is told`() throws {
        let entry = try #require(
            try box.call(ada, "entry.add", ["subject": "Choir", "start": "2026-11-24", "invitees": [.id(ben.id)]])[
                "entry"]?["id"])
        let about: JSON = .string("entry/\(entry.string ?? "")")
        let list = try make(about)
        #expect(try self.about(ben, list) == about && self.about(cleo, list) == nil)
        try box.call(ada, "entry.update", ["entry": entry, "invitees": [.id(cleo.id)]])
        #expect(try self.about(ben, list) == nil && self.about(cleo, list) == about)
        #expect(try self.about(ada, list) == about)
        try box.call(ada, "list.update", ["list": list, "about": .null])
        #expect(try self.about(ada, list) == nil)
    }

    @Test func `when the thing goes, the tie goes`() throws {
        let (id, about) = try meal(for: "everyone")
        let list = try make(about)
        #expect(try self.about(cleo, list) == about)
        try box.call(ada, "meal.remove", ["meal": id])
        #expect(try self.about(ada, list) == nil)
        #expect(try box.count("SELECT count(*) FROM list_ties") == 0)
        let meeting = try box.propose(by: ada, invitees: [ben])
        try box.call(ada, "list.update", ["list": list, "about": .string("meeting/\(meeting.id)")])
        #expect(try self.about(ben, list) != nil && self.about(cleo, list) == nil)
        // And with the list.
        try box.call(ada, "list.remove", ["list": list])
        #expect(try box.count("SELECT count(*) FROM list_ties") == 0)
    }
}
