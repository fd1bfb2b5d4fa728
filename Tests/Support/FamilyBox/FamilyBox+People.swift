import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

extension FamilyBox {
    /// Founds the family Reed in the household Mill with Ada as its admin, over a set-up link.
    func found() throws -> Person {
        let link = try #require(try keeper.newSetUpLink(now: clock))
        let result = try call(
            .none, "family.found",
            [
                "name": "Reed", "household": "Mill", "username": "ada", "displayName": "Ada",
                "password": .string(Self.password), "link": .string(link),
            ], from: "192.0.2.1")
        return try person(result)
    }

    /// Somebody joins with an invite that an admin makes.
    func join(
        _ username: String, role: Role = .member, kind: MemberKind = .adult, into household: Identifier? = nil,
        by admin: Person, from address: String = "192.0.2.1"
    ) throws -> Person {
        var params: JSON.Object = ["role": .string(role.rawValue), "kind": .string(kind.rawValue)]
        if let household { params["household"] = .id(household) }
        let code = try #require(try call(admin, "invite.create", params)["code"])
        return try person(try call(.none, "member.join", join(code, username, kind: kind), from: address))
    }

    /// The parameters of `member.join`.
    func join(_ code: JSON, _ username: String, kind: MemberKind = .adult) -> JSON.Object {
        var params: JSON.Object = [
            "code": code, "username": .string(username), "displayName": .string(username.capitalized),
            "password": .string(Self.password),
        ]
        if kind == .child { params["asChild"] = true }
        return params
    }

    /// A screen on an admin's wall, paired with a device.
    func hang(_ name: String, by admin: Person) throws -> Person {
        let household = try household(of: admin)
        let made = try call(admin, "wall.add", ["name": .string(name), "household": .id(household)])
        return try person(try call(.none, "session.redeem", ["link": made["link"] ?? .null]))
    }

    /// Moves somebody at the machine, where nobody is asked.
    func move(_ person: Person, to household: Identifier) throws {
        try call(.machine, "household.move", ["member": .id(person.id), "household": .id(household)])
    }

    /// Signs in with the one good password.
    func signIn(_ username: String, from address: String = "192.0.2.1") throws -> Person {
        try person(
            try call(
                .none, "session.open", ["username": .string(username), "password": .string(Self.password)],
                from: address))
    }

    func person(_ result: JSON) throws -> Person {
        Person(
            id: try #require(result["member"]?["id"]?.identifier), session: try #require(result["session"]?.identifier),
            token: try #require(result["token"]?.string))
    }

    /// The household a member lives in.
    func household(of person: Person) throws -> Identifier { try #require(try keeper.roster()[person.id]).household }

    /// The role a member has.
    func role(of person: Person) throws -> Role? { try keeper.roster()[person.id]?.role }

    /// Founds a household that waits for its first members.
    func foundHousehold(_ name: String, by admin: Person) throws -> Identifier {
        let result = try call(admin, "household.found", ["name": .string(name), "stay": true])
        return try #require(result["household"]?["id"]?.identifier)
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

extension FamilyBox {
    /// Whether a table is part of a virtual one, such as the pages of an index.
    static func isShadow(_ table: String, _ tables: [String]) -> Bool {
        tables.contains {
            table.hasPrefix($0 + "_")
                && ["_data", "_idx", "_docsize", "_config", "_content", "_node", "_rowid", "_parent"].contains(
                    String(table.dropFirst($0.count)))
        }
    }
}

extension FamilyBox {
    /// Everything is read and heard, a second passes.
    func readAll(_ people: Person...) throws {
        for person in people { try call(person, "activity.read", ["upTo": .time(clock)]) }
        for person in people { _ = toldByInbox(person) }
        clock = clock.adding(seconds: 1)
    }
}
