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
        let params: JSON.Object = ["name": "For the soup", "about": about, "audience": "everyone"]
        return try #require(try box.call(ada, "list.add", params)["list"]?["id"])
    }

    /// With whom a list is shared that somebody makes for a thing, and says nothing of that.
    private func audience(_ who: FamilyBox.Person, _ about: JSON) throws -> JSON? {
        try box.call(who, "list.add", ["name": "For this", "about": about])["list"]?["audience"]
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

    @Test func `a list for a thing is for nobody who does not see that, where nobody says for whom it is`() throws {
        func entry(_ more: JSON.Object) throws -> JSON {
            var params = more
            params["subject"] = "Present"
            params["start"] = "2026-11-24"
            let id = try #require(try box.call(ada, "entry.add", params)["entry"]?["id"]?.string)
            return .string("entry/\(id)")
        }
        let calendars = try box.call(ada, "calendar.list")["calendars"]?.array ?? []
        let shared = try #require(calendars.first { $0["kind"] == "family" }?["id"])
        let own = try entry(["privacy": "private"])
        #expect(try audience(ada, own) == [])
        let invited = try entry(["privacy": "private", "calendar": shared, "invitees": [.id(ben.id)]])
        #expect(try audience(ada, invited) == [.id(ben.id)] && audience(ben, invited) == [.id(ada.id)])
        let all = try entry(["calendar": shared])
        #expect(try audience(ada, all) == "everyone" && audience(cleo, all) == "everyone")
        // Who is not told for whom it is does not hear it in this way either.
        let some = try entry(["calendar": shared, "audience": [.id(ben.id), .id(cleo.id)]])
        #expect(try audience(ada, some) == .array([ben.id, cleo.id].sorted().map { .id($0) }))
        #expect(try audience(ben, some) == [.id(ada.id)])
        #expect(try audience(ada, meal(for: "everyone").about) == "everyone")
        let soup = try meal(for: [.id(ben.id)]).about
        #expect(try audience(ada, soup) == [.id(ben.id)] && audience(ben, soup) == [])
        let meeting = try box.propose(by: ada, invitees: [ben])
        #expect(try audience(ben, .string("meeting/\(meeting.id)")) == [.id(ada.id)])
        #expect(try box.refusal(cleo, "list.add", ["name": "For this", "about": invited])?.kind == .notFound)
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
