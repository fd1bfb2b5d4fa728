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
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// A snapshot stays below 256 KiB: each area has its share, and says so where more is in sight than there is room for.
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

    @Test func `the areas' shares and the frame are no more than the whole`() {
        let shares = Registry.family.areas.map(\.snapshotBytesMax).reduce(0, +)
        #expect(shares + Limits.snapshotFrameBytesMax <= 256 << 10)
        #expect(Limits.snapshotBytesMax == 256 << 10)
        for area in Registry.family.areas
        where ["Members", "Map", "Places", "Meetings", "Activity"].contains(area.name) {
            #expect(area.snapshotBytesMax > 0, "\(area.name)")
        }
        #expect(Inbox.bytesMax < Activity.area.snapshotBytesMax)
    }

    /// Two areas, one of which has room for so many bytes.
    private static func registry(_ bytesMax: Int) -> Registry {
        Registry(areas: [
            Area(
                "Small", view: "small", tables: [], migrations: [], methods: [], events: [],
                snapshot: [.required("households", .list(Household.shape, max: 9))], snapshotBytesMax: bytesMax),
            Area(
                "Other", view: "other", tables: [], migrations: [], methods: [], events: [],
                snapshot: [.required("sharing", .any)], snapshotBytesMax: 100),
        ])
    }

    @Test func `a part that outgrows its bound is left out and said to be, and leaves the others as they are`() throws {
        var whole = Snapshot()
        whole.leaveOut(["members", "positions", "places", "meetings", "inbox"])
        let id = Identifier(high: 1, low: 1)
        whole.households[id] = Household(id: id, name: "Oak")
        let bytes = whole.part("households").bytes.count
        let fits = try JSON.parse(Self.registry(bytes).encoded(whole))
        #expect(fits == whole.json)
        let outgrown = try JSON.parse(Self.registry(bytes - 1).encoded(whole))
        #expect(outgrown.object?.names == ["family", "me", "sharing", "more"])
        #expect(outgrown["more"] == ["households"] && outgrown["sharing"] == whole.json["sharing"])
        // Whoever reads it knows that the part is not there: events put nothing into it that would look like all of it.
        #expect(Snapshot(outgrown)?.absent.contains("households") == true)
        #expect(Registry.family.areas.allSatisfy { $0.snapshotBytesMax <= 256 << 10 })
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
        #expect(
            crowd.refusal(.machine, "household.found", ["name": .string(Self.longName), "stay": true])?.kind
                == .tooLarge)
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
