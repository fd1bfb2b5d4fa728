import KinCalendar
import KinModel
import KinWords

extension Meet {
    /// Proposes a meeting, after saying how the times were understood.
    func propose() throws(Problem) {
        let zone = try zone(of: nil)
        let find = try find()
        let times =
            try find != nil
            ? []
            : typed(Array(call.words.dropFirst(2)), zone: zone).sorted {
                ($0.start, $0.end) < ($1.start, $1.end)
            }
        let people = try People(call)
        let invitees = try named(call.values("with"), people)
        let kind: Meeting.Kind = call.has("public") ? .public : invitees.count > 1 ? .group : .solo
        let deadline = try call.value("deadline").map { (text) throws(Problem) in try self.deadline(text, zone: zone) }
        for doubt in Self.doubts(times, deadline: deadline, now: now) { try settle(doubt, "meet.propose-it") }
        let result = try call.call(
            "meeting.propose",
            .object(leavingOut: [
                "title": .string(call.words[1]), "kind": .string(kind.rawValue),
                "slots": find != nil ? nil : .array(times.map { Self.json($0) }), "find": find,
                "zone": .string(zone.name),
                "invitees": invitees.isEmpty ? nil : .array(invitees.map { .id($0) }),
                "place": call.value("place").map { .string($0) }, "note": call.value("note").map { .string($0) },
                "deadline": deadline.map { .time($0) },
            ]))
        if call.wantsJSON { return call.output.say(result) }
        let meeting = SeenMeeting(result)?.meeting
        let title = Plain.line(call.words[1])
        let names = people.names
        switch kind {
        case .public: call.output.say(phrase("meet.proposed-public", ["title": title]))
        case .solo where invitees.isEmpty: call.output.say(phrase("meet.proposed-alone", ["title": title]))
        case .solo, .group:
            let who = invitees.map { names.member($0) }.joined(separator: ", ")
            call.output.say(phrase("meet.proposed", ["title": title, "names": who]))
        }
        for (index, time) in times.enumerated() { call.output.say("  \(index + 1)  \(time.said(now: now))") }
        if find != nil, let meeting {
            for (index, slot) in meeting.slots.enumerated() { call.output.say("  \(index + 1)  \(span(slot))") }
            try sayUnknown(meeting, people)
        }
        if let deadline { call.output.say(phrase("meet.deadline", ["time": LocalTime.near(deadline, now: now)])) }
        if kind == .solo, invitees.isEmpty {
            let name = MeetingScreen.slug(call.words[1])
            call.output.say(phrase("meet.invite", ["meeting": name]))
        }
        if let zone = LocalTime.zone, let meeting, zone.name != meeting.zone {
            call.output.say(phrase("meet.zone", ["zone": meeting.zone]))
        }
        let (kin, slug) = (NextSteps.kin(call), MeetingScreen.slug(call.words[1]))
        var steps = NextSteps()
        if kind == .public || !invitees.isEmpty {
            steps.add(
                "meet.next.vote",
                "kin meet vote \(slug) \((meeting?.slots.count ?? times.count) == 1 ? "" : "1=")\(phrase("answer.yes"))"
            )
        }
        steps.add("meet.next.show", "\(kin) meet show \(slug)")
        steps.say(call)
    }

    /// Asks about times that may be typed by mistake: a time that has begun, or a deadline too late for the first time.
    /// `first` is the beginning of the first of the meeting's other times.
    static func doubts(
        _ times: [TypedTime], besides first: Instant? = nil, deadline: Instant?, now: Instant
    ) -> [String] {
        var doubts = times.filter { $0.start <= now }.map {
            phrase("meet.begun", ["time": LocalTime.span($0.start, $0.end, now: now)])
        }
        if let deadline, let first = (times.map(\.start) + [first].compactMap { $0 }).min(), deadline > first {
            doubts.append(
                phrase(
                    "meet.late",
                    ["deadline": LocalTime.near(deadline, now: now), "time": LocalTime.near(first, now: now)]))
        }
        return doubts
    }

    /// Asks the caller. If nobody can be asked, the answer is no.
    func settle(_ doubt: String, _ question: String) throws(Problem) {
        guard !Input.confirms(call, doubt + " " + phrase(question)) else { return }
        throw .usage(Input.isTerminal ? phrase("input.undone") : doubt + " " + phrase("input.say-yes"))
    }

    /// Reads typed times in a zone.
    func typed(_ words: [String], zone: Zone) throws(Problem) -> [TypedTime] {
        var lasts: Int64?
        if let text = call.value("for") {
            guard let seconds = Words.seconds(text) else {
                throw .usage(phrase("meet.no-span", ["text": Plain.line(text)]))
            }
            lasts = seconds
        }
        return try TypedTime.all(words, now: now, zone: zone, lastsSeconds: lasts)
    }

