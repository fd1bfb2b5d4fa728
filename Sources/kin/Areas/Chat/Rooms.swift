import KinModel
import KinWords

/// The rooms of the caller. A room is named by its number in the list as it was shown last, by its name, or by the
/// beginning of that.
enum Rooms {
    static func all(_ call: Invocation) throws(Problem) -> [SeenRoom] {
        (try call.call("room.list")["rooms"]?.array ?? []).compactMap(SeenRoom.init)
            .sorted { ($0.last?.id ?? $0.room.id) > ($1.last?.id ?? $1.room.id) }
    }

    static func find(_ text: String, _ call: Invocation) throws(Problem) -> SeenRoom {
        let all = try all(call)
        let kept = LastList(call, "rooms")?.ids ?? []
        let id = Identifier(text) ?? Int(text).flatMap { kept.indices.contains($0 - 1) ? kept[$0 - 1] : nil }
        if let id, let room = all.first(where: { $0.room.id == id }) { return room }
        let names = try People(call).names
        let typed = text.lowercased()
        let called = all.map { (room: $0, name: names.room($0.room, .here).lowercased()) }
        let exact = called.filter { $0.name == typed || ($0.room.room.kind == .family && typed == "family") }
        let meant = exact.isEmpty ? called.filter { $0.name.hasPrefix(typed) } : exact
        guard meant.count < 2 else {
            // If a member and a household have the same name, the member is meant.
            if let two = meant.first(where: { $0.room.room.kind == .direct }) { return two.room }
            throw .usage(phrase("chat.several", ["name": Plain.line(text)]))
        }
        if let room = meant.first?.room { return room }
        throw Problem(.refused, phrase("chat.no-room", ["name": Plain.line(text)]))
    }
}

/// Shows and changes rooms.
enum RoomCommands {
    static func overview(_ call: Invocation) throws(Problem) {
        let rooms = try Rooms.all(call)
        if call.wantsJSON { return call.output.say(["rooms": .array(rooms.map(\.json))]) }
        LastList(call, "rooms")?.keep(rooms.map(\.room.id))
        let names = try People(call).names
        for (index, seen) in rooms.enumerated() {
            var head = names.room(seen.room, .here)
            if seen.own.unread > 0 { head += " · " + phrase("chat.new", ["n": seen.own.unread]) }
            if let until = seen.own.mutedUntil, until > LocalTime.now {
                head += " · " + phrase("chat.muted", ["time": LocalTime.near(until)])
            }
            call.output.say(Plain.padded("\(index + 1)", 4) + call.output.styled(head, seen.own.unread > 0 ? "1" : "0"))
            guard let last = seen.last else { continue }
            let said = MessageCommands.summary(last, call)
            call.output.say("    \(LocalTime.near(last.at)) \(names.member(last.author)): \(said)")
        }
        call.output.say(phrase(rooms.isEmpty ? "chat.none" : "chat.hint"))
    }

    static func open(_ call: Invocation) throws(Problem) {
        let others = try members(call.words.dropFirst(), call)
        let result = try call.call(
            "room.open",
            .object(leavingOut: [
                "with": .array(others.map { .id($0) }), "name": call.value("name").map { .string($0) },
            ]))
        guard let room = result["room"].flatMap(SeenRoom.init) else { return }
        call.answer(result, phrase("chat.opened", ["room": try People(call).names.room(room.room, .here)]))
    }

    static func mute(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        var until = LocalTime.now.adding(seconds: 10 * 365 * 86_400)
        if let text = call.value("until") {
            guard let time = Words.ahead(text, now: LocalTime.now) else {
                throw .usage(phrase("chat.no-time", ["text": Plain.line(text)]))
            }
            until = time
        }
        call.answer(
            try call.call("room.set", ["room": .id(room.id), "mutedUntil": .time(until)]), phrase("chat.is-muted"))
    }

    static func unmute(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        call.answer(
            try call.call("room.set", ["room": .id(room.id), "mutedUntil": .null]), phrase("chat.is-unmuted"))
    }

    static func reads(_ call: Invocation) throws(Problem) {
        guard let shows = ["on": true, "off": false][call.words[2].lowercased()] else { throw call.misused }
        let room = try Rooms.find(call.words[1], call).room
        call.answer(
            try call.call("room.set", ["room": .id(room.id), "showsRead": .bool(shows)]),
            phrase(shows ? "chat.shows-read" : "chat.shows-read-no-more"))
    }

    static func rename(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let name = call.words.dropFirst(2).joined(separator: " ")
        call.answer(
            try call.call("room.update", ["room": .id(room.id), "name": .string(name)]), phrase("chat.renamed"))
    }

    static func change(_ call: Invocation, _ what: String, _ done: String) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let others = try members(call.words.dropFirst(2), call)
        call.answer(
            try call.call("room.update", ["room": .id(room.id), what: .array(others.map { .id($0) })]), done)
    }

    static func leave(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        guard Input.confirms(call, phrase("chat.leave")) else { throw Input.kept(phrase("chat.stayed")) }
        call.answer(try call.call("room.leave", ["room": .id(room.id)]), phrase("chat.left"))
    }

    /// Shows the rooms of a child to an adult who is responsible for it.
    static func of(_ call: Invocation) throws(Problem) {
        let people = try People(call)
        let child = try people.member(call.words[1])
        let result = try call.call("room.of", ["member": .id(child.id)])
        if call.wantsJSON { return call.output.say(result) }
        let rooms = (result["rooms"]?.array ?? []).compactMap(Room.init)
        guard !rooms.isEmpty else { return call.output.say(phrase("chat.of-nobody")) }
        for room in rooms {
            let others = room.members.filter { $0 != child.id }.map { people.names.member($0) }
            call.output.say(others.joined(separator: ", "))
        }
    }

    private static func members(_ words: ArraySlice<String>, _ call: Invocation) throws(Problem) -> [Identifier] {
        let people = try People(call)
        let typed = words.joined(separator: " ").split(separator: ",").map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        return try typed.map { (name) throws(Problem) in try people.member(name).id }
    }
}
