import KinActivity
import KinCodec
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

/// Each area's part of a snapshot stays below a bound of its own, and says so where more is in sight than there is room
/// for.
@Suite struct SnapshotBudgetTests {
    /// A keeper alone: nobody follows, so that hundreds of members cost little.
    private final class Crowd {
        let store: Store
        let keeper: Keeper
        private let disk: FaultVFS
        let now = FamilyBox.start
        var tickets: UInt64 = 0

        init() throws {
            disk = FaultVFS.register(name: "crowd-\(UInt64.random(in: 0 ... .max))")
            store = try Store(
                directory: "/crowd", migrations: Registry.family.migrations, now: now, files: .memory(disk))
            keeper = try Keeper(store: store, registry: .family)
        }

        @discardableResult
        func call(_ who: Credential, _ method: String, _ params: JSON.Object) throws -> JSON {
            tickets += 1
            var request = Request(
                ticket: Ticket(connection: 1, sequence: tickets), credential: who, method: method, params: params)
            var commit = keeper.turn([request], clock: now)
            if case .later? = commit.replies.first?.effect {
                request.work = .passwordHash("hash", replacing: nil)
                commit = keeper.turn([request], clock: now)
            }
            return try JSON.parse(try #require(commit.replies.first).result.get())
        }

        func refusal(_ who: Credential, _ method: String, _ params: JSON.Object) -> Rejection? {
            do {
                try call(who, method, params)
                return nil
            } catch { return error as? Rejection }
        }

        func snapshot(_ member: Identifier) throws -> Snapshot {
            let view = try View.read(nil, of: Registry.family.views, for: member).0
            return try #require(
                try Registry.family.snapshot(for: member, view: view, in: try store.reader())?.snapshot)
        }
    }

    /// 64 characters, four bytes each.
    private static let longName = String(repeating: "\u{1F98A}", count: 64)

    @Test func `each area bounds its part of a snapshot, at 256 KiB or below`() {
        #expect(Limits.snapshotPartBytesMax == 256 << 10)
        for area in Registry.family.areas where !area.snapshot.isEmpty {
            #expect((1...Limits.snapshotPartBytesMax).contains(area.snapshotBytesMax), "\(area.name)")
        }
        #expect(Inbox.bytesMax < Activity.area.snapshotBytesMax)
    }

    /// An area's part that holds a text.
    private struct Small: SnapshotPart {
        var text = ""
        static let names = ["small"]
        init() {}
        init(_ snapshot: JSON) {}
        func json(_ name: String) -> JSON { .string(text) }
        mutating func clear(_ name: String) { text = "" }
        mutating func apply(_ event: Event, of me: Identifier?) {}
    }

    /// The family with an area that has room for so many bytes of a snapshot, and wants ten.
    private static func registry(_ bytesMax: Int) -> Registry {
        .family.adding(
            Area(
                "Small", view: "small", tables: [], migrations: [], methods: [], events: [],
                snapshot: [.required("small", .text(max: 99))], snapshotBytesMax: bytesMax,
                show: { (_, _, snapshot) throws(StoreFailure) in
                    snapshot[Small.self].text = "12345678"
                    snapshot.sharing = .off
                    snapshot.more = ["small"]
                }))
    }

