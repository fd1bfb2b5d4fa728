import KinLoop
import KinModel
import KinWords

/// What is said in rooms. A message is named by its number in the room as it was shown last.
enum MessageCommands {
    static func say(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let text = call.words.dropFirst(2).joined(separator: " ")
        call.answer(try call.call("message.send", ["room": .id(room.id), "text": .string(text)]), phrase("chat.sent"))
    }

    static func answer(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let message = try find(call.words[2], in: room.id, call)
        let text = call.words.dropFirst(3).joined(separator: " ")
        call.answer(
            try call.call("message.send", ["room": .id(room.id), "text": .string(text), "reply": .id(message)]),
            phrase("chat.sent"))
    }

    static func edit(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let message = try find(call.words[2], in: room.id, call)
        let text = call.words.dropFirst(3).joined(separator: " ")
        call.answer(
            try call.call("message.update", ["room": .id(room.id), "message": .id(message), "text": .string(text)]),
            phrase("chat.changed"))
    }

    static func take(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let message = try find(call.words[2], in: room.id, call)
        guard Input.confirms(call, phrase("chat.take")) else { throw Problem(.refused, phrase("chat.kept")) }
        call.answer(
            try call.call("message.remove", ["room": .id(room.id), "message": .id(message)]), phrase("chat.taken"))
    }

    static func search(_ call: Invocation) throws(Problem) {
        let words = call.words.dropFirst().joined(separator: " ")
        let result = try call.call("message.search", ["words": .string(words)])
        if call.wantsJSON { return call.output.say(result) }
        let messages = (result["messages"]?.array ?? []).compactMap(Message.init)
        guard !messages.isEmpty else { return call.output.say(phrase("chat.none-found")) }
        let rooms = try Rooms.all(call)
        let names = try People(call).names
        for message in messages {
            let room = rooms.first { $0.room.id == message.room }.map { names.room($0.room, .here) }
            let head = [names.member(message.author), LocalTime.near(message.at), room].compactMap(\.self)
            call.output.say(call.output.styled(head.joined(separator: " · "), "1"))
            for line in lines(message) { call.output.say("    " + line) }
        }
    }

    /// What a message says, line by line.
    static func lines(_ message: Message) -> [String] {
        let text = message.text.map { text in
            text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Plain.line(String($0)) }
        }
        return text ?? [phrase("chat.shows")]
    }

    private static func find(_ text: String, in room: Identifier, _ call: Invocation) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let kept = LastList(call, "messages")?.ids ?? []
        guard let number = Int(text), kept.first == room, number > 0, kept.indices.contains(number) else {
            throw Problem(.refused, phrase("chat.no-number", ["number": Plain.line(text)]))
        }
        return kept[number]
    }
}
