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

/// A session that was opened by somebody else's doing waits: it sees nobody and shows nobody more.
@Suite struct MembersWaitingTests {
    /// Ada the admin, Ben and Nia live in one household, share with everyone, and were seen somewhere. There is a place.
    private final class House {
        let box: FamilyBox
        let ada: FamilyBox.Person
        let ben: FamilyBox.Person
        let nia: FamilyBox.Person

        static let lat = 52.520_077
        static let rule: JSON = ["viewer": "everyone", "precision": "exact", "history": true]

        init() throws {
            box = try FamilyBox()
            ada = try box.found()
            ben = try box.join("ben", by: ada)
            nia = try box.join("nia", by: ada)
            // Old enough for their word about others to count.
            try box.wait(seconds: 100 * 3600)
            for person in [ada, ben, nia] {
                try box.call(person, "sharing.set", ["state": "on", "rules": [Self.rule], "historyDays": 30])
                try box.call(
                    person, "position.report",
                    ["lat": .double(Self.lat), "lon": 13.404_954, "at": .time(box.clock)])
            }
            try box.call(
                ada, "place.add",
                [
                    "name": "Heron Pond", "lat": .double(Self.lat), "lon": 13.404_954, "radius": 200,
                    "audience": "everyone",
                ]
            )
            try box.wait(seconds: 60)
        }

        /// Ada makes a link for Nia and opens it herself.
        func redeemed(_ more: JSON.Object = [:], by maker: FamilyBox.Person? = nil) throws -> FamilyBox.Person {
            let link = try box.call(maker ?? ada, "session.link", ["member": .id(nia.id)])["link"] ?? .null
            var params = more
            params["link"] = link
            return try box.person(try box.call(.none, "session.redeem", params, from: "192.0.2.9"))
        }

        func isWaiting(_ person: FamilyBox.Person) throws -> Bool {
            try box.refusal(person, "position.latest")?.kind == .forbidden
        }
    }

