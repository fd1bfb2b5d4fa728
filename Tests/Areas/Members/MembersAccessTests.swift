import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct MembersAccessTests {
    /// The area's role × method table, written out by hand: what the registry says has to be this.
    private static let table: [String: String] = [
        // n nobody, g guest, m member, h head, a admin, x the machine, w a screen on a wall (left out: no)
        "family.found": "n....x", "family.show": ".gmhax", "family.close": "....ax",
        "setUp.show": "ngmhax", "family.rename": "....ax", "household.found": "..mhax", "household.rename": "...hax",
        "household.move": ".gmhax",
        "household.admit": "..mhax", "member.requests": ".gmhax", "member.askGrown": ".gmha.",
        "member.answerGrown": "..mhax",
        "household.remove": "....ax",
        "invite.create": "...hax", "invite.list": "...hax", "invite.revoke": "...hax", "invite.show": "ngmhax",
        "member.join": "n....x", "member.add": "...hax", "member.list": ".gmhax", "member.show": ".gmhax",
        "member.update": ".gmhax", "member.setPicture": ".gmhax", "member.removePicture": ".gmhax",
        "member.picture": ".gmhaxw", "member.setRole": "....ax", "member.relate": "..mhax", "member.remove": ".gmhax",
        "session.open": "ngmhax", "session.expose": "ngmhax", "session.resume": "ngmhax", "session.as": ".....x",
        "session.close": ".gmha.", "session.trust": ".gmhax", "session.waiting": ".gmhax",
        "session.list": ".gmha.", "session.revoke": ".gmha.", "session.link": "....ax", "session.redeem": "ngmhax",
        "password.change": ".gmha.", "password.reset": ".....x",
        "appPassword.create": ".gmha.", "appPassword.list": ".gmha.", "appPassword.revoke": ".gmha.",
        "appPassword.offer": ".gmha.", "appPassword.take": "ngmhax",
        "member.principal": ".gmha.", "member.principals": ".gmha.", "wall.add": "....ax", "wall.list": "..mhax",
    ]

    @Test func `the registry's table of the area is the one written out here`() {
        #expect(Set(Members.area.methods.map(\.name)) == Set(Self.table.keys))
        let letters: [(Access, Character)] = [
            (.nobody, "n"), (.guest, "g"), (.member, "m"), (.head, "h"), (.admin, "a"), (.machine, "x"), (.wall, "w"),
        ]
        for method in Members.area.methods {
            let row = String(letters.map { method.access.contains($0.0) ? $0.1 : "." })
            let written = Self.table[method.name].map { $0 + ($0.count < letters.count ? "." : "") }
            #expect(row == written, "\(method.name)")
        }
    }

    @Test func `who is not in the table is turned away before anything is looked at`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let callers: [(Character, Credential)] = [
            ("n", .none),
            ("g", try box.join("gus", role: .guest, by: ada).credential),
            ("m", try box.join("ben", by: ada).credential),
            ("h", try box.join("hugo", role: .head, by: ada).credential),
            ("a", ada.credential), ("x", .machine), ("w", try box.hang("Kitchen", by: ada).credential),
        ]
        for (name, row) in Self.table {
            for (letter, credential) in callers where !row.contains(letter) {
                // Not even the parameters are judged: they are none.
                let rejection = try box.refusal(credential, name, ["nonsense": 1])
                #expect(rejection?.kind == (letter == "n" ? .notSignedIn : .forbidden), "\(name) by \(letter)")
            }
            for (letter, credential) in callers where row.contains(letter) {
                let rejection = try box.refusal(credential, name, ["nonsense": 1])
                #expect(rejection?.kind == .params, "\(name) by \(letter)")
            }
        }
    }

    @Test func `every method with a secret refuses to repeat itself, every other command repeats its answer`() throws {
        for method in Members.area.methods where method.sort != .query {
            let carries = method.parameters.contains { field in
                if case .secret = field.shape { true } else { false }
            }
            if carries { #expect(method.sort == .secretCommand, "\(method.name)") }
        }
    }
}
