import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// A client's writes to a shelf, and its removals.
struct ShelfWriting {
    /// The reason why nothing is done: the rule of CalDAV, a sentence, and the name of the item that stands in the way.
    struct Refusal {
        let rule: String
        let sentence: String
        var name: String?

        var outcome: Outcome {
            .done(
                .object(leavingOut: [
                    "refused": .string(rule), "sentence": .string(sentence), "name": name.map { .string($0) },
                ]))
        }
    }

    private let shelf: Shelf
    private let name: String
    /// The entry that is there already.
    private let known: StoredEntry?
    /// The original, if the entry is a copy.
    private let copied: Copied?
    private let params: Params

    init(_ params: Params, _ act: Act) throws(Rejection) {
        shelf = try Shelf.named(params, act)
        name = try params.string("name")
        self.params = params
        known = try shelf.entry(name, act)
        copied = try Self.copied(params, act)
        if ShelfBusy.isName(name) || shelf.calendar.kind == .birthdays { throw Self.readOnly }
    }

    private static var readOnly: Rejection {
        Rejection(.forbidden, "You cannot write into this calendar.", field: "shelf")
    }

    /// The refusal where the present state is not the one that the client knows (RFC 9110 §13.1; RFC 6638, 8.3).
    private func unmet(_ act: Act) throws(Rejection) -> Refusal? {
        let changed = Refusal(rule: "changed", sentence: "It has changed meanwhile.")
        if params["absent"]?.bool == true, known != nil { return changed }
        if params["there"]?.bool == true, known == nil { return changed }
        if let plan = params.optionalString("plan"), known?.planTag.hasSameBytes(as: plan) != true { return changed }
        guard let tags = params["tags"]?.array?.compactMap(\.string) else { return nil }
        guard let known else { return changed }
        let tag = known.tag(try EntryOwn(of: shelf.reader.id, [known], act), act)
        return tags.contains { $0.hasSameBytes(as: tag) } ? nil : changed
    }

    // MARK: Putting

    func put(_ act: Act) throws(Rejection) -> Outcome {
        if let refusal = try unmet(act) { return refusal.outcome }
        let text = params["text"]?.string ?? ""
        var item: ICalItem
        switch try read(text, act) {
        case .failure(let refusal): return refusal.refusal.outcome
        case .success(let read): item = read
        }
        try findMembers(&item, act)
        guard let uid = item.uid, !uid.isEmpty else {
            return Refusal(rule: "data", sentence: "It has no UID.").outcome
        }
        if let known {
            guard known.uid(to: shelf.reader.id).hasSameBytes(as: uid) else {
                return Refusal(rule: "uid", sentence: "An entry keeps its UID.", name: name).outcome
            }
        } else if let other = try shelf.entry(uid: uid, act) {
            return try Self.doubled(other, on: shelf, act).outcome
        }
        if let refusal = try refusalOfCopy(act) { return refusal.outcome }
        guard let known else { return try add(item, uid: uid, act) }
        return try change(known, item, act)
    }

    /// The refusal of a UID that an entry of a shelf already has (RFC 4791, 5.3.2.1). An entry that the reader does not
    /// see is no reason to refuse.
    private static func doubled(_ other: StoredEntry, on shelf: Shelf, _ act: Act) throws(Rejection) -> Refusal {
        let given = try ShelfName.name(of: other.wire.id, in: shelf.calendar.id, of: shelf.reader.id, act)
        return Refusal(
            rule: "uid", sentence: "Another entry of this calendar has this UID.",
            name: given ?? "\(other.wire.id)\(ShelfName.suffix)")
    }

    /// Finds members by the addresses that the writer may see.
    private func findMembers(_ item: inout ICalItem, _ act: Act) throws(Rejection) {
        guard item.raw?.hasBytes(of: "ATTENDEE") == true || item.raw?.hasBytes(of: "ORGANIZER") == true else { return }
        let writer = shelf.reader.id
        item.findMembers(try MailBook(of: writer, act), owner: known?.wire.owner ?? writer, writer: writer)
    }

    private struct Refused: Error { let refusal: Refusal }

