import KinClient
import KinLoop
import KinModel
import KinWords

/// Messages in rooms. A message is named by its number in the room as it was shown last.
enum MessageCommands {
    static func say(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let text = call.words.dropFirst(2).joined(separator: " ")
        call.answer(try call.call("message.send", ["room": .id(room.id), "text": .string(text)]), phrase("chat.sent"))
    }

    /// Sends pictures, documents or a place on the map, with words if there are any.
    static func send(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let text = call.words.dropFirst(2).joined(separator: " ")
        let (files, documents) = (call.values("picture"), call.values("document"))
        var pictures = try PictureCommands.saved(call)
        var spot: JSON?
        if let typed = call.value("at") {
            let numbers = typed.split(separator: ",").compactMap { Double($0.filter { !$0.isWhitespace }) }
            // In German, `48,13` is one number and not two.
            guard numbers.count == 2, typed.contains(".") || typed.contains(" "), abs(numbers[0]) <= 90,
                abs(numbers[1]) <= 180
            else {
                throw .usage(phrase("chat.no-spot", ["text": Plain.line(typed)]))
            }
            spot = MessageSpot(name: call.value("name"), lat: numbers[0], lon: numbers[1]).json
        }
        let about = try ThingChoice.named(call)
        let isBare = files.isEmpty && documents.isEmpty && pictures.isEmpty
        guard !text.isEmpty || !isBare || spot != nil || about != nil else { throw call.misused }
        for file in documents { _ = try PictureUpload.filmBytes(file, isDocument: true) }
        for file in files { pictures.append(["picture": .id(try PictureUpload.send(file, ["for": "message"], call))]) }
        for file in documents {
            pictures.append(["picture": .id(try PictureUpload.sendDocument(file, ["for": "message"], call))])
        }
        let result = try call.call(
            "message.send",
            .object(leavingOut: [
                "room": .id(room.id), "text": text.isEmpty ? nil : .string(text),
                "pictures": pictures.isEmpty ? nil : .array(pictures), "spot": spot,
                "about": about.map { .string($0) },
            ]))
        call.answer(result, phrase("chat.sent"))
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
        guard Input.confirms(call, phrase("chat.take")) else { throw Input.kept(phrase("chat.kept")) }
        call.answer(
            try call.call("message.remove", ["room": .id(room.id), "message": .id(message)]), phrase("chat.taken"))
    }

    static func search(_ call: Invocation) throws(Problem) {
        let words = call.words.dropFirst().joined(separator: " ")
        let within = try call.value("room").map { (text) throws(Problem) in try Rooms.find(text, call).room.id }
        let result = try call.call(
            "message.search",
            .object(leavingOut: ["words": .string(words), "room": within.map { .id($0) }, "limit": 100]))
        if call.wantsJSON { return call.output.say(result) }
        let messages = (result["messages"]?.array ?? []).compactMap(Message.init)
        guard !messages.isEmpty else { return call.output.say(phrase("chat.none-found")) }
        let rooms = try Rooms.all(call)
        let names = try People(call).names
        for message in messages {
            let room = rooms.first { $0.room.id == message.room }.map { names.room($0.room, .here) }
            let head = [names.member(message.author), LocalTime.near(message.at), room].compactMap(\.self)
            call.output.say(call.output.styled(head.joined(separator: " · "), "1"))
            for line in lines(message, call) { call.output.say("    " + line) }
        }
    }

    /// The last message of a room in one line.
    static func summary(_ message: LastMessage, _ call: Invocation) -> String {
        if let text = message.text { return Plain.line(text) }
        let documents = message.documents ?? 0
        let pictures = (message.pictures ?? 0) - documents
        if pictures > 0 { return phrase("chat.a-picture", ["n": pictures]) }
        if documents > 0 { return phrase("chat.a-document", ["n": documents]) }
        // A message without words and pictures that is about nothing shows a place on the map.
        return about(message.about, call) ?? phrase("chat.shows-spot")
    }

