import KinCalendar
import KinModel
import KinWords

extension MessageCommands {
    /// The number of messages of a room that are searched for the one that becomes a vote.
    private static let lookedAtMax: Int64 = 100

    /// Makes a vote on times from a message. It asks the members of the room, and shows the vote there as an answer.
    static func vote(_ call: Invocation) throws(Problem) {
        let room = try Rooms.find(call.words[1], call).room
        let message = try find(call.words[2], in: room.id, call)
        let meet = Meet(call)
        let zone = try meet.zone(of: nil)
        let times = try meet.typed(Array(call.words.dropFirst(3)), zone: zone).sorted {
            ($0.start, $0.end) < ($1.start, $1.end)
        }
        let deadline = try call.value("deadline").map { (text) throws(Problem) in
            try meet.deadline(text, zone: zone)
        }
        var title = call.value("title")
        if title == nil { title = try said(message, in: room.id, call) }
        guard let title else { throw .usage(phrase("chat.no-title")) }
        for doubt in Meet.doubts(times, deadline: deadline, now: meet.now) {
            try meet.settle(doubt, "meet.propose-it")
        }
        let people = try People(call)
        let asked = asked(in: room, people)
        let proposed = try call.call(
            "meeting.propose",
            .object(leavingOut: [
                "title": .string(title), "kind": .string(asked.count > 1 ? "group" : "solo"),
                "slots": .array(times.map { Meet.json($0) }), "zone": .string(zone.name),
                "invitees": asked.isEmpty ? nil : .array(asked.map { .id($0) }),
                "deadline": deadline.map { .time($0) },
            ]))
        guard let id = proposed["meeting"]?["id"]?.identifier else {
            throw Problem(.notReachable, phrase("meet.strange"))
        }
        let said: KeyValuePairs<String, any CustomStringConvertible> = [
            "title": Plain.line(title), "room": people.names.room(room, .here),
        ]
        do throws(Problem) {
            _ = try call.call(
                "message.send", ["room": .id(room.id), "about": .string("meeting/\(id)"), "reply": .id(message)])
        } catch {
            // Without this warning the caller would start the vote once more.
            call.output.warn(phrase("chat.vote-unshown", said))
            throw error
        }
        if call.wantsJSON { return call.output.say(proposed) }
        call.output.say(phrase("chat.vote-begun", said))
        for (index, time) in times.enumerated() { call.output.say("  \(index + 1)  \(time.said(now: meet.now))") }
    }

    /// The beginning of a message, if it has words and is among the newer ones.
    private static func said(
        _ message: Identifier, in room: Identifier, _ call: Invocation
    ) throws(Problem) -> String? {
        let page = try call.call("message.list", ["room": .id(room), "limit": .int(lookedAtMax)])
        let found = (page["messages"]?.array ?? []).compactMap(Message.init).first { $0.id == message }
        guard let line = found?.text?.split(whereSeparator: \.isNewline).first else { return nil }
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(Limits.meetingTitleCharactersMax)))
    }

    /// The members of a room besides the caller: those whom it names, or else the family or the household without
    /// guests.
    private static func asked(in room: Room, _ people: People) -> [Identifier] {
        let me = people.names.me
        let others = people.members.filter { $0.id != me && $0.kind != .wall }
        guard room.members.isEmpty else { return others.map(\.id).filter { room.members.contains($0) } }
        return others.filter { member in
            member.role != .guest && (room.household == nil || member.household == room.household)
        }.map(\.id)
    }
}
