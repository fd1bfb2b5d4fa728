import KinModel

extension Meet {
    static let views = ["invitations", "hosting", "coming", "past"]

    /// Shows one view, or all meetings that are not over; with words, only those that they find.
    func list(_ words: [String]) throws(Problem) {
        let view = words.first.map { $0.lowercased() }.flatMap { Self.views.contains($0) ? $0 : nil }
        let search = words.dropFirst(view == nil ? 0 : 1).joined(separator: " ")
        let choice = MeetingChoice(call)
        var results: [(String, JSON)] = []
        var views: [(view: String, meetings: [SeenMeeting])] = []
        for name in view.map({ [$0] }) ?? (search.isEmpty ? MeetingChoice.current : Self.views) {
            let (meetings, result) = try choice.page(name, words: search.isEmpty ? nil : search)
            let known = views.flatMap { $0.meetings.map(\.meeting.id) }
            views.append((name, meetings.filter { !known.contains($0.meeting.id) }))
            results.append((name, result))
        }
        if call.wantsJSON {
            if view != nil, let (_, result) = results.first { return call.output.say(result) }
            var all: JSON.Object = [:]
            for (name, result) in results { all[name] = result["meetings"] ?? [] }
            return call.output.say(.object(all))
        }
        let people = try People(call)
        let voters = results.reduce(into: [:]) { $0.merge(MeetingChoice.voters($1.1)) { $1 } }
        let screen = MeetingsScreen(
            views: views, names: people.names, me: try people.me(call)?.id, now: now, voters: voters)
        guard !screen.ids.isEmpty else {
            return call.output.say(phrase(search.isEmpty ? "meet.none" : "meet.none-found"))
        }
        LastList(call, "meetings")?.keep(screen.ids)
        call.output.say(screen.lines(call.output.width ?? Help.width, isColoured: call.output.isColoured))
    }

    func show() throws(Problem) {
        let id = try meant().meeting.id
        let shown = try call.call("meeting.show", ["meeting": .id(id)])
        if call.wantsJSON { return call.output.say(shown) }
        let people = try People(call)
        guard
            let screen = MeetingScreen(shown, names: people.names, me: try people.me(call)?.id, now: now)
        else { throw Problem(.notReachable, phrase("meet.strange")) }
        call.output.say(screen.lines(call.output.width ?? Help.width, isColoured: call.output.isColoured))
        for line in try conflicts(screen.meeting, people.names) { call.output.say(line) }
    }
}

extension People {
    /// The member for whom the daemon takes the caller.
    func me(_ call: Invocation) throws(Problem) -> Member? {
        guard let username = try call.door().username else { return nil }
        return members.first { $0.username == username }
    }
}
