import KinModel
import KinWords

extension CommandArea {
    /// The commands for members, households, roles and sign-ins, and for who decides about whom.
    static let members = CommandArea(
        name: "Members", group: .family,
        commands: [
            .found, .invite, .join, .login, .logout, .members, .member, .family, .household, .role, .password, .session,
            .wall,
        ],
        file: "members",
        lookups: [
            Lookup(
                placeholder: "MEMBER", word: "members",
                names: { (call) throws(Problem) in
                    (try call.call("member.list")["members"]?.array ?? []).compactMap { $0["username"]?.string }
                }),
            Lookup(
                placeholder: "HOUSEHOLD", word: "households",
                names: { (call) throws(Problem) in
                    (try call.call("family.show")["households"]?.array ?? []).compactMap { $0["name"]?.string }
                }),
        ],
        inboxKinds: ["memberJoined", "memberLeft", "newDevice"],
        forewarning: { (call) throws(Problem) in try Waiting.sentence(call) })
}

extension Usage.Word {
    static let member = Usage.Word.looked("members")
    static let household = Usage.Word.looked("households")
}
