import KinKeeper
import KinModel
import KinStore

/// The memory of the family's calendars, which every entry needs. They are read once, and again when one of them
/// changes.
final class CalendarMemory: KeptFileMemory {
    /// The calendars that do not depend on who is a member.
    struct Known {
        /// The calendars that have a row, by identifier.
        var stored: [Identifier: StoredCalendar] = [:]
        /// The calendars of the family, of households and of meetings, in the form that they have without a row.
        var implied: [StoredCalendar] = []
    }

    private var remembered = Remembered<Int, Known>(
        of: ["calendars", "calendar_rights", "family", "households"], most: 1)

    private var leftOut = Remembered<Identifier, Set<FamilyCalendar.Kind>>(
        of: ["settings"], most: Limits.membersMax)

    private var held = Remembered<Int, Int64>(of: ["entries", "entries_gone"], most: 1)

    /// The texts of zones for calendar programs; they stay the same for a year.
    private var texts: ZoneTexts?

    /// The zones and rules with which civil times are calculated.
    let almanac = Almanac()
    /// The memory of entries.
    var entries: EntryMemory

    /// Imports that are under way, by their numbers.
    var filesUnderWay: [Int64: FileUnderWay] = [:]

    init() { entries = EntryMemory(almanac) }

    func turn(_ turn: Turn) {
        if !almanac.isOf(turn.now) { entries.forgetTimes() }
    }

    func forget() {
        remembered.forget()
        leftOut.forget()
        held.forget()
        almanac.forget()
        entries = EntryMemory(almanac)
        filesUnderWay = [:]
    }

    func zones(_ act: Act) -> ZoneTexts {
        if let texts, texts.isOf(act.now) { return texts }
        let made = ZoneTexts(now: act.now)
        texts = made
        return made
    }

    /// The calendars that a member leaves out, as their settings say.
    func leftOut(of member: Identifier, _ act: Act) throws(Rejection) -> Set<FamilyCalendar.Kind> {
        if let known = leftOut.value(of: member, act) { return known }
        let own = try act.hooks.settings?(act, member).leftOut ?? []
        let kinds = Set(own.compactMap { FamilyCalendar.Kind(rawValue: $0.rawValue) })
        leftOut.remember(kinds, of: member, act)
        return kinds
    }

    /// The number of entries that the family has, including those in the bin.
    func held(_ act: Act) throws(Rejection) -> Int64 {
        if let known = held.value(of: 0, act) { return known }
        let count = try act.first(
            "SELECT (SELECT count(*) FROM entries) + (SELECT count(*) FROM entries_gone WHERE body IS NOT NULL)"
        ) { row in row.int(0) }
        held.remember(count ?? 0, of: 0, act)
        return count ?? 0
    }

    /// Notes the number after an import has added one. So the entries are counted once for a whole file, and again only
    /// if somebody else writes between two of its turns.
    func hold(_ count: Int64, _ act: Act) { held.remember(count, of: 0, act) }

    func known(_ act: Act) throws(Rejection) -> Known {
        if let known = remembered.value(of: 0, act) { return known }
        let known = try act.ask { (database) throws(StoreFailure) in try Self.read(database) }
        remembered.remember(known, of: 0, act)
        return known
    }

    private static func read(_ database: Database) throws(StoreFailure) -> Known {
        guard let family = try People.family(database)?.id else { return Known() }
        var known = Known()
        var grants: [Int64: [StoredCalendar.Grant]] = [:]
        try database.each("SELECT calendar, kind, grantee, power FROM calendar_rights ORDER BY calendar, kind, grantee")
        {
            (row) throws(StoreFailure) in
            let whom: StoredCalendar.Grant.Whom =
                switch row.text("kind") {
                case "everyone": .everyone
                case "household": .household(row.identifier("grantee"))
                case "member": .member(row.identifier("grantee"))
                default: throw .corrupt("a calendar is shared with whom this program does not know")
                }
            grants[row.int("calendar"), default: []].append(StoredCalendar.Grant(whom: whom, right: row.word("power")))
            return true
        }
        try database.each("SELECT number, id, kind, name, color, owner, remind FROM calendars") {
            (row) throws(StoreFailure) in
            let calendar = StoredCalendar(row, grants: grants[row.int("number")] ?? [])
            known.stored[calendar.id] = calendar
            return true
        }
        known.implied = [
            StoredCalendar(id: family, kind: .family),
            StoredCalendar(id: StoredCalendar.ofMeetings(family), kind: .meetings),
            StoredCalendar(id: StoredCalendar.toDecide(family), kind: .toDecide),
            StoredCalendar(id: StoredCalendar.birthdays(family), kind: .birthdays),
        ]
        known.implied += try People.households(database, in: .all).map { StoredCalendar(id: $0.id, kind: .household) }
        return known
    }
}
