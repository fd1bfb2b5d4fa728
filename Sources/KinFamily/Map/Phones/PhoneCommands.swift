import KinModel
import KinStore

/// What a member's phones are to be told. HTTP reaches a phone only in the answer to its own post, so a command waits
/// for that; only OwnTracks understands any (`cmd`: `reportLocation`, `setWaypoints`).
///
/// An answer can be lost, and the phone then posts the same message again: so a command goes with every answer to the
/// post it first went with, and is done when another one comes.
enum PhoneCommands {
    /// Puts a command on its way to each of a member's phones with OwnTracks. One with the same key takes the earlier
    /// one's place. Answers how many phones it waits for.
    @discardableResult
    static func add(_ member: Identifier, _ message: JSON, key: String, _ act: Act) throws(Rejection) -> Int {
        var count = 0
        for phone in try Phone.all(of: member, act) where phone.app == .owntracks {
            guard try isRoom(phone, key, act) else { continue }
            try act.run(
                "INSERT OR REPLACE INTO phone_commands (phone, key, message, added, post) VALUES (?, ?, ?, ?, NULL)",
                .id(phone.id), .text(key), .text(message.text), .time(act.now))
            count += 1
        }
        return count
    }

    /// Takes a command back from all of a member's phones that have not had it.
    static func remove(_ member: Identifier, key: String, _ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM phone_commands WHERE key = ? AND phone IN (SELECT id FROM phones WHERE member = ?)",
            .text(key), .id(member))
    }

    /// What goes with the answer to a message: JSON as text, which the gateway makes objects of.
    static func ride(_ phone: Phone, answering message: JSON, _ act: Act) throws(Rejection) -> [JSON] {
        let waiting = try act.rows(
            "SELECT message, post FROM phone_commands WHERE phone = ? ORDER BY added, key", .id(phone.id)
        ) { row in (message: row.text(0), post: row.optionalInt(1)) }
        guard !waiting.isEmpty else { return [] }
        // The same for a message that comes again, as a phone keeps it until it is answered.
        let post = PhonePoint.mark(message.text)
        try act.run(
            "DELETE FROM phone_commands WHERE phone = ? AND post IS NOT NULL AND post <> ?", .id(phone.id), .int(post))
        try act.run("UPDATE phone_commands SET post = ? WHERE phone = ?", .int(post), .id(phone.id))
        return waiting.filter { $0.post == nil || $0.post == post }.map { .string($0.message) }
    }

    /// How many have not gone out.
    static func count(_ phone: Phone, _ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT count(*) FROM phone_commands WHERE phone = ? AND post IS NULL", .id(phone.id)) { row in
            row.int(0)
        } ?? 0
    }

    /// Nobody waits for what was asked days ago.
    static func prune(_ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM phone_commands WHERE added < ?",
            .time(act.now.adding(seconds: -Limits.phoneCommandHours * 3600)))
    }

    private static func isRoom(_ phone: Phone, _ key: String, _ act: Act) throws(Rejection) -> Bool {
        let others = try act.first(
            "SELECT count(*) FROM phone_commands WHERE phone = ? AND key <> ?", .id(phone.id), .text(key)
        ) { row in row.int(0) }
        return (others ?? 0) < Int64(Limits.phoneCommandsMax)
    }
}