    /// The thing that a message is about: its kind and its present name, or a sentence that it is gone or out of the
    /// caller's sight. The daemon does not tell these two apart.
    static func about(_ about: String?, _ call: Invocation) -> String? {
        guard let (kind, title, isUnseen) = thing(about, call) else { return nil }
        if isUnseen { return phrase("chat.about-gone", ["kind": kind]) }
        return title.map { phrase("chat.about", ["kind": kind, "title": $0]) } ?? "(\(kind))"
    }

    /// The thing that a message or a list is about: its kind in words, and its name if the caller sees it.
    static func thing(
        _ about: String?, _ call: Invocation
    ) -> (kind: String, title: String?, isUnseen: Bool)? {
        guard let parts = about?.split(separator: "/"), parts.count == 2, let id = Identifier(parts[1]) else {
            return nil
        }
        let kind = String(parts[0])
        let name = phrase("chat.about.\(kind)")
        guard !name.hasPrefix("chat.") else { return nil }
        // Each kind has a query of its name, which answers one thing under that name.
        guard let answer = asked("\(kind).show", [kind: .id(id)], call) else { return (name, nil, false) }
        guard let shown = answer[kind] else { return (name, nil, true) }
        let title: String? =
            switch kind {
            case "meeting": shown["title"]?.string
            case "entry": shown["subject"]?.string
            case "list", "place": shown["name"]?.string
            case "picture": shown["caption"]?.string
            case "post": Post(shown).map { quoted($0, call) }
            case "meal": Meal(shown)?.title
            default: nil
            }
        return (name, title.map { Plain.line($0) }, false)
    }

    /// The daemon's answer to a question about one thing. It is empty if the thing is gone or out of sight, and `nil`
    /// if the daemon could not be asked.
    private static func asked(_ method: String, _ params: JSON, _ call: Invocation) -> JSON? {
        guard let conversation = try? call.talk() else { return nil }
        do throws(ClientFailure) { return try conversation.call(method, params) } catch {
            guard case .refused(let rejection) = error, [.notFound, .forbidden].contains(rejection.kind) else {
                return nil
            }
            return [:]
        }
    }

    /// The number of characters of a post that are quoted.
    private static let quotedMax = 280

    /// A post as a quotation, with its author.
    private static func quoted(_ post: Post, _ call: Invocation) -> String {
        let names = try? People(call).names
        let said = post.text ?? post.link ?? post.pictures.lazy.compactMap(\.caption).first
        let all = said.map { $0.count > quotedMax ? String($0.prefix(quotedMax)) + "…" : $0 }
        return [names?.member(post.author), all].compactMap(\.self).joined(separator: ": ")
    }

    /// A message, line by line.
    static func lines(_ message: Message, _ call: Invocation) -> [String] {
        let text = message.text.map { text in
            text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Plain.line(String($0)) }
        }
        var lines = text ?? []
        let documents = message.pictures.compactMap(\.document)
        let count = message.pictures.count - documents.count
        if count > 0 { lines.append(phrase("chat.pictures", ["n": count])) }
        for one in documents {
            lines.append(phrase("chat.document", ["name": Plain.line(one.name), "size": Words.bytes(one.bytes)]))
        }
        lines += message.pictures.compactMap(\.caption).map { "  " + Plain.line($0) }
        if let spot = message.spot {
            lines.append(
                phrase(
                    "chat.spot",
                    [
                        "name": spot.name.map { Plain.line($0) } ?? phrase("chat.a-spot"),
                        "at": "\(JSON.double(spot.lat).text), \(JSON.double(spot.lon).text)",
                    ]))
        }
        if let other = about(message.about, call) { lines.append(other) }
        return lines.isEmpty ? [phrase("chat.shows")] : lines
    }

    static func find(_ text: String, in room: Identifier, _ call: Invocation) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let kept = LastList(call, "messages")?.ids ?? []
        guard let number = Int(text), kept.first == room, number > 0, kept.indices.contains(number) else {
            throw Problem(.refused, phrase("chat.no-number", ["number": Plain.line(text)]))
        }
        return kept[number]
    }
}