    @Test func `an admin's link to another's account shows neither the member's history nor others' positions`() throws
    {
        let house = try House()
        let thief = try house.redeemed()
        let box = house.box
        for (method, params): (String, JSON.Object) in [
            ("position.latest", [:]), ("sharing.looks", [:]), ("place.list", [:]),
            (
                "position.history",
                ["member": .id(house.nia.id), "from": .time(FamilyBox.start), "to": .time(box.clock)]
            ),
            (
                "position.history",
                ["member": .id(house.ben.id), "from": .time(FamilyBox.start), "to": .time(box.clock)]
            ),
            ("position.export", ["member": .id(house.nia.id), "format": "gpx"]),
            ("position.ask", ["member": .id(house.ben.id)]),
        ] {
            let refusal = try box.refusal(thief, method, params)
            #expect(refusal?.kind == .forbidden && refusal?.message.contains("waits") == true, "\(method)")
            #expect(try box.refusal(house.nia, method, params) == nil, "\(method)")
        }
        // Nor with the answer to a report, which goes on.
        let reported = try box.call(thief, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
        #expect(reported["position"] == nil)
        #expect(try box.call(house.nia, "position.latest")["positions"]?.array?.count == 3)
    }

    @Test func `a session that waits follows a view without map and inbox, from a fresh snapshot`() throws {
        let house = try House()
        let box = house.box
        try box.call(house.nia, "place.notify", ["who": .id(house.ben.id), "when": "both"])
        func follow(_ person: FamilyBox.Person, _ params: JSON.Object = [:]) throws -> Follow {
            try box.call(person, "live.follow", params)
            guard case .follow(let follow) = box.effect else { throw Rejection(.parse, "no follow") }
            return follow
        }
        let whole = try follow(house.nia)
        let thief = try house.redeemed()
        let cursor = box.keeper.epochs.cursor(position: box.store.log.position, salt: 1)
        for view in [nil, "all", whole.view.text, "map", "map,members", "activity"] as [String?] {
            var params: JSON.Object = ["since": .string(cursor)]
            if let view { params["view"] = .string(view) }
            let follow = try follow(thief, params)
            #expect(follow.isViewChanged, "\(view ?? "none")")
            for type in ["position", "place.entered", "sharing.changed", "activity.added"] {
                #expect(!follow.view.contains(Registry.family.eventTraits[type].place), "\(type) in \(view ?? "none")")
            }
            #expect(follow.view.text != whole.view.text)
        }
        let seen = try follow(thief).view
        // It goes on from its own cursors.
        #expect(try !follow(thief, ["since": .string(cursor), "view": .string(seen.text)]).isViewChanged)
        // Once it waits no longer, those are nothing to go on from.
        try box.call(house.nia, "session.trust", ["session": .id(thief.session)])
        #expect(box.revocations.last == .wait(session: thief.session))
        #expect(try follow(thief, ["since": .string(cursor)]).isViewChanged)
        #expect(try follow(thief, ["since": .string(cursor), "view": .string(seen.text)]).isViewChanged)
        let later = box.keeper.epochs.cursor(position: box.store.log.position, salt: 1)
        let after = try follow(thief, ["since": .string(later)])
        #expect(!after.isViewChanged && after.view == whole.view)
    }

    @Test func `a session that waits widens nothing, and narrows`() throws {
        let house = try House()
        let box = house.box
        let coarse: JSON = ["viewer": "everyone", "precision": "coarse"]
        let toBen: JSON = ["viewer": .id(house.ben.id), "precision": "off"]
        try box.call(house.nia, "sharing.set", ["rules": [coarse, toBen]])
        let thief = try house.redeemed()
        let wider: [(String, JSON.Object)] = [
            ("sharing.set", ["state": "on"]), ("sharing.set", ["rules": [House.rule]]),
            ("sharing.set", ["historyDays": 365]),
            // Without the rule that keeps Ben out the one for everyone counts.
            ("sharing.set", ["rules": [coarse]]),
            ("sharing.set", ["rules": [coarse, ["viewer": .id(house.ben.id), "precision": "home"]]]),
            ("guestLink.create", ["precision": "coarse", "until": .time(box.clock.adding(days: 1))]),
            ("appPassword.create", ["device": "x", "scope": "location"]),
            ("appPassword.create", ["device": "x", "scope": "calendar"]),
            ("sharing.hold", ["member": .id(house.ben.id), "hold": true]),
            ("member.relate", ["member": .id(house.nia.id), "parentOf": .id(house.ben.id)]),
            ("member.update", ["member": .id(house.nia.id), "kind": "child"]),
        ]
        for (method, params) in wider {
            let refusal = try box.refusal(thief, method, params)
            #expect(refusal?.message.contains("waits") == true, "\(method) \(params)")
        }
        try box.call(thief, "appPassword.create", ["device": "x", "scope": "report"])
        try box.call(thief, "sharing.set", ["rules": [["viewer": "everyone", "precision": "home"], toBen]])
        try box.call(thief, "sharing.set", ["historyDays": 1])
        try box.call(thief, "sharing.set", ["state": "off"])
        try box.call(thief, "member.update", ["member": .id(house.nia.id), "displayName": "Nia R."])
        #expect(try box.refusal(thief, "sharing.set", ["state": "on"])?.kind == .forbidden)
        try box.call(house.nia, "sharing.set", ["state": "on"])
    }

    @Test func `no query shows a session that waits a coordinate, a place's name or who was told of it`() throws {
        let house = try House()
        let box = house.box
        try box.call(house.nia, "place.notify", ["who": .id(house.ben.id), "when": "both"])
        for minutes in 1...8 {
            try box.wait(seconds: 240)
            let isAway = minutes > 4
            try box.call(
                house.ben, "position.report",
                ["lat": .double(isAway ? 52.6 : House.lat), "lon": 13.404_954, "at": .time(box.clock)])
        }
        let thief = try house.redeemed()
        let known: [String: JSON] = [
            "member": .id(house.nia.id), "from": .time(FamilyBox.start), "to": .time(box.clock), "format": "gpx",
            "lat": .double(House.lat), "lon": 13.404_954, "time": .time(FamilyBox.start), "view": "all", "name": "x",
        ]
        for method in box.keeper.registry.methods.values.sorted(by: { $0.name < $1.name }) {
            guard method.sort == .query, !method.access.isDisjoint(with: .family) else { continue }
            for takesAll in [true, false] {
                var params = JSON.Object()
                for field in method.parameters where field.isRequired || takesAll {
                    if let value = known[field.name], (try? field.shape.check(value, field: "")) != nil {
                        params[field.name] = value
                    }
                }
                guard let answer = try? box.call(thief, method.name, params) else { continue }
                var texts = [answer.text]
                if case .piece(let piece) = box.effect { texts.append(String(decoding: piece.bytes, as: UTF8.self)) }
                if case .follow(let follow) = box.effect {
                    texts.append(try box.fresh(house.nia.id, view: follow.view).json.text)
                }
                for text in texts {
                    for secret in ["52.5", "52.6", "13.40", "Heron"] {
                        #expect(!text.contains(secret), "\(method.name) says \(secret)")
                    }
                }
            }
        }
        // Both are there for those who may know.
        #expect(try box.call(house.nia, "activity.list").text.contains("Heron"))
        #expect(try box.fresh(house.nia.id).json.text.contains("52.5"))
    }

    @Test func `the wait ends after seventy-two hours`() throws {
        let house = try House()
        let thief = try house.redeemed()
        let listed = try house.box.call(thief, "session.list")["sessions"]?.array ?? []
        let own = listed.first { $0["isThisOne"] == true }
        #expect(own?["waitsUntil"]?.instant == house.box.clock.adding(seconds: 72 * 3600))
        #expect(own?["openedBy"]?.identifier == house.ada.id)
        #expect(listed.first { $0["isThisOne"] == false }?["waitsUntil"] == nil)
        try house.box.wait(seconds: 72 * 3600 - 1)
        #expect(try house.isWaiting(thief))
        try house.box.wait(seconds: 1)
        #expect(try !house.isWaiting(thief))
        #expect(house.box.revocations.last == .wait(session: thief.session))
    }

    @Test func `an older session ends the wait, and so does another adult who did not make the link`() throws {
        let house = try House()
        let box = house.box
        let lea = try box.join("lea", kind: .child, by: house.ada)
        let guest = try box.join("gus", role: .guest, by: house.ada)
        let elsewhere = try box.foundHousehold("Hill", by: house.ada)
        let zoe = try box.join("zoe", into: elsewhere, by: house.ada)
        let helper = try box.join("helper", by: house.ada)
        for (person, other) in [(house.nia, nil), (house.ben, house.nia.id)] as [(FamilyBox.Person, Identifier?)] {
            let thief = try house.redeemed()
            var params: JSON.Object = ["session": .id(thief.session)]
            // Neither by itself, nor by a second one of the same kind.
            #expect(try box.refusal(thief, "session.trust", params)?.kind == .forbidden)
            #expect(try box.refusal(try house.redeemed(), "session.trust", params)?.kind == .forbidden)
            params["member"] = .id(house.nia.id)
            // Not by who made it, nor by somebody who was added for the purpose.
            for (who, why) in [(house.ada, "maker"), (helper, "new"), (lea, "child"), (guest, "guest"), (zoe, "far")] {
                #expect(try box.refusal(who, "session.trust", params) != nil, "\(why)")
            }
            #expect(try house.isWaiting(thief))
            params["member"] = other.map { .id($0) }
            #expect(try box.call(person, "session.trust", params)["trusted"] == [.id(thief.session)])
            #expect(try !house.isWaiting(thief))
        }
        // Root may, and so may whoever is at the machine in the member's name.
        for credential in [Credential.machine, .machineAs(house.nia.id)] {
            let thief = try house.redeemed()
            try box.call(
                credential, "session.trust", ["member": .id(house.nia.id), "session": .id(thief.session)])
            #expect(try !house.isWaiting(thief))
        }
    }

    @Test func `a first password works at once, is told of until it is changed, and opens nothing more without a word`()
        throws
    {
        let house = try House()
        let box = house.box
        try box.call(
            house.ada, "member.add",
            [
                "username": "gran", "displayName": "Gran", "password": .string(FamilyBox.password),
                "household": .id(try box.household(of: house.ada)), "role": "member", "kind": "adult",
            ])
        let gran = try box.signIn("gran")
        #expect(try !house.isWaiting(gran))
        #expect(try box.call(gran, "session.list")["passwordSetBy"]?.identifier == house.ada.id)
        // Whoever set it knows it still.
        let second = try box.signIn("gran")
        #expect(try house.isWaiting(second))
        // A session that waits cannot make the password its own.
        let new = "quilt-heron-lantern-77"
        try box.call(second, "password.change", ["old": .string(FamilyBox.password), "new": .string(new)])
        #expect(try box.call(second, "session.list")["passwordSetBy"]?.identifier == house.ada.id)
        let third = try box.person(
            try box.call(.none, "session.open", ["username": "gran", "password": .string(new)]))
        #expect(try house.isWaiting(third))
        try box.wait(seconds: 72 * 3600)
        try box.call(third, "password.change", ["old": .string(new), "new": "lantern-quilt-heron-31"])
        #expect(try box.call(third, "session.list")["passwordSetBy"] == nil)
        let own = try box.person(
            try box.call(.none, "session.open", ["username": "gran", "password": "lantern-quilt-heron-31"]))
        #expect(try !house.isWaiting(own))
    }

    @Test func `after a reset at the machine everything works but positions`() throws {
        let house = try House()
        let box = house.box
        let new = "quilt-heron-lantern-77"
        try box.call(.machine, "password.reset", ["username": "ada", "password": .string(new)])
        let ada = try box.person(try box.call(.none, "session.open", ["username": "ada", "password": .string(new)]))
        #expect(try house.isWaiting(ada))
        let list = try box.call(ada, "session.list")
        #expect(list["passwordSetBy"] == .null && list["sessions"]?.array?.first?["openedBy"] == .null)
        try box.call(ada, "invite.create", ["role": "member", "kind": "adult"])
        try box.call(ada, "activity.announce", ["text": "I am back."])
        #expect(
            try box.call(house.ben, "session.waiting")["sessions"]?.array?.map { $0["session"]?.identifier }
                == [ada.session])
        try box.call(house.ben, "session.trust", ["member": .id(ada.id), "session": .id(ada.session)])
        #expect(try !house.isWaiting(ada))
    }