    /// The zone of `--zone`, or else the meeting's, or else the terminal's.
    func zone(of meeting: Meeting?) throws(Problem) -> Zone {
        if let name = call.value("zone") ?? meeting?.zone {
            guard let zone = Zone(name) else { throw .usage(phrase("when.bad-zone", ["zone": Plain.line(name)])) }
            return zone
        }
        guard let zone = LocalTime.zone else { throw .usage(phrase("when.no-zone")) }
        return zone
    }

    /// Reads a moment: a typed time, or a span from now.
    func deadline(_ text: String, zone: Zone) throws(Problem) -> Instant {
        if let seconds = Words.seconds(text) { return now.adding(seconds: seconds) }
        if let instant = Instant(text) { return instant }
        // A vote until Friday: some people would mean the end of that day.
        return try TypedTime(text, now: now, zone: zone).start
    }

    /// Members by name, several with commas; a household stands for all who live there.
    func named(_ texts: [String], _ people: People) throws(Problem) -> [Identifier] {
        var ids: [Identifier] = []
        for text in texts.flatMap({ $0.split(separator: ",").map { String($0).trimmed } }) where !text.isEmpty {
            let household = people.households.first { $0.name.lowercased() == text.lowercased() }
            let isMember = people.members.contains {
                $0.username == text || $0.displayName.lowercased() == text.lowercased()
            }
            let found: [Identifier]
            if let household, !isMember {
                found = people.members.filter { $0.household == household.id }.map(\.id)
            } else {
                found = [try people.member(text).id]
            }
            for id in found where !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    static func json(_ time: TypedTime) -> JSON { ["start": .time(time.start), "end": .time(time.end)] }
}

extension String {
    fileprivate var trimmed: String { Plain.trimmed(String(drop { $0 == " " })) }
}

// MARK: Times that are found

extension Meet {
    /// The parameters of `--find`, if it is given: so many days from tomorrow on, between two times of the day.
    private func find() throws(Problem) -> JSON? {
        guard let text = call.value("find") else { return nil }
        guard call.words.count == 2, let days = Int(text), (1...62).contains(days) else {
            throw .usage(phrase("meet.bad-find"))
        }
        let minutes = try call.value("for").map { (text) throws(Problem) -> Int64 in
            guard let seconds = Words.seconds(text) else {
                throw .usage(phrase("meet.no-span", ["text": Plain.line(text)]))
            }
            return seconds / 60
        }
        let today = LocalTime.civil(now)
        let hours = (call.value("between") ?? "18:00-22:00").split(separator: "-").map { part in
            part.contains(":") ? String(part) : part + ":00"
        }.map { $0.utf8.count == 4 ? "0" + $0 : $0 }
        guard hours.count == 2 else { throw .usage(phrase("meet.bad-between")) }
        return [
            "from": .day(today.adding(days: 1)), "to": .day(today.adding(days: days)),
            "minutes": .int(minutes ?? 120), "earliest": .string(hours[0]), "latest": .string(hours[1]),
        ]
    }

    /// Members whose calendars the caller does not see may not be free.
    private func sayUnknown(_ meeting: Meeting, _ people: People) throws(Problem) {
        let found = try call.call("meeting.conflicts", ["meeting": .id(meeting.id)])
        let unknown = (found["slots"]?.array?.first?["unknown"]?.array ?? []).compactMap(\.identifier)
        guard !unknown.isEmpty else { return }
        let names = people.names
        call.output.say(phrase("meet.unknown", ["names": unknown.map { names.member($0) }.joined(separator: ", ")]))
    }

    /// The conflicts of each slot: the caller's own, and for the host the names of others who are busy.
    func conflicts(_ meeting: Meeting, _ names: Names) throws(Problem) -> [String] {
        guard meeting.state == .open || meeting.state == .closed else { return [] }
        let found = try call.call("meeting.conflicts", ["meeting": .id(meeting.id)])
        var lines: [String] = []
        for (index, slot) in (found["slots"]?.array ?? []).enumerated() {
            for one in slot["own"]?.array ?? [] {
                guard let start = one["start"]?.instant, let end = one["end"]?.instant else { continue }
                let subject = one["subject"]?.string.map { Plain.line($0) } ?? phrase("meet.something")
                lines.append(
                    "  "
                        + phrase(
                            "meet.conflict",
                            ["n": index + 1, "entry": subject, "time": LocalTime.span(start, end, now: now)]))
            }
            let busy = (slot["busy"]?.array ?? []).compactMap(\.identifier)
            if !busy.isEmpty {
                let who = busy.map { names.member($0) }.joined(separator: ", ")
                lines.append(
                    "  " + phrase("meet.busy", ["n": index + 1, "names": who]))
            }
        }
        return lines.isEmpty ? [] : [""] + lines
    }
}
