import KinModel
import KinWords

extension CommandArea {
    /// The commands for rooms in which some of the family talk.
    static let chat = CommandArea(
        name: "Chat", group: .messages, commands: [.chat],
        file: "chat",
        lookups: [
            Lookup(
                placeholder: "ROOM", word: "rooms",
                names: { (call) throws(Problem) in
                    let names = try People(call).names
                    return try Rooms.all(call).map { names.room($0.room, .here) }
                })
        ],
        inboxKinds: ["message", "addressed"],
        filters: [
            Filter(option: "room", placeholder: "ROOM") { (call, text) throws(Problem) in
                "room/\(try Rooms.find(text, call).room.id)"
            }
        ],
        explain: { (call, entries, names) in
            // Rooms have names as in the list of rooms. One that the caller is in no longer has none.
            if entries.contains(where: { $0.about.hasPrefix("room/") }), let rooms = try? Rooms.all(call) {
                for seen in rooms { names.learn(["room": seen.room.json] as JSON) }
            }
        })
}

extension Command {
    static let chat = Command(
        name: "chat",
        usage: [
            "chat", "chat ROOM [--limit COUNT]", "chat older [--limit COUNT]",
            "chat with MEMBER[,MEMBER]… [--name NAME]", "chat say ROOM TEXT…",
            "chat send ROOM [TEXT…] [--picture FILE]… [--document FILE]… [--saved NUMBER]… [--at DEGREES] [--name NAME]"
                + " [--about THING]",
            "chat answer ROOM NUMBER TEXT…", "chat edit ROOM NUMBER TEXT…", "chat take ROOM NUMBER [--yes]",
            "chat vote ROOM NUMBER TIME… [--title TITLE] [--for SPAN] [--deadline TIME]",
            "chat search WORDS… [--room ROOM]", "chat mute ROOM [--until TIME]", "chat unmute ROOM",
            "chat reads ROOM on|off",
            "chat name ROOM NAME…", "chat add ROOM MEMBER[,MEMBER]…", "chat out ROOM MEMBER[,MEMBER]…",
            "chat leave ROOM [--yes]", "chat of MEMBER",
        ],
        options: [
            .value("name", "NAME"), .value("limit", "COUNT"), .value("until", "TIME"),
            .value("picture", "FILE"), .value("document", "FILE"),
            .value("saved", "NUMBER"), .value("at", "DEGREES"), .value("about", "THING"),
            .value("title", "TITLE"), .value("for", "SPAN"), .value("zone", "ZONE"), .value("deadline", "TIME"),
            .value("room", "ROOM"), .flag("yes"),
        ],
        words: 0...1000,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("", 0): try RoomCommands.overview(call)
            case ("older", 1): try Talk.older(call)
            case ("with", 2...): try RoomCommands.open(call)
            case ("say", 3...): try MessageCommands.say(call)
            case ("send", 2...): try MessageCommands.send(call)
            case ("answer", 4...): try MessageCommands.answer(call)
            case ("edit", 4...): try MessageCommands.edit(call)
            case ("take", 3): try MessageCommands.take(call)
            case ("vote", 4...): try MessageCommands.vote(call)
            case ("search", 2...): try MessageCommands.search(call)
            case ("mute", 2): try RoomCommands.mute(call)
            case ("unmute", 2): try RoomCommands.unmute(call)
            case ("reads", 3): try RoomCommands.reads(call)
            case ("name", 3...): try RoomCommands.rename(call)
            case ("add", 3...): try RoomCommands.change(call, "add", phrase("chat.added"))
            case ("out", 3...): try RoomCommands.change(call, "remove", phrase("chat.taken-out"))
            case ("leave", 2): try RoomCommands.leave(call)
            case ("of", 2): try RoomCommands.of(call)
            default: try Talk(call).run()
            }
        })
}
