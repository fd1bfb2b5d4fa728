import KinModel

/// What is said in rooms, and who is in them.
extension ChatPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "chat",
            known: [KnownRooms.self], sentence: { $0.chat() },
            isEcho: { $0.event.type == Room.read.name },
            line: { (voice, line, entry) in voice.room(line, entry) },
            headings: ["room": { (voice, id) in id.map { voice.names.room($0, voice.reader) } ?? "" }],
            signs: ["room": ("speech_balloon", "chat")])
    }
}

extension Voice {
    /// What happened in a room or to it.
    func chat() -> String? {
        switch event.type {
        case Room.opened.name: event[Room.opened].map { told("event.room.opened", $0.room) }
        case Room.updated.name: event[Room.updated].map { told("event.room.updated", $0.room) }
        case Room.shown.name: event[Room.shown].map { told("event.room.shown", $0.room) }
        case Room.hidden.name: event[Room.hidden].map { _ in phrase("event.room.hidden") }
        case Room.read.name:
            event[Room.read].map { phrase("event.room.read", ["room": names.room($0.room, reader)]) }
        case Message.sent.name: event[Message.sent].map { said("event.message.sent", $0.message) }
        case Message.updated.name: event[Message.updated].map { said("event.message.updated", $0.message) }
        case Message.removed.name:
            event[Message.removed].map {
                phrase("event.message.removed", ["by": somebody, "room": names.room($0.room, reader)])
            }
        case Message.cleared.name:
            event[Message.cleared].map {
                phrase(
                    "event.message.cleared",
                    ["by": names.member($0.author, reader), "room": names.room($0.room, reader)])
            }
        case Message.seen.name:
            event[Message.seen].map {
                phrase(
                    $0.upTo == nil ? "event.message.seen.no-more" : "event.message.seen",
                    ["by": names.member($0.member, reader), "room": names.room($0.room, reader)])
            }
        default: nil
        }
    }

    private var somebody: String { by ?? phrase("by.daemon") }

    private func told(_ key: String, _ room: Room) -> String {
        phrase(key, ["by": somebody, "room": names.room(room, reader)])
    }

    private func said(_ key: String, _ message: Message) -> String {
        phrase(
            key,
            [
                "by": names.member(message.author, reader), "room": names.room(message.room, reader),
                "text": message.text.map { Plain.line($0) } ?? reader.shown(message),
            ])
    }
}

extension Reader {
    /// What a message without words shows.
    func shown(_ message: Message) -> String {
        if message.spot != nil { return phrase("message.spot") }
        let documents = message.pictures.compactMap(\.document)
        let count = message.pictures.count - documents.count
        if count > 0 { return phrase("message.pictures", ["n": count]) }
        guard !documents.isEmpty else { return phrase("message.shows") }
        return phrase("message.documents", ["names": documents.map { Plain.line($0.name) }.joined(separator: ", ")])
    }
}

extension InboxVoice {
    /// What a line says of a room.
    func room(_ line: JSON, _ entry: InboxEntry) -> String? {
        let room = entry.subject.map { names.room($0, reader) } ?? ""
        let isDirect = entry.subject.map { names.isDirect($0) } ?? false
        return switch line["kind"]?.string {
        case "message" where isDirect: phrase(Self.toYou(line), ["by": by(line)])
        case "message": phrase(Self.message(line), ["by": by(line), "room": room])
        case "addressed": phrase("inbox.addressed", ["by": by(line), "room": room])
        default: nil
        }
    }

    private static func message(_ line: JSON) -> String {
        switch line["shows"]?.string {
        case "picture": "inbox.message.picture"
        case "spot": "inbox.message.spot"
        default: "inbox.message"
        }
    }

    private static func toYou(_ line: JSON) -> String {
        switch line["shows"]?.string {
        case "picture": "inbox.message.picture.to-you"
        case "spot": "inbox.message.spot.to-you"
        default: "inbox.message.to-you"
        }
    }
}