    /// The one event that a text contains.
    private func read(_ text: String, _ act: Act) throws(Rejection) -> Result<ICalItem, Refused> {
        func refused(_ rule: String, _ sentence: String) -> Result<ICalItem, Refused> {
            .failure(Refused(refusal: Refusal(rule: rule, sentence: sentence)))
        }
        let bytes = Array(text.utf8)
        guard bytes.count <= Limits.shelfItemBytesMax else {
            return refused("size", "An entry has \(Limits.shelfItemBytesMax >> 10) KiB at most.")
        }
        guard
            bytes.prefix(64).split(whereSeparator: { $0 == 10 || $0 == 13 }).first.map({
                String(decoding: $0, as: UTF8.self).uppercased()
            }) == "BEGIN:VCALENDAR"
        else {
            return refused("data", "It is no iCalendar: it does not begin with BEGIN:VCALENDAR.")
        }
        let file = ICalFile(bytes, reader: try Calendars.zone(of: shelf.reader.id, act), itemsMax: 2)
        guard let item = file.items.first, file.items.count == 1, !file.isCut else {
            return refused("object", "One object has one event, and the times of it that are otherwise.")
        }
        guard item.entry != nil else {
            let sentence = item.remarks.last ?? "It holds no event."
            return refused(item.isOtherThanEvent ? "component" : "data", sentence)
        }
        return .success(item)
    }

    private func add(_ item: ICalItem, uid: String, _ act: Act) throws(Rejection) -> Outcome {
        guard shelf.isWritten else { throw Self.readOnly }
        guard try act.memory(CalendarMemory.self).held(act) < Limits.entriesMax else {
            return Refusal(
                rule: "room", sentence: "The family's calendars hold \(Limits.entriesMax) entries at most."
            ).outcome
        }
        try Calendars.spend(act)
        var calendar = shelf.calendar
        let copied = original?.wire
        guard let made = try Calendars.made(of: item, instead: nil, copying: copied, in: calendar.id, act) else {
            return Refusal(rule: "data", sentence: "It holds no event.").outcome
        }
        var stored = StoredEntry(made, uid: uid)
        stored.raw = item.raw
        if let original { stored.sharedWith = Self.audience(ofCopyOf: original, act) }
        try stored.giveWay(in: calendar, act)
        try stored.takeCategory(act)
        try stored.save(instead: nil, in: &calendar, act)
        _ = try EntryAlarms.say(item.alarms, of: shelf.reader.id, for: stored, stored.wire, act)
        try stored.remindInvited(besides: [], in: calendar, act)
        try ShelfName.give(name, to: made.id, in: calendar.id, of: shelf.reader.id, act)
        return written(stored, isNew: true)
    }

    /// Changes the entry, if the member may change it. From an invitee only the answer is taken.
    private func change(_ known: StoredEntry, _ item: ICalItem, _ act: Act) throws(Rejection) -> Outcome {
        let reader = shelf.reader.id
        let isInvited = known.wire.invitees.contains { $0.member == reader }
        var mayChange = true
        do throws(Rejection) { try known.requireChangeable(act) } catch {
            var isKeeper = isInvited
            if !isKeeper { isKeeper = try ringsAlone(known, item, act) }
            guard isKeeper, error.kind == .forbidden || error.kind == .conflict else { throw error }
            mayChange = false
        }
        var stored = known
        try EntryAlarms.takeOver(known, act)
        let rings = try EntryAlarms.say(
            item.alarms, of: reader, for: known, mayChange ? item.entry ?? known.wire : known.wire, act)
        var isSaved = false
        if mayChange {
            let (place, copied) = (known.wire.calendar, original?.wire)
            guard let made = try Calendars.made(of: item, instead: known.wire, copying: copied, in: place, act),
                var calendar = try StoredCalendar.find(known.wire.calendar, act)
            else { return Refusal(rule: "data", sentence: "It holds no event.").outcome }
            stored.wire = made
            stored.raw = item.raw
            if copied == nil, !known.wire.mapPlaces.isEmpty {
                stored.keepLocations(of: known, seeing: try EntryOwn(of: reader, [known], act).places)
            }
            if let original { stored.sharedWith = Self.audience(ofCopyOf: original, act) }
            try stored.takeCategory(act)
            let isSame =
                GivenLines.isSame(stored.raw, known.raw) && stored.wire.changes(from: known.wire).isEmpty
                && stored.sharedWith == known.sharedWith
            if !isSame {
                try Calendars.spend(act)
                try stored.save(instead: known, in: &calendar, seenBy: try known.seers(act), act)
                try stored.remindInvited(besides: known.wire.invitees, in: calendar, act)
                isSaved = true
            }
        }
        // An alarm changes the state for its own member alone.
        if rings, !isSaved {
            try Calendars.spendAnswer(act)
            try known.touch(of: reader, act)
        }
        if isInvited, !item.isAnsweredElsewhere, stored.wire.invitees.contains(where: { $0.member == reader }) {
            var said = item.said.filter { $0.member == reader }
            if !mayChange { said += leftOut(of: known, item) }
            try answer(stored, said, act)
        }
        return written(stored, isNew: false)
    }

