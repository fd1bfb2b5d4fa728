import KinClient
import KinKeeper
import KinModel
import KinStore

/// A family with as many members as a measurement wants, and their sessions.
enum Crowd {
    /// Adds members to a founded family, all with the founder's password; answers their identifiers, the founder's first.
    static func add(
        _ count: Int, role: Role, _ store: Store, founder: Identifier, at moment: Instant
    ) throws(StoreFailure) -> [Identifier] {
        try store.beginTurn()
        var family = [founder]
        for number in 2...(count + 1) {
            let id = Identifier(at: moment, random: (UInt64(number), UInt64(number)))
            family.append(id)
            try store.database.run(
                """
                INSERT INTO members (id, number, username, display_name, role, kind, household, picture, password,
                joined_at) SELECT ?, ?, ?, ?, ?, 'adult', household, NULL, password, ? FROM members
                WHERE number = 1
                """, .id(id), Value(number), .text("member\(number)"), .text("Member \(number)"),
                .text(role.rawValue), .time(moment))
        }
        try store.database.run("UPDATE member_numbers SET last = ?", Value(count + 1))
        try store.commitTurn()
        return family
    }

    /// Signs members in by one-time links; answers their tokens.
    static func tokens(_ members: [Identifier], _ house: House) throws(Trouble) -> [String] {
        let machine = try house.conversation()
        let line = try attempt {
            try Conversation.open(.tcp(host: "127.0.0.1", port: house.port, isTLS: false, envelope: .lines))
        }
        var tokens: [String] = []
        for member in members {
            let made = try attempt { try machine.call("session.link", ["member": .id(member)]) }
            let opened = try attempt {
                try line.call("session.redeem", ["link": made["link"] ?? .null, "device": "bench"])
            }
            guard let token = opened["token"]?.string else { throw Trouble("The daemon gave no token.") }
            tokens.append(token)
        }
        return tokens
    }
}
