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
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// Members who move, grow and change their roles, as the map hears of it.
extension MapBox {
    /// What no command leaves behind: a row that says somebody holds these settings.
    func plantHolder(_ holder: Identifier, of member: Identifier) throws {
        try anew(member) {
            try write("UPDATE sharing SET holder = ? WHERE member = ?", .id(holder), .id(member))
        }
    }

    /// A member moves, by whatever door.
    func move(_ member: Identifier, to household: Identifier) throws {
        try write("UPDATE members SET household = ? WHERE id = ?", .id(household), .id(member))
        try tell(Member.moved, member, ["household"])
    }

    /// A member has another role from here on.
    func become(_ member: Identifier, _ role: Role) throws {
        try anew(member) {
            try write("UPDATE members SET role = ? WHERE id = ?", .text(role.rawValue), .id(member))
            try tell(Member.updated, member, ["role"])
        }
    }

    /// A member is grown from here on, or is not.
    func become(_ member: Identifier, _ kind: MemberKind) throws {
        try write("UPDATE members SET kind = ? WHERE id = ?", .text(kind.rawValue), .id(member))
        try tell(Member.updated, member, ["kind"])
    }

    /// Somebody is a parent of a child, or no longer.
    func relate(_ parent: Identifier, of child: Identifier, remove: Bool = false) throws {
        if remove {
            try write("DELETE FROM parents WHERE child = ? AND parent = ?", .id(child), .id(parent))
        } else {
            try write("INSERT INTO parents (child, parent) VALUES (?, ?)", .id(child), .id(parent))
        }
        try tell(Member.updated, child, ["parents"])
    }

    /// What the area hears of a change of the roster that the tests write by hand.
    func tell(_ type: EventType<Member.Changed>, _ member: Identifier, _ changed: [String]) throws {
        keeper.forgetRoster()
        let member = try #require(try People.member(member, store.database))
        try act { (act) throws(Rejection) in
            let told = Told(
                type, .init(member: member, changed: changed), at: clock, about: "", by: nil, audience: Audience())
            for things in Map.area.shared { try things.told[type.name]?(act, told) }
            try Map.area.told[type.name]?(act, told)
            try act.tellAreas()
        }
    }

    /// The one who is watched agrees to a viewer who came later, or refuses.
    @discardableResult
    func admit(_ viewer: Identifier, to watched: Identifier, _ admit: JSON = true) throws -> JSON? {
        try call(watched, "sharing.admit", ["viewer": .id(viewer), "admit": admit])["sharing"]
    }

    /// What somebody is answered of another's history.
    @discardableResult
    func history(of watched: Identifier, for viewer: Identifier) throws -> JSON {
        try call(
            viewer, "position.history",
            ["member": .id(watched), "from": .time(clock.adding(days: -2)), "to": .time(clock)])
    }
}

extension JSON.Object {
    /// What is `nil` is not there.
    init(leavingOut values: KeyValuePairs<String, JSON?>) {
        self.init()
        for (name, value) in values { if let value { append(name, value) } }
    }
}
