import KinFamily
import KinKeeper
import KinModel
import KinStore
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMembers

/// A screen on a wall: a viewer of its own, which sees little and does nothing.
@Suite struct WallTests {
    private let box: FamilyBox
    private let ada, ben: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
    }

    private func add(_ name: String = "Kitchen wall", in household: Identifier? = nil) throws -> JSON {
        let household = try household ?? box.household(of: ada)
        return try box.call(ada, "wall.add", ["name": .string(name), "household": .id(household)])
    }

    private func pair(_ made: JSON) throws -> FamilyBox.Person {
        try box.person(try box.call(.none, "session.redeem", ["link": made["link"] ?? .null, "device": "tablet"]))
    }

    private func walls() throws -> [JSON] { try box.call(ben, "wall.list")["walls"]?.array ?? [] }

    @Test func `one device is paired with it at a time, and the link is good once`() throws {
        let made = try add()
        #expect(try walls().first?["pairedAt"] == nil)
        let tablet = try pair(made)
        #expect(try walls().first?["pairedAt"]?.instant == box.clock)
        #expect(try box.refusal(.none, "session.redeem", ["link": made["link"] ?? .null])?.kind == .notFound)
        let again = try box.call(ada, "session.link", ["member": .id(tablet.id)])
        // A screen has no password.
        let withPassword: JSON.Object = ["link": again["link"] ?? .null, "password": .string(FamilyBox.password)]
        #expect(try box.refusal(.none, "session.redeem", withPassword)?.field == "password")
        let other = try pair(again)
        #expect(other.id == tablet.id)
        #expect(box.revocations.contains(.session(tablet.session)))
        #expect(try box.refusal(tablet, "position.latest")?.kind == .notSignedIn)
        #expect(try box.refusal(other, "position.latest") == nil)
    }

    @Test func `it calls no command, and asks for nothing but what it shows`() throws {
        let tablet = try pair(try add())
        for method in box.keeper.registry.methods.values where method.access.contains(.wall) {
            #expect(method.sort == .query, "\(method.name)")
        }
        for method in ["activity.say", "activity.list", "room.list", "sharing.looks", "member.list", "session.close"]
        where box.keeper.registry.methods[method] != nil {
            #expect(try box.refusal(tablet, method)?.kind == .forbidden, "\(method)")
        }
    }

    @Test(arguments: [nil, "all", "activity,chat,map", "posts"] as [String?])
    func `whatever view it asks for, it follows people, the map and meetings`(view: String?) throws {
        let tablet = try pair(try add())
        try box.call(tablet, "live.follow", ["since": .null, "view": view.map { .string($0) } ?? .null])
        guard case .follow(let follow) = box.effect else {
            Issue.record("it does not follow")
            return
        }
        let all = ["map", "meetings", "members"]
        let asked = view.map { $0.split(separator: ",").map { String($0) } } ?? ["all"]
        #expect(Set(follow.view.areas ?? ["everything"]) == Set(asked == ["all"] ? all : all.filter(asked.contains)))
    }

    @Test func `nobody is told anything by it: it has no inbox, no part in meetings, no relations and no role`() throws
    {
        let tablet = try pair(try add())
        // Everybody else reads in the inbox who joined.
        _ = try box.join("cleo", by: ada)
        let lines = try box.store.database.first("SELECT count(*) FROM inbox WHERE member = ?", .id(tablet.id)) { row in
            row.int(0)
        }
        #expect(lines == 0)
        let wall = JSON.id(tablet.id)
        let start = box.clock.adding(days: 3)
        let slot: JSON = ["start": .time(start), "end": .time(start.adding(seconds: 3600))]
        let meeting: JSON.Object = [
            "title": "Dinner", "kind": "group", "zone": "UTC", "slots": [slot], "invitees": [wall],
        ]
        #expect(try box.refusal(ben, "meeting.propose", meeting)?.kind == .invalid)
        let entry: JSON.Object = ["subject": "Dinner", "start": "2027-03-02T19:30", "zone": "UTC", "invitees": [wall]]
        #expect(try box.refusal(ben, "entry.add", entry)?.kind == .invalid)
        #expect(try box.refusal(ada, "member.setRole", ["member": wall, "role": "admin"])?.kind == .invalid)
        #expect(try box.refusal(ada, "member.update", ["member": wall, "kind": "adult"])?.kind == .invalid)
        #expect(try box.refusal(ada, "member.relate", ["member": wall, "partnerOf": .id(ben.id)])?.kind == .invalid)
        #expect(try box.refusal(ben, "member.update", ["member": wall, "displayName": "Mine"])?.kind == .forbidden)
        try box.call(ada, "member.update", ["member": wall, "displayName": "Hall"])
        #expect(try walls().first?["name"] == "Hall")
        let alarm = try box.call(ben, "alarm.raise", ["kind": "come", "text": "Help me carry"])
        #expect(!alarm.text.contains(tablet.id.description))
    }

    @Test func `it is nobody who hears or may vote`() throws {
        _ = try add()
        let said = try box.call(ada, "activity.say", ["text": "Soup"])
        #expect(said["saying"]?["told"] == 1)
        let slot: JSON = [
            "start": .time(box.clock.adding(days: 2)), "end": .time(box.clock.adding(days: 2).adding(seconds: 3600)),
        ]
        let proposed = try box.call(
            ada, "meeting.propose",
            ["title": "Cinema", "kind": "public", "slots": [slot], "zone": "Europe/Berlin"])
        #expect(proposed["voters"] == 1)
    }

    @Test func `admins alone add one, and no password opens it`() throws {
        let household = JSON.id(try box.household(of: ben))
        #expect(try box.refusal(ben, "wall.add", ["name": "Mine", "household": household])?.kind == .forbidden)
        let made = try add()
        let username = made["member"]?["username"]?.string ?? ""
        let reset: JSON.Object = ["username": .string(username), "password": .string(FamilyBox.password)]
        #expect(try box.refusal(.machine, "password.reset", reset)?.kind == .notFound)
        for number in 2...Limits.wallsMax { _ = try add("Wall \(number)") }
        #expect(throws: Rejection.self) { try add("One too many") }
    }

    @Test func `it goes with the household that nobody lives in any more`() throws {
        let mill = try box.foundHousehold("Barn", by: ada)
        let cleo = try box.join("cleo", into: mill, by: ada)
        let tablet = try pair(try add("Barn wall", in: mill))
        #expect(try box.refusal(tablet, "position.latest") == nil)
        try box.call(ada, "member.remove", ["member": .id(cleo.id), "keep": "delete"])
        #expect(try walls().isEmpty)
        #expect(box.revocations.contains(.member(tablet.id)))
        let households = try box.call(ada, "family.show")["households"]?.array ?? []
        #expect(!households.contains { $0["id"]?.identifier == mill })
    }

    @Test func `a position is shown on it when whoever shares it says so, and who looked names it`() throws {
        try box.call(ben, "sharing.set", ["state": "on"])
        let spot: JSON.Object = ["lat": 45.28, "lon": 13.72, "accuracy": 5, "at": .time(box.clock)]
        try box.call(ben, "position.report", spot)
        let tablet = try pair(try add())
        func dots() throws -> [Identifier] {
            (try box.call(tablet, "position.latest")["positions"]?.array ?? []).compactMap { $0["member"]?.identifier }
        }
        #expect(try dots() == [])
        let waiting = try box.call(ben, "sharing.show")["sharing"]?["waiting"]?.array ?? []
        #expect(waiting.map { $0["id"]?.identifier } == [tablet.id])
        try box.call(ben, "sharing.admit", ["viewer": .id(tablet.id), "admit": true])
        #expect(try dots() == [ben.id])
        let looks = try box.call(ben, "sharing.looks")["looks"]?.array ?? []
        #expect(looks.contains { $0["viewer"]?.identifier == tablet.id })
        let seenBy = try box.call(ben, "sharing.show")["sharing"]?["seenBy"]?.array ?? []
        #expect(seenBy.contains { $0["displayName"] == "Kitchen wall" })
        try box.call(ben, "sharing.admit", ["viewer": .id(tablet.id), "admit": false])
        #expect(try dots() == [])
    }

    @Test func `whether a child is shown on it its holder decides, and not the child`() throws {
        let kim = try box.join("kim", kind: .child, by: ada)
        try box.call(ada, "member.relate", ["member": .id(ada.id), "parentOf": .id(kim.id)])
        try box.call(ada, "sharing.hold", ["member": .id(kim.id), "hold": true])
        let seers = try box.call(ada, "sharing.show", ["member": .id(kim.id)])["sharing"]?["seenBy"]?.array ?? []
        try box.call(
            ada, "sharing.set",
            ["member": .id(kim.id), "state": "on", "confirms": .array(seers.compactMap { $0["id"] })])
        try box.call(kim, "position.report", ["lat": 45.28, "lon": 13.72, "accuracy": 5, "at": .time(box.clock)])
        let tablet = try pair(try add())
        func dots() throws -> [Identifier] {
            (try box.call(tablet, "position.latest")["positions"]?.array ?? []).compactMap { $0["member"]?.identifier }
        }
        #expect(try dots() == [])
        let waiting = try box.call(ada, "sharing.show", ["member": .id(kim.id)])["sharing"]?["waiting"]?.array ?? []
        #expect(waiting.map { $0["id"]?.identifier } == [tablet.id], "the holder is asked")
        // The child itself admits nobody, and nobody else does it in its place.
        let admit: JSON.Object = ["viewer": .id(tablet.id), "admit": true]
        #expect(try box.refusal(kim, "sharing.admit", admit)?.kind == .forbidden)
        let forKim: JSON.Object = ["member": .id(kim.id), "viewer": .id(tablet.id), "admit": true]
        #expect(try box.refusal(ben, "sharing.admit", forKim) != nil)
        #expect(try box.refusal(tablet, "sharing.admit", forKim)?.kind == .forbidden)
        #expect(try dots() == [])
        try box.call(ada, "sharing.admit", forKim)
        #expect(try dots() == [kim.id])
        try box.call(ada, "sharing.admit", ["member": .id(kim.id), "viewer": .id(tablet.id), "admit": false])
        #expect(try dots() == [])
    }
}
