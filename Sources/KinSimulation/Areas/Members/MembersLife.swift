import KinKeeper
import KinMembers
import KinModel
import KinServer
import KinStore

/// Who is in the family of the box.
final class MembersLife: SimulatedArea {
    let weight = 6
    let lists = [ListQuestion(method: "member.list", part: "members")]

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea { world.familyIdea(who, op) }

    /// Passwords cost a tenth of a second each; the box has no thieves.
    func quick(_ work: any SlowWork) -> SlowResult? {
        switch work {
        case let work as PictureWork: pictures.judge(work)
        case PasswordWork.newPassword: .passwordHash("box", replacing: nil)
        case PasswordWork.checkPassword(_, let encoded): .passwordMatched(true, encoded: encoded)
        default: nil
        }
    }

    private let pictures = Pictures()

    func file(_ world: World, from person: World.Person, _ dice: inout Dice) -> SentFile? {
        // Now and then for somebody else, which is refused.
        pictures.file(for: dice.once(in: 8) ? dice.pick(world.people).id : person.id, &dice)
    }

    /// A picture that somebody sees, or one that nobody may see: by the name of its upload.
    func page(_ world: World, for browser: Browser) -> String? {
        let who = world.dice.below(world.people.count)
        let member = world.people[who].id
        if world.dice.once(in: 2), let unfinished = try? world.daemon?.store.blobs.unfinished().first {
            let name = unfinished.drop { $0 != "-" }.dropFirst()
            return "/api/members/\(member)/picture/\(name)"
        }
        return world.view(of: who)?.members[member]?.picture.map { "/api/members/\(member)/picture/\($0)" }
    }

    func check(_ message: [UInt8], to reader: Identifier?, _ name: String) throws(Finding) {
        try pictures.check(message, name)
    }

    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        try pictures.books(daemon, isWhole: world.isSettling)
    }

    func plant(_ fault: Fault, _ done: inout JobDone) {
        guard fault == .unjudgedPicture, case .slow(let request, let sort, let result) = done,
            result.picture != nil, let bytes = try? request.parcel?.spool?.read()
        else { return }
        done = .slow(request, sort, .picture(bytes, face: []))
    }

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    {
        var households: [Identifier: Identifier] = [:]
        for one in try daemon.onlookers() { households[one.id] = one.household }
        return [
            "member": { (owner, id) in
                owner.role != "guest" || households[id] == nil || households[id] == owner.household
            },
            "session": { _, _ in true },
        ]
    }

    func belongings(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [Belongings] {
        var sessions = Belongings(what: "the session", takers: ["session.", "member.", "password.", "family."])
        _ = try daemon.reader.rows("SELECT id FROM sessions") { row in
            sessions.ends[Belongings.key(row.identifier(0))] = .latest
        }
        var uploads = Belongings(what: "the upload", takers: ["upload.", "member.", "family."])
        _ = try daemon.reader.rows("SELECT id, ends_at FROM uploads") { row in
            uploads.ends[Belongings.key(row.identifier("id"))] = row.instant("ends_at")
        }
        return [sessions, uploads]
    }
}
