import KinModel
import Testing

/// A snapshot may lack parts: what lies outside its view is not there, and does not come with events.
@Suite struct SnapshotTests {
    private static let me = Identifier(high: 1, low: 1)
    private static let parts = Snapshot.namesOfViews

    private static func event(_ type: String, _ data: JSON) -> Event {
        Event(cursor: "", type: type, at: .earliest, by: me, about: "x", data: data)
    }

    /// Events that each put something into another part.
    private static let events = [
        event("household.founded", ["household": ["id": .id(me), "name": "Oak"]]),
        event("position", ["member": .id(me), "lat": 1, "lon": 2, "at": "2026-11-20T18:00:00.000Z"]),
        event("sharing.changed", ["sharing": ["state": "on"]]),
    ]

    private static func folded(_ text: [String]) -> Snapshot? {
        var all: JSON = ["family": nil, "me": .id(me)]
        let whole = Snapshot().json
        for name in text { all[name] = whole[name] }
        var snapshot = Snapshot(all)
        for event in events { snapshot?.apply(event) }
        return snapshot
    }

    @Test func `a whole snapshot has all its parts, and events change them`() {
        let snapshot = Self.folded(Self.parts)
        #expect(snapshot?.absent == [])
        #expect(snapshot?.households.count == 1 && snapshot?.positions.count == 1)
        #expect(snapshot?.json["sharing"] == ["state": "on"])
    }

    @Test(arguments: parts) func `a part that is absent stays so, and is written as it was read`(name: String) {
        let others = Self.parts.filter { $0 != name }
        let snapshot = Self.folded(others)
        #expect(snapshot?.absent == [name])
        #expect(snapshot?.json.object?.names == ["family", "me"] + others)
        #expect(snapshot.flatMap { Snapshot($0.json) } == snapshot)
    }

    @Test func `a client without a newer daemon's part reads the others, and its events change nothing`() throws {
        let known = try #require(Self.folded(Self.parts))
        var json = known.json
        json["recipes"] = [["id": .id(Self.me), "title": "Soup"]]
        var read = try #require(Snapshot(json))
        #expect(read == known && read.absent == [])
        read.apply(Self.event("recipe.added", ["recipe": ["id": .id(Self.me), "title": "Bread"]]))
        #expect(read == known)
        #expect(read.json.object?.names == known.json.object?.names)
    }

    @Test func `what is left out is gone`() {
        var snapshot = Self.folded(Self.parts)
        snapshot?.leaveOut(["positions", "sharing"])
        #expect(snapshot == Self.folded(Self.parts.filter { !["positions", "sharing"].contains($0) }))
        #expect(snapshot?.positions == [:] && snapshot?.json["sharing"] == nil)
    }

    @Test func `what happens in one area reaches the parts of others that it concerns`() {
        let other = Identifier(high: 1, low: 2)
        var snapshot = Snapshot()
        snapshot.me = Self.me
        for id in [Self.me, other] {
            snapshot.members[id] = Member(
                id: id, username: "", displayName: "Ada", role: .member, kind: .adult, household: id,
                parents: id == other ? [] : [other])
            snapshot.positions[id] = Position(member: id, lat: 1, lon: 2, at: .earliest)
        }
        snapshot.apply(Self.event("member.removed", ["member": .id(other)]))
        #expect(Set(snapshot.members.keys) == [Self.me] && snapshot.members[Self.me]?.parents == [])
        #expect(Set(snapshot.positions.keys) == [Self.me])
    }

    @Test func `snapshots that differ in any one part differ`() {
        let empty = Snapshot()
        var changed = Array(repeating: empty, count: 4)
        changed[0].family = Family(id: Self.me, name: "Oak")
        changed[1].sharing = Sharing(isOn: true, until: nil)
        changed[2].meetings[Self.me] = SeenMeeting(
            meeting: Meeting(
                id: Self.me, title: "Soup", kind: .group, host: Self.me, zone: "Etc/UTC", slots: [],
                tally: Tally()), own: OwnPart())
        changed[3].inbox = Inbox([], unread: 1)
        #expect(Set(changed + [empty]).count == 5)
    }
}
