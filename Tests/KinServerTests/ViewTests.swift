import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinSimulation
import Testing

@testable import KinServer
@testable import KinServerBox

/// A view chooses the parts of a snapshot: nothing is said of what lies outside it.
@Suite struct ViewTests {
    private let box: Box

    init() throws { box = try Box.family() }

    /// The parts of a snapshot by the words of views.
    private static let parts = Registry.family.areas.reduce(into: [String: [String]]()) { parts, area in
        if let view = area.view { parts[view, default: []] += area.snapshot.map(\.name) }
    }

    private func snapshot(_ view: String?, of name: String = "ben") throws -> JSON {
        let client = try box.line(name)
        let params = JSON.object(leavingOut: ["since": .null, "view": view.map { .string($0) }])
        return try #require(try client.result("live.follow", params)["snapshot"])
    }

    @Test(arguments: ["activity", "map", "meetings", "members", "activity,map", "all"])
    func `what is outside the view is absent`(view: String) throws {
        let client = try box.line("ben")
        _ = try client.result("sharing.set", ["state": "on"])
        _ = try client.result(
            "position.report", ["lat": 1, "lon": 2, "at": .time(Instant(milliseconds: box.time.wallMilliseconds()))])
        let asked = view == "all" ? Array(Self.parts.keys) : view.split(separator: ",").map { String($0) }
        let snapshot = try snapshot(view)
        let names = Set(snapshot.object?.names ?? [])
        #expect(names == Set(["family", "me"] + asked.flatMap { Self.parts[$0] ?? [] }))
        #expect(snapshot["sharing"].map { $0["state"] == "on" } ?? true)
        #expect(snapshot["positions"].map { $0.array?.count == 1 } ?? true)
        // Our own reading keeps what is absent apart from what is empty.
        #expect(Snapshot(snapshot)?.json == snapshot)
    }

    /// A client from before there were parts and views names none, and reads one whole message.
    @Test func `an old client, which knows nothing of parts, is answered all of them, and follows from there`() throws {
        let old = try box.line("ben")
        let followed = try old.result("live.follow")
        #expect(followed["snapshot"] == (try snapshot("all")))
        let names = Set(followed["snapshot"]?.object?.names ?? [])
        #expect(names == Set(["family", "me"] + Self.parts.values.flatMap(\.self)))
        _ = try box.line("ada").result("activity.announce", ["text": "Dinner"])
        #expect(try old.heardTypes().contains(Inbox.announced.name))
        // It comes back with its cursor, as it went.
        let again = try box.line("ben").result("live.follow", ["since": followed["cursor"] ?? .null])
        #expect(again["mode"] == "replay" && again["snapshot"]?.isNull ?? true)
    }

    @Test func `every part belongs to a view, or is in each`() {
        for area in Registry.family.areas where !area.snapshot.isEmpty { #expect(area.view != nil, "\(area.name)") }
        #expect(Self.parts["map"].map { Set($0) } == ["positions", "sharing", "places"])
        #expect(Self.parts["activity"] == ["inbox"])
        #expect(Registry.family.areas.flatMap(\.everySnapshot).map(\.name) == ["family", "me"])
    }

    @Test func `a newer area's name in a view is refused with a sentence, and nothing is followed`() throws {
        let client = try box.line("ben")
        let id = client.postCall("live.follow", ["since": nil, "view": "meetings,recipes"])
        try box.settle()
        let error = try #require(try client.messages().first { $0["id"]?.int == id }?["error"])
        #expect(error["code"] == 1422 && error["data"]?["field"] == "view")
        let views = (["all"] + Self.parts.keys.sorted()).joined(separator: ", ")
        #expect(error["message"] == .string("There is no view recipes; there are: \(views)."))
        _ = try client.result("activity.read", ["upTo": "2026-11-20T18:00:00.000Z"])
        #expect(try client.heardTypes() == [])
    }
}
