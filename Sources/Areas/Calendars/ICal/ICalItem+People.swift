import KinCalendar
import KinICal
import KinKeeper
import KinModel

extension ICalLine {
    /// Whether a program asks this attendee itself, or nobody does (RFC 6638, 7.1).
    var isScheduledElsewhere: Bool {
        guard let agent = self["SCHEDULE-AGENT"]?.uppercased() else { return false }
        return agent == "CLIENT" || agent == "NONE"
    }

    /// The same line with the status of its invitation's delivery (RFC 6638, 7.3), or without one.
    func scheduled(_ status: String?) -> ICalLine {
        let others = parameters.filter { $0.name != "SCHEDULE-STATUS" }
        guard status != nil || others.count != parameters.count else { return self }
        return ICalLine(name, others + (status.map { [Parameter("SCHEDULE-STATUS", $0)] } ?? []), value: value)
    }
}

/// The e-mail addresses by which a member finds others: those that they show in their profiles. An address that is not
/// shown belongs to nobody here, and so does one that several members have.
struct MailBook {
    private var members: [String: Set<Identifier>] = [:]

    init(of reader: Identifier, _ act: Act) throws(Rejection) {
        let (roster, shown) = (try act.roster, try act.hooks.mailboxes?(act, reader) ?? [:])
        for (member, addresses) in shown {
            guard let entry = roster[member], act.sight?.contains(entry.household) == true else { continue }
            for address in addresses { members["mailto:" + address.lowercased(), default: []].insert(member) }
        }
    }

    /// The member with this address, as a calendar program writes it.
    func member(at address: String) -> Identifier? {
        members[address.lowercased()].flatMap { $0.count == 1 ? $0.first : nil }
    }
}

extension ICalItem {
    /// An organizer at this daemon may ask members by their e-mail addresses, as far as the writer is shown those; all
    /// other addresses are people outside. An invitation that an organizer elsewhere sent is not changed.
    mutating func findMembers(_ book: MailBook, owner: Identifier, writer: Identifier) {
        guard let times = entry?.times, raw != nil else { return }
        func isElsewhere(_ event: ICalComponent) -> Bool {
            event.all("ORGANIZER").contains { line in
                book.member(at: line.value).map { $0 != owner && $0 != writer } ?? true
            }
        }
        var (members, said) = (members, said)
        func find(_ event: inout ICalComponent, at occurrence: String?) {
            event.lines = event.lines.compactMap { (line) -> ICalLine? in
                guard line.name == "ATTENDEE" else { return line.name == "ORGANIZER" ? nil : line }
                guard !line.isScheduledElsewhere, let id = book.member(at: line.value),
                    said.count < Limits.entryAnswersMax
                else { return line.scheduled(nil) }
                if occurrence == nil, members.count < Limits.membersMax, !members.contains(id) { members.append(id) }
                // A member who is asked to a single day only is not asked to the whole entry.
                guard members.contains(id) else { return line.scheduled(nil) }
                said.append(Said(member: id, occurrence: occurrence, answer: Entry.Answer(partstat: line["PARTSTAT"])))
                return nil
            }
        }
        keep { event in
            guard !isElsewhere(event), !event.components.contains(where: isElsewhere) else { return }
            find(&event, at: nil)
            for index in event.components.indices where event.components[index].name == "VEVENT" {
                guard let line = event.components[index]["RECURRENCE-ID"], let time = ICalTime(line.value) else {
                    continue
                }
                find(&event.components[index], at: times.name(of: time.civil))
            }
        }
        (self.members, self.said) = (members, said)
    }
}

extension EntryWriter {
    /// The lines of a file that are kept. The organizer's programs are told that nothing here reaches people outside.
    /// Names of members that the reader may not know are left out.
    func outside(_ lines: [ICalLine], of entry: Entry) -> [ICalLine] {
        let isToldStatus = isScheduling && reader == entry.owner && !lines.contains { $0.name == "ORGANIZER" }
        return lines.map { line in
            guard line.name == "ATTENDEE" else { return line }
            if let member = Calendars.member(at: line.value) {
                guard names[member] == nil else { return line }
                return ICalLine(line.name, line.parameters.filter { $0.name != "CN" }, value: line.value)
            }
            guard isToldStatus, !line.isScheduledElsewhere else { return line }
            // 5.3 means that it was not delivered, since nothing here sends to such addresses; 3.7 means that it is no
            // address of a person.
            return line.scheduled(line.value.lowercased().hasPrefix("mailto:") ? "5.3" : "3.7")
        }
    }

    /// The lines of the organizer and of the invitees. `kept` has the lines of a file that stand beside them.
    func people(_ entry: Entry, at occurrence: String?, beside kept: [ICalLine]) -> [ICalLine] {
        let hasOrganizer = kept.contains { $0.name == "ORGANIZER" }
        let isAsking = isScheduling && !hasOrganizer && kept.contains { $0.name == "ATTENDEE" }
        guard !entry.invitees.isEmpty || isAsking else { return [] }
        func line(_ name: String, _ member: Identifier, _ parameters: [ICalLine.Parameter]) -> ICalLine {
            let called = names[member].map { [ICalLine.Parameter("CN", $0)] } ?? []
            return ICalLine(name, called + parameters, value: Self.address(member))
        }
        let asked = entry.invitees.map { invitee in
            let answer = entry.answer(of: invitee.member, to: occurrence) ?? .none
            var parameters = [ICalLine.Parameter("PARTSTAT", answer.partstat)]
            // 1.2 means that it stands in the member's calendar; 2.0 means that the member answered it.
            if isScheduling, reader == entry.owner {
                parameters.insert(ICalLine.Parameter("SCHEDULE-STATUS", answer == .none ? "1.2" : "2.0"), at: 0)
            }
            return line("ATTENDEE", invitee.member, parameters)
        }
        return (hasOrganizer ? [] : [line("ORGANIZER", entry.owner, [])]) + asked
    }
}
