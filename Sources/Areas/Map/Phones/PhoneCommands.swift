import KinKeeper
import KinModel
import KinStore

/// Commands for a member's phones. HTTP reaches a phone only in the answer to its own post, so a command waits for
/// that. Only OwnTracks understands any (`cmd`: `reportLocation`, `setWaypoints`).
///
/// An answer can be lost, and the phone then posts the same message again. So a command goes with every answer to the
/// post that it first went with, and is done when the phone posts another message.
enum PhoneCommands {
    /// Queues a command for each of a member's phones with OwnTracks. It replaces an earlier one with the same key.
    /// Answers how many phones it waits for.
    @discardableResult
    static func add(_ member: Identifier, _ message: JSON, key: String, _ act: Act) throws(Rejection) -> Int {
        var count = 0
        for phone in try Phone.all(of: member, act) where phone.app == .owntracks {
            if try put(message, key: key, on: phone.id, act) { count += 1 }
        }
        return count
    }

    /// Queues a command for one phone; false where too many wait.
    @discardableResult
    static func put(_ message: JSON, key: String, on phone: Identifier, _ act: Act) throws(Rejection) -> Bool {
        guard try isRoom(phone, key, act) else { return false }
        try act.run(
            "INSERT OR REPLACE INTO phone_commands (phone, key, message, added, post) VALUES (?, ?, ?, ?, NULL)",
            .id(phone), .text(key), .text(message.text), .time(act.now))
        return true
    }

    /// Takes a command back from all of a member's phones that have not had it.
    static func remove(_ member: Identifier, key: String, _ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM phone_commands WHERE key = ? AND phone IN (SELECT id FROM phones WHERE member = ?)",
            .text(key), .id(member))
    }

    /// The commands that go with the answer to a message: JSON as text, from which the gateway makes objects.
    static func ride(_ phone: Phone, answering message: JSON, _ act: Act) throws(Rejection) -> [JSON] {
        let waiting = try act.rows(
            "SELECT message, post, key FROM phone_commands WHERE phone = ? ORDER BY added, key", .id(phone.id)
        ) { row in (message: row.text("message"), post: row.optionalInt("post"), key: row.text("key")) }
        guard !waiting.isEmpty else { return [] }
        // The same for a message that comes again, as a phone keeps it until it is answered.
        let post = PhonePoint.digest(message.text)
        try act.run(
            "DELETE FROM phone_commands WHERE phone = ? AND post IS NOT NULL AND post <> ?", .id(phone.id), .int(post))
        var riding: [JSON] = []
        for command in waiting {
            let isAgain = command.post == post
            guard command.post == nil || isAgain else {
                if command.key == Waypoints.key { try Waypoints.arrived(phone, act) }
                continue
            }
            guard command.key == Waypoints.key else {
                riding.append(.string(command.message))
                continue
            }
            if let list = try Waypoints.message(for: phone, isAgain: isAgain, act) {
                riding.append(.string(list.text))
            } else {
                try act.run(
                    "DELETE FROM phone_commands WHERE phone = ? AND key = ?", .id(phone.id), .text(command.key))
            }
        }
        try act.run("UPDATE phone_commands SET post = ? WHERE phone = ?", .int(post), .id(phone.id))
        return riding
    }

    /// How many have not gone out.
    static func count(_ phone: Phone, _ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT count(*) FROM phone_commands WHERE phone = ? AND post IS NULL", .id(phone.id)) { row in
            row.int(0)
        } ?? 0
    }

    /// Removes old commands: nobody waits for what was asked days ago. The places are stored elsewhere.
    static func prune(_ act: Act) throws(Rejection) {
        try act.run(
            "DELETE FROM phone_commands WHERE added < ? AND key <> ?",
            .time(act.now.adding(seconds: -Limits.phoneCommandHours * 3600)), .text(Waypoints.key))
    }

    private static func isRoom(_ phone: Identifier, _ key: String, _ act: Act) throws(Rejection) -> Bool {
        let others = try act.first(
            "SELECT count(*) FROM phone_commands WHERE phone = ? AND key <> ?", .id(phone), .text(key)
        ) { row in row.int(0) }
        return (others ?? 0) < Int64(Limits.phoneCommandsMax)
    }
}
