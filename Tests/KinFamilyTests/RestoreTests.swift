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

@Suite struct RestoreTests {
    @Test func `a restored family has no sessions, app passwords, links or invites: its secrets may be out`() throws {
        let directory = "/tmp/kinwire-restore-\(UInt64.random(in: 0 ... .max))"
        defer { FamilyBox.removeTree(directory) }
        let now = FamilyBox.start
        func count(_ table: String) throws -> Int64? {
            let store = try Store(directory: directory, migrations: Registry.family.migrations, now: now)
            return try store.database.first("SELECT count(*) FROM \(table)") { $0.int(0) }
        }
        try { () throws in
            let store = try Store(directory: directory, migrations: Registry.family.migrations, now: now)
            let keeper = try Keeper(store: store, registry: .family)
            func call(_ who: Credential, _ method: String, _ params: JSON.Object) throws {
                var request = Request(
                    ticket: Ticket(connection: 1, sequence: 1), credential: who, method: method, params: params)
                var commit = keeper.turn([request], clock: now)
                if case .later? = commit.replies.first?.effect {
                    request.work = .passwordHash("hash", replacing: nil)
                    commit = keeper.turn([request], clock: now)
                }
                _ = try #require(commit.replies.first).result.get()
            }
            try call(
                .machine, "family.found",
                [
                    "name": "Reed", "household": "Mill", "username": "ada", "password": "x", "displayName": "Ada",
                ])
            let ada = try #require(try keeper.roster().entries.first)
            try call(.machineAs(ada.id), "invite.create", [:])
            try call(.machineAs(ada.id), "session.link", ["member": .id(ada.id)])
            try call(.machineAs(ada.id), "appPassword.create", ["device": "phone", "scope": "location"])
        }()
        for table in ["invites", "links", "app_passwords"] { #expect(try count(table) == 1, "\(table)") }
        try Keeper.afterRestore(directory: directory, registry: .family, now: now)
        for table in ["invites", "links", "app_passwords", "sessions"] { #expect(try count(table) == 0, "\(table)") }
        #expect(try count("members") == 1)
    }
}
