import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinWords
import Testing

@testable import KinFamilyBox
@testable import KinMap
@testable import kin

/// What the screen says that each person sees, beside what the log then shows that person: of families made from seeds, with
/// rules, newcomers and answers at random.
@Suite struct SharingTruthTests {
    /// A family in which Ada is watched.
    private final class House {
        let box: MapBox
        let ada: Identifier
        var viewers: [Identifier] = []
        var dice: Dice
        private var names: [Identifier: (name: String, role: Role)] = [:]

        init(seed: UInt64) throws {
            dice = Dice(state: seed &* 7919 &+ 1)
            box = try MapBox()
            ada = try box.join("Ada")
            for (name, role, isNear) in [
                ("Bob", Role.member, true), ("Cyd", .member, true), ("Gus", .guest, true), ("Far", .member, false),
                ("Fay", .head, false), ("Gil", .guest, false),
            ] {
                try join(name, role, isNear: isNear)
            }
            try box.call(ada, "place.add", ["name": "Home", "lat": 52, "lon": 13, "home": true])
        }

        func join(_ name: String, _ role: Role = .member, isNear: Bool) throws {
            let id = try box.join(name, role: role, household: isNear ? box.mill : box.hill)
            names[id] = (name, role)
            viewers.append(id)
        }

        private func once(in sides: Int) -> Bool { dice.roll(sides) == 0 }

        /// Somebody comes, moves, or has another role.
        func stir() throws {
            switch dice.roll(8) {
            case 0 where viewers.count < 12: try join("Nia \(viewers.count)", isNear: once(in: 2))
            case 1: try box.move(viewers[dice.roll(viewers.count)], to: once(in: 2) ? box.mill : box.hill)
            case 2: try box.wait(seconds: 3000)
            default: break
            }
        }

        private func rule(_ viewer: JSON) -> JSON {
            let precision = Precision.allCases[dice.roll(Precision.allCases.count)]
            return .object(leavingOut: [
                "viewer": viewer, "precision": .string(precision.rawValue), "history": .bool(once(in: 2)),
                "until": once(in: 4) ? .time(box.clock.adding(seconds: 60 + Int64(dice.roll(6000)))) : nil,
            ])
        }

        /// Ada changes something; `nil` where it was refused.
        func change() -> JSON? {
            var params: JSON.Object = [:]
            switch dice.roll(6) {
            case 0: params["state"] = "off"
            case 1:
                params["state"] = "on"
                if once(in: 2) { params["until"] = .time(box.clock.adding(seconds: 60 + Int64(dice.roll(9000)))) }
            case 2:
                let waiting = sharing["waiting"]?.array ?? []
                let viewer = waiting.first?["id"] ?? .id(viewers[dice.roll(viewers.count)])
                return try? box.call(ada, "sharing.admit", ["viewer": viewer, "admit": .bool(!once(in: 3))])
            default:
                let all: [JSON] = ["everyone", "household"] + viewers.map { .id($0) }
                params["rules"] = .array(all.filter { _ in once(in: 3) }.map { rule($0) })
                if once(in: 2) { params["state"] = "on" }
            }
            return try? box.call(ada, "sharing.set", params)
        }

        var sharing: JSON { (try? box.call(ada, "sharing.show")["sharing"]) ?? [:] }

        /// Ada goes somewhere else, and reports it for long enough.
        func go() throws {
            let lat = 40 + Double(dice.roll(20))
            for _ in 0..<3 {
                box.clock = box.clock.adding(seconds: 900)
                try box.report(ada, lat, 13)
            }
        }

        /// How much somebody sees by what was told in the log: the box folds it, beside a fresh snapshot.
        func told(_ viewer: Identifier) throws -> Precision {
            let snapshot = try #require(try box.fresh(viewer)).snapshot
            return snapshot.positions[ada]?.precision ?? snapshot.presences[ada]?.precision ?? .off
        }

        func showsHistory(_ viewer: Identifier) -> Bool {
            (try? box.history(of: ada, for: viewer)) != nil
        }

        var screen: SharingScreen {
            let members = ([ada] + viewers).map { id in
                Member(
                    id: id, username: "", displayName: names[id]?.name ?? "Ada", role: names[id]?.role ?? .member,
                    kind: .adult, household: box.mill)
            }
            return SharingScreen(People(members: members), now: box.clock)
        }
    }

    /// What is said of one person: how much, the history.
    private struct Said: Equatable {
        var precision: JSON = "off"
        var history: JSON = false

        init() {}

        init(_ json: JSON?) {
            guard let json, let precision = json["precision"] else { return }
            self.precision = precision
            history = json["history"] ?? false
        }
    }

    /// What each sees, by an answer of `sharing.show`: nobody anything while it is off.
    private static func said(_ sharing: JSON) -> [Identifier: Said] {
        var said: [Identifier: Said] = [:]
        for person in (sharing["seenBy"]?.array ?? []) + (sharing["notSeenBy"]?.array ?? []) {
            guard let id = person["id"]?.identifier else { continue }
            said[id] = sharing["state"] == "on" ? Said(person) : Said()
        }
        return said
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `what the screen says each sees is what the log then shows`(seed: UInt64) throws {
        let house = try House(seed: seed)
        var sets = 0
        var shown: Set<Precision> = []
        while sets < 10 {
            try house.stir()
            let before = Self.said(house.sharing)
            guard let changed = house.change() else { continue }
            sets += 1
            // What the change is said to have done, beside what was seen before and after.
            let after = Self.said(house.sharing)
            let effect = try #require(changed["effect"]?.array)
            for viewer in house.viewers {
                let person = effect.first { $0["id"] == .id(viewer) }
                guard let person else {
                    #expect(before[viewer] == after[viewer], "the effect on \(viewer) is not told")
                    continue
                }
                #expect(Said(person["before"]) == before[viewer] && Said(person["now"]) == after[viewer])
                if before[viewer] != after[viewer] { #expect(person["changed"] == true) }
            }
            try house.go()
            let sharing = house.sharing
            let said = Self.said(sharing)
            #expect(Set(said.keys) == Set(house.viewers))
            let isOn = sharing["state"] == "on"
            let seers = Language.$current.withValue(.english) { house.screen.seers(sharing, of: nil) }
            for viewer in house.viewers {
                let told = try house.told(viewer)
                shown.insert(told)
                #expect(said[viewer]?.precision == .string(told.rawValue), "seed \(seed): \(sharing.text)")
                #expect(said[viewer]?.history == .bool(house.showsHistory(viewer)), "seed \(seed)")
                let seer = try #require(seers.first { $0.id == viewer })
                let word = Language.$current.withValue(.english) { Shares.word(told.rawValue) }
                if isOn { #expect(seer.what.hasPrefix(word), "seed \(seed): \(seer.line), but the log shows \(word)") }
                // What a viewer is told of it is the same.
                guard let own = try? house.box.call(viewer, "sharing.seen", ["member": .id(house.ada)]) else {
                    continue
                }
                #expect(Said(own) == said[viewer])
            }
        }
        #expect(shown.count > 1, "nobody ever saw anything")
    }
}