    @Test func `a part that outgrows its bound is left out and said to be, and leaves the others as they are`() throws {
        let crowd = try Crowd()
        let founded = try crowd.call(
            .machine, "family.found",
            ["name": "Oak", "household": "Hill", "username": "ada", "password": "x", "displayName": "Ada"])
        let ada = try #require(founded["member"]?["id"]?.identifier)
        func written(_ registry: Registry, view word: String? = nil) throws -> (json: JSON, outgrown: [String]) {
            let view = try View.read(word, of: registry.views, for: ada).0
            var pieces: [[UInt8]] = []
            let summary = try registry.writeSnapshot(for: ada, view: view, in: try crowd.store.reader()) {
                pieces.append($0)
            }
            #expect(summary?.position == crowd.store.log.position && pieces.count > 1)
            return (try JSON.parse(pieces.flatMap { $0 }), try #require(summary).outgrown)
        }
        let whole = try crowd.snapshot(ada).json
        #expect(try written(.family).json == whole)
        let fits = try written(Self.registry(10))
        #expect(fits.json["small"] == "12345678" && fits.json["more"] == ["small"] && fits.outgrown == [])
        let outgrown = try written(Self.registry(9))
        #expect(outgrown.json["small"] == nil && outgrown.json["more"] == ["small"] && outgrown.outgrown == ["Small"])
        #expect(outgrown.json["inbox"] == whole["inbox"] && outgrown.json["sharing"] == whole["sharing"])
        // Outside its view it is neither there nor missed.
        let elsewhere = try written(Self.registry(9), view: "activity")
        #expect(elsewhere.json.object?.names == ["family", "me", "inbox"] && elsewhere.outgrown == [])
        // Whoever reads it knows that a part is not there: events put nothing into it that would look like all of it.
        #expect(Snapshot(elsewhere.json)?.absent.contains("households") == true)
    }

    @Test func `two areas with a part of one name, or one without a bound, do not start`() async {
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(
                Area(
                    "Other", tables: [], migrations: [], methods: [], events: [],
                    snapshot: [.required("places", .any)], snapshotBytesMax: 10))
        }
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(
                Area(
                    "Other", tables: [], migrations: [], methods: [], events: [], snapshot: [.required("other", .any)]))
        }
        await #expect(processExitsWith: .failure) {
            _ = Registry.family.adding(
                Area(
                    "Other", tables: [], migrations: [], methods: [], events: [], snapshot: [.required("other", .any)],
                    snapshotBytesMax: Limits.snapshotPartBytesMax + 1))
        }
    }

    @Test func `the largest family that can be made stays below the shares`() throws {
        let crowd = try Crowd()
        let founded = try crowd.call(
            .machine, "family.found",
            [
                "name": .string(Self.longName), "household": .string(Self.longName), "username": "ada",
                "password": "x", "displayName": .string(Self.longName),
            ])
        let household = try #require(founded["household"]?["id"])
        let ada = try #require(founded["member"]?["id"]?.identifier)
        var members = [ada]
        var refused: Rejection?
        while refused == nil, members.count < Limits.membersMax {
            let params: JSON.Object = [
                "username": .string("member-of-a-rather-long-name-\(members.count)"), "password": "x",
                "displayName": .string(Self.longName), "household": household, "role": "member", "kind": "adult",
            ]
            do {
                let made = try crowd.call(.machine, "member.add", params)
                members.append(try #require(made["member"]?["id"]?.identifier))
            } catch { refused = error as? Rejection }
        }
        #expect(refused?.kind == .tooLarge)
        #expect(members.count > 120)
        // Nothing else makes it larger now; what makes it no larger goes on, and roles above all.
        let last = try #require(members.last)
        let shorter: JSON.Object = ["member": .id(last), "displayName": "Zoe"]
        // A household takes less than a member: a few may fit into what is left.
        var households = 0
        var full: Rejection?
        while full == nil, households < 4 {
            full = crowd.refusal(.machine, "household.found", ["name": .string(Self.longName), "stay": true])
            if full == nil { households += 1 }
        }
        #expect(full?.kind == .tooLarge)
        var relations = 0
        while relations < 40,
            crowd.refusal(
                .machine, "member.relate", ["member": .id(members[relations]), "parentOf": .id(members[relations + 1])])
                == nil
        { relations += 1 }
        #expect(relations < 40)
        #expect(crowd.refusal(.machine, "member.setRole", ["member": .id(last), "role": "guest"]) == nil)
        #expect(crowd.refusal(.machine, "member.setRole", ["member": .id(last), "role": "member"]) == nil)

        // Everybody shares, at a place with as many digits as there are: who does is not counted by anybody else.
        for member in members {
            #expect(crowd.refusal(.machineAs(member), "sharing.set", ["state": "on"]) == nil)
            _ = try crowd.call(
                .machineAs(member), "position.report",
                [
                    "lat": -12.345678901234567, "lon": -123.45678901234567, "at": .time(crowd.now),
                    "accuracy": 1234.5678901234567, "altitude": -123.45678901234567, "speed": 123.45678901234567,
                    "course": 123.45678901234567, "battery": 12.345678901234567, "charging": false, "moving": false,
                ])
        }
        let whole = try crowd.snapshot(last)
        #expect((110..<members.count).contains(whole.positions.count) && whole.more == ["positions"])
        #expect(whole.positions[last] != nil)
        #expect(Snapshot(whole.json) == whole)
        var family = whole
        family.positions = [:]
        // Rooms have a share of their own.
        family.rooms = [:]
        #expect(family.json.bytes.count <= Limits.membersSnapshotBytesMax)
        var map = Snapshot()
        map.positions = whole.positions
        #expect(map.json.bytes.count <= Limits.mapSnapshotBytesMax)
        #expect(whole.json.bytes.count <= Limits.membersSnapshotBytesMax + Limits.mapSnapshotBytesMax)
        // The rest is listed.
        let listed = try crowd.call(.machineAs(last), "position.latest", [:])["positions"]?.array
        #expect(listed?.count == members.count)
        // Where fewer share, all are there again.
        for member in members.dropFirst(60) {
            _ = try crowd.call(.machineAs(member), "sharing.set", ["state": "off"])
        }
        #expect(try crowd.snapshot(last).more == [])
        #expect(crowd.refusal(.machine, "member.update", shorter) == nil)
    }
}
