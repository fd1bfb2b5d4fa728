import KinCalendar
package import KinModel

/// Entries as one sees them: what each is called.
package struct KnownEntries: Known {
    private var subjects: [Identifier: String] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) {
        for entry in snapshot.entries.values { learn(entry) }
    }

    package mutating func learn(_ data: JSON) {
        if let entry = data["entry"].flatMap(Entry.init) { learn(entry) }
    }

    package mutating func learn(_ event: Event) { learn(event.data) }

    private mutating func learn(_ entry: Entry) { subjects[entry.id] = Plain.line(entry.subject) }

    fileprivate subscript(id: Identifier) -> String? { subjects[id] }
}

extension Names {
    /// What an entry is called.
    package func entry(_ id: Identifier, _ reader: Reader) -> String {
        self[KnownEntries.self][id] ?? reader.phrase("names.an-entry")
    }

    /// What a calendar is called: by its name, or by what it is for.
    package func calendar(_ calendar: FamilyCalendar, _ reader: Reader) -> String {
        if let name = calendar.name { return Plain.line(name) }
        switch calendar.kind {
        case .family: return reader.phrase("calendar.family")
        case .household: return reader.phrase("calendar.household", ["household": household(calendar.id, reader)])
        case .personal: return reader.phrase("calendar.personal", ["member": member(calendar.id, reader)])
        case .added: return reader.phrase("names.a-calendar")
        case .subscribed: return reader.phrase("calendar.subscribed")
        case .meetings: return reader.phrase("calendar.meetings")
        case .toDecide: return reader.phrase("calendar.to-decide")
        case .birthdays: return reader.phrase("calendar.birthdays")
        }
    }
}

extension Reader {
    /// When an entry first begins, in its own clock's words.
    package func start(of times: EntryTimes) -> String {
        guard let civil = Civil(times.isAllDay ? times.start + "T00:00" : times.start) else { return times.start }
        return times.isAllDay ? date(civil) : date(civil) + " " + time(civil)
    }
}