    /// Single days that an invitee's program removed from its copy (EXDATE). The invitee does not come on those days
    /// (RFC 6638, 3.2.2.1).
    private func leftOut(of known: StoredEntry, _ item: ICalItem) -> [ICalItem.Said] {
        let removed = Set(known.wire.exceptions.filter(\.isRemoved).map(\.occurrence))
        return (item.entry?.exceptions ?? []).filter { $0.isRemoved && !removed.contains($0.occurrence) }.map {
            ICalItem.Said(member: shelf.reader.id, occurrence: $0.occurrence, answer: .declined)
        }
    }

    /// Whether the host of a meeting writes its entry unchanged, so that only its alarms can differ. The host changes
    /// everything else through the meeting.
    private func ringsAlone(_ known: StoredEntry, _ item: ICalItem, _ act: Act) throws(Rejection) -> Bool {
        guard known.wire.meeting != nil, known.wire.owner == shelf.reader.id,
            let made = try Calendars.made(of: item, instead: known.wire, in: known.wire.calendar, act)
        else { return false }
        return made.changes(from: known.wire).isEmpty
    }

    /// The answer to a client about an entry that it wrote. If there are invitees, it has the validator of the plan
    /// (RFC 6638, 3.2.10).
    private func written(_ stored: StoredEntry, isNew: Bool) -> Outcome {
        .done(
            .object(leavingOut: [
                "isNew": .bool(isNew), "plan": stored.isPlanned ? .string(stored.planTag) : nil,
            ]), ids: [stored.wire.id])
    }

    /// Takes the reader's answers to the entry and to its occurrences. Answers of others are left alone.
    private func answer(_ stored: StoredEntry, _ said: [ICalItem.Said], _ act: Act) throws(Rejection) {
        guard let all = said.first(where: { $0.occurrence == nil })?.answer else { return }
        let reader = shelf.reader.id
        if let meeting = stored.wire.meeting {
            guard stored.wire.answer(of: reader, to: nil) != all else { return }
            if try act.hooks.say?(act, meeting, stored.slot, all) == false {
                // The writer's program shows what it wrote until it reads what holds.
                try Calendars.spendAnswer(act)
                try stored.giveBack(to: reader, act)
            }
            return
        }
        var wanted: [String: Entry.Answer] = [:]
        for one in said {
            if let occurrence = one.occurrence, one.answer != all, stored.isOn(occurrence) {
                wanted[occurrence] = one.answer
            }
        }
        let now = stored.wire.answers.filter { $0.member == reader }
        let isSame = Dictionary(now.map { ($0.occurrence, $0.answer) }) { one, _ in one } == wanted
        guard stored.wire.answer(of: reader, to: nil) != all || !isSame else { return }
        try Calendars.spendAnswer(act)
        var stored = stored
        // A phone knows no note: the note stays with the answer to which it belongs.
        let isKept = stored.wire.answer(of: reader, to: nil) == all
        let note = isKept ? stored.wire.invitees.first { $0.member == reader }?.note : nil
        try stored.answer(all, of: reader, to: nil, note: note, act)
        for (occurrence, answer) in wanted.sorted(by: { $0.key < $1.key }) {
            try stored.answer(answer, of: reader, to: occurrence, note: nil, act)
        }
        try act.answered(Calendars.about(stored.wire.id), by: reader)
    }

    // MARK: Dropping

    /// Removes the entry, which can be brought back. An invitee who may not remove it declines (RFC 6638, 3.2.2.1),
    /// unless the request is silent.
    func drop(_ act: Act) throws(Rejection) -> Outcome {
        guard let known else { throw Rejection.notFound("entry", name, field: "name") }
        if let refusal = try unmet(act) { return refusal.outcome }
        do throws(Rejection) { try known.requireChangeable(act) } catch {
            guard known.wire.invitees.contains(where: { $0.member == shelf.reader.id }),
                error.kind == .forbidden || error.kind == .conflict
            else { throw error }
            if params["silent"]?.bool != true {
                let no = ICalItem.Said(member: shelf.reader.id, occurrence: nil, answer: .declined)
                try answer(known, [no], act)
            }
            return .done([:], ids: [known.wire.id])
        }
        try known.remove(erasing: false, act)
        return .done([:], ids: [known.wire.id])
    }
}

extension ShelfWriting {
    // MARK: Moving