    @Test func `a link that a waiting session makes for itself is no word of its own`() throws {
        let house = try House()
        let box = house.box
        // One's own link, from one's own session, waits for nothing.
        let link = try box.call(house.ada, "session.link", ["member": .id(house.ada.id)])["link"] ?? .null
        let own = try box.person(try box.call(.none, "session.redeem", ["link": link]))
        #expect(try !house.isWaiting(own))
        try box.call(house.ada, "member.setRole", ["member": .id(house.ben.id), "role": "admin"])
        let given = try box.call(house.ben, "session.link", ["member": .id(house.ada.id)])["link"] ?? .null
        let thief = try box.person(try box.call(.none, "session.redeem", ["link": given]))
        let further = try box.call(thief, "session.link", ["member": .id(house.ada.id)])["link"] ?? .null
        let second = try box.person(try box.call(.none, "session.redeem", ["link": further]))
        #expect(try house.isWaiting(second))
        // And what it makes for others is Ben's doing, so Ben has no word there.
        let forNia = try house.redeemed(by: thief)
        #expect(
            try box.refusal(
                house.ben, "session.trust", ["member": .id(house.nia.id), "session": .id(forNia.session)])?.kind
                == .forbidden)
        // At the machine in one's name it is the machine's doing.
        let root =
            try box.call(.machineAs(house.ada.id), "session.link", ["member": .id(house.ada.id)])["link"] ?? .null
        #expect(try house.isWaiting(try box.person(try box.call(.none, "session.redeem", ["link": root]))))
    }

    @Test func `the member and the adults of the household are told what was made and what was opened`() throws {
        let house = try House()
        let box = house.box
        let lea = try box.join("lea", kind: .child, by: house.ada)
        for person in [house.ada, house.ben, house.nia, lea] { _ = box.heard(person) }
        let thief = try house.redeemed()
        for person in [house.ada, house.ben, house.nia] {
            let told = box.heard(person).filter { $0.type == "account.changed" }
            // The member was told of the link itself already.
            let both = ["signInLinkMade", "sessionWaits"]
            #expect(told.map { $0.data["what"]?.string } == (person.id == house.nia.id ? ["sessionWaits"] : both))
            #expect(told.allSatisfy { $0.data["member"]?.identifier == house.nia.id })
            #expect(told.last?.data["setBy"]?.identifier == house.ada.id)
            #expect(told.last?.data["session"]?.identifier == thief.session)
            #expect(told.last?.data["until"]?.instant == box.clock.adding(seconds: 72 * 3600))
        }
        #expect(!box.heard(lea).contains { $0.type == "account.changed" })
        let lines = try box.call(house.ben, "activity.list").text
        #expect(lines.contains("accountChanged") && lines.contains("sessionWaits"))
        try box.call(house.nia, "session.trust", ["session": .id(thief.session)])
        #expect(box.heard(house.ben).last { $0.type == "account.changed" }?.data["what"] == "sessionTrusted")
        // The child's account likewise.
        try box.call(.machine, "password.reset", ["username": "lea", "password": .string(FamilyBox.password)])
        #expect(box.heard(house.ben).last?.data["what"] == "passwordSet")
    }

    @Test func `a new password from outside ends the app passwords, unless they are to be kept`() throws {
        let house = try House()
        let box = house.box
        for isKept in [false, true] {
            for way in ["reset", "redeem"] {
                let made = try box.call(
                    .machineAs(house.nia.id), "appPassword.create", ["device": "Pixel", "scope": "location"])
                let phone = Credential.appPassword(username: nil, password: made["password"]?.string ?? "")
                try box.call(phone, "position.latest")
                _ = box.heard(house.nia)
                let more: JSON.Object = [
                    "password": .string(FamilyBox.password), "keepAppPasswords": .bool(isKept),
                ]
                if way == "reset" {
                    try box.call(
                        .machine, "password.reset", more.merging(["username": "nia"]))
                } else {
                    _ = try house.redeemed(more)
                }
                let told = box.heard(house.nia).filter { $0.data["what"] == "appPasswordRevoked" }
                #expect(told.map { $0.data["device"]?.string } == (isKept ? [] : ["Pixel"]), "\(way)")
                #expect(try (box.refusal(phone, "position.latest") == nil) == isKept, "\(way)")
            }
        }
        // Without a new password nothing ends.
        let before = try box.count("SELECT count(*) FROM app_passwords")
        _ = try house.redeemed()
        #expect(try before > 0 && box.count("SELECT count(*) FROM app_passwords") == before)
    }
}

extension JSON.Object {
    fileprivate func merging(_ more: JSON.Object) -> JSON.Object {
        var all = self
        for (name, value) in more.members { all[name] = value }
        return all
    }
}