    /// Moves an entry to another shelf, under a name there (RFC 4918, 9.9).
    func move(_ act: Act) throws(Rejection) -> Outcome {
        guard let known else { throw Rejection.notFound("entry", name, field: "name") }
        if let refusal = try unmet(act) { return refusal.outcome }
        let name = try params.string("as")
        guard let target = try Shelf.find(try params.string("to"), act) else {
            return Refusal(rule: "parent", sentence: "There is no such calendar.").outcome
        }
        guard target.isWritten, !ShelfBusy.isName(name) else { throw Self.readOnly }
        guard target.calendar.id != shelf.calendar.id else {
            return Refusal(rule: "kept", sentence: "An entry keeps its name within its calendar.").outcome
        }
        try known.requireChangeable(act)
        let there = try target.entry(name, act)
        if let there {
            guard params["overwrite"]?.bool == true else {
                return Refusal(rule: "changed", sentence: "There is something under that name already.").outcome
            }
            try there.requireChangeable(act)
        }
        let uid = known.uid(to: shelf.reader.id)
        if let there, !there.uid(to: target.reader.id).hasSameBytes(as: uid) {
            return Refusal(rule: "uid", sentence: "Under that name is an entry with another UID.", name: name).outcome
        }
        if let other = try target.entry(uid: uid, act), other.wire.id != there?.wire.id {
            return try Self.doubled(other, on: target, act).outcome
        }
        do throws(Rejection) { try known.requireFit(for: target.calendar, insteadOf: known, act) } catch {
            guard error.kind == .forbidden else { throw error }
            return Refusal(rule: "kept", sentence: error.message).outcome
        }
        try there?.remove(erasing: false, act)
        try Calendars.spend(act)
        var calendar = target.calendar
        var stored = known
        try stored.giveWay(in: calendar, act)
        stored.wire.calendar = calendar.id
        try stored.save(instead: known, in: &calendar, seenBy: try known.seers(act), act)
        try ShelfName.give(name, to: known.wire.id, in: calendar.id, of: target.reader.id, act)
        return .done(["isNew": .bool(there == nil)], ids: [known.wire.id])
    }
}

extension ShelfWriting {
    // MARK: Copying

    /// The original of a copy.
    fileprivate enum Copied {
        case entry(StoredEntry)
        /// Busy times, birthdays, and entries from outside: nobody chooses their audience.
        case free
        /// The original was there when it was read, and is gone now, or out of sight.
        case gone
    }

    /// The item that a request names as its original.
    private static func copied(_ params: Params, _ act: Act) throws(Rejection) -> Copied? {
        guard let name = params.optionalString("original"), let from = params.optionalString("from") else { return nil }
        guard let shelf = try Shelf.find(from, act) else { return .gone }
        if ShelfBusy.isName(name) || shelf.calendar.kind == .birthdays { return .free }
        guard let found = try shelf.entry(name, act) else { return .gone }
        return try StoredCalendar.find(found.wire.calendar, act)?.kind == .subscribed ? .free : .entry(found)
    }

    private var original: StoredEntry? { if case .entry(let found)? = copied { found } else { nil } }

    /// Whether the caller may know the audience of an entry.
    private static func isTold(of original: StoredEntry, _ act: Act) -> Bool {
        act.isOneself(original.wire.owner) || act.isAdministrator
    }

    /// The audience of a copy: that of its original, if the caller may know it. Otherwise the copy is for the caller
    /// alone, whatever the audience of the original is, so that it neither goes further nor reveals anything.
    private static func audience(ofCopyOf original: StoredEntry, _ act: Act) -> SharedWith? {
        isTold(of: original, act) ? original.sharedWith : SharedWith.nobody
    }

    /// The refusal of a copy that somebody would see who does not see its original: a calendar's owner sees everything
    /// in it.
    private func refusalOfCopy(_ act: Act) throws(Rejection) -> Refusal? {
        if case .gone? = copied {
            return Refusal(rule: "changed", sentence: "What is copied has changed meanwhile.")
        }
        guard let original else { return nil }
        let reader = shelf.reader.id
        if let known, !act.isOneself(known.wire.owner) {
            return Refusal(rule: "kept", sentence: "A copy takes the place of no entry of somebody else's.")
        }
        guard let owner = shelf.calendar.owner, owner != reader else { return nil }
        guard Self.isTold(of: original, act) else {
            return Refusal(
                rule: "kept", sentence: "An entry of somebody else's is not copied into a calendar of somebody else's.")
        }
        guard original.sharedWith != nil || original.wire.privacy != .public else { return nil }
        guard let entry = try act.roster[owner], let calendar = try StoredCalendar.find(original.wire.calendar, act),
            original.isSeen(by: entry, in: calendar)
        else {
            return Refusal(rule: "kept", sentence: "This entry is not for the owner of that calendar.")
        }
        return nil
    }
}

extension StoredEntry {
    /// Whether one of its occurrences has this name.
    fileprivate func isOn(_ occurrence: String) -> Bool {
        guard let civil = Civil.read(occurrence), let timing = Timing(wire.times) else { return false }
        return timing.series.contains(civil)
            && !wire.exceptions.contains { $0.isRemoved && $0.occurrence.hasSameBytes(as: occurrence) }
    }
}
