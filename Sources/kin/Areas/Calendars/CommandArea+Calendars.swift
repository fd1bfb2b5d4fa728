import KinModel
import KinWords

extension CommandArea {
    /// The commands for entries in the family's calendars.
    static let calendars = CommandArea(
        name: "Calendars", group: .meetings, commands: [.agenda, .calendar, .free],
        file: "calendars",
        inboxKinds: ["entryInvited", "entryChanged", "entryCancelled", "entryAnswered", "reminder", "calendarStopped"],
        used: (today: [], inAll: ["entries"]))
}

extension Command {
    static let agenda = Command(
        name: "agenda", usage: ["agenda [DAY] [--days COUNT]"], options: [.value("days", "COUNT")], words: 0...20,
        run: { (call) throws(Problem) in try CalendarCommands.agenda(call) })

    static let calendar = Command(
        name: "calendar",
        usage: [
            "calendar [DAY]",
            "calendar add SUBJECT… --at TIME [--day DAY] [--days COUNT] [--repeat RULE] [--in CALENDAR] [--with MEMBER,…] [--for WHOM]",
            "calendar show NUMBER",
            "calendar edit NUMBER [--on DAY] [--from DAY] [--all] [--at TIME] [--subject TEXT]",
            "calendar rm NUMBER [--on DAY] [--from DAY] [--all] [--yes]",
            "calendar answer NUMBER yes|maybe|no|none [--on DAY] [--note TEXT]", "calendar star NUMBER",
            "calendar unstar NUMBER",
            "calendar search [WORDS…] [--with MEMBER,…] [--category NAME,…] [--from DAY] [--until DAY] [--in CALENDAR]",
            "calendar list", "calendar new NAME [--color COLOR] [--remind MINUTES,…]",
            "calendar change CALENDAR [--name NAME] [--color COLOR] [--remind MINUTES,…]",
            "calendar remind CALENDAR MINUTES,…|none|default", "calendar drop CALENDAR [--keep] [--yes]",
            "calendar share CALENDAR everyone|HOUSEHOLD|MEMBER none|busy|read|write|own", "calendar bin",
            "calendar restore NUMBER", "calendar erase NUMBER [--yes]", "calendar export [FILE] [--in CALENDAR]",
            "calendar feed NAME [--in CALENDAR]",
            "calendar import FILE [--in CALENDAR]", "calendar feeds", "calendar unfeed NUMBER",
            "calendar subscribe ADDRESS [--name NAME]", "calendar refresh CALENDAR",
            "calendar readdress CALENDAR ADDRESS", "calendar unsubscribe CALENDAR", "calendar outside on|off",
            "calendar category [NAME] [--color COLOR] [--icon SIGN] [--remove]",
        ],
        options: [
            .value("at", "TIME"), .value("day", "DAY"), .value("days", "COUNT"), .value("repeat", "RULE"),
            .value("until", "DAY"), .value("dates", "DAY,…"), .value("for", "WHOM"), .value("in", "CALENDAR"),
            .value("place", "PLACE"), .value("map-place", "PLACE"), .value("note", "TEXT"),
            .value("category", "NAME"), .value("with", "MEMBER,…"), .value("remind", "MINUTES,…"),
            .value("subject", "TEXT"), .value("on", "DAY"), .value("from", "DAY"), .value("name", "NAME"),
            .value("privacy", "PRIVACY"), .flag("all"), .flag("yes"), .value("color", "COLOR"), .value("icon", "SIGN"),
            .flag("remove"), .flag("keep"),
        ],
        words: 0...100,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("add", 2...): try EntryCommands.add(call)
            case ("show", 2): try EntryCommands.show(call)
            case ("edit", 2): try EntryCommands.edit(call)
            case ("rm", 2), ("remove", 2): try EntryCommands.remove(call)
            case ("answer", 3): try EntryCommands.answer(call)
            case ("star", 2): try EntryCommands.star(call, isOn: true)
            case ("unstar", 2): try EntryCommands.star(call, isOn: false)
            case ("category", 1): try CategoryCommands.list(call)
            case ("category", 2...): try CategoryCommands.set(call)
            case ("search", _): try CalendarCommands.search(call)
            case ("list", 1): try CalendarCommands.list(call)
            case ("new", 2...): try OwnCalendars.new(call)
            case ("change", 2): try OwnCalendars.change(call)
            case ("remind", 3): try OwnCalendars.remind(call)
            case ("drop", 2): try OwnCalendars.drop(call)
            case ("share", 4): try CalendarCommands.share(call)
            case ("bin", 1): try EntryCommands.bin(call)
            case ("restore", 2): try EntryCommands.restore(call)
            case ("erase", 2): try EntryCommands.erase(call)
            case ("export", 1...2): try CalendarFiles.takeOut(call)
            case ("import", 2): try CalendarFiles.takeIn(call)
            case ("feed", 2...): try CalendarFiles.addFeed(call)
            case ("feeds", 1): try CalendarFiles.feeds(call)
            case ("unfeed", 2): try CalendarFiles.removeFeed(call)
            case ("subscribe", 2): try OutsideCalendars.subscribe(call)
            case ("refresh", 2): try OutsideCalendars.refresh(call)
            case ("readdress", 3): try OutsideCalendars.move(call)
            case ("unsubscribe", 2): try OutsideCalendars.remove(call)
            case ("outside", 2): try OutsideCalendars.allow(call)
            case ("subscribe", _), ("refresh", _), ("readdress", _), ("unsubscribe", _), ("outside", _), ("star", _),
                ("unstar", _),
                ("export", _), ("import", _), ("feed", _), ("unfeed", _), ("add", _), ("show", _), ("edit", _),
                ("rm", _),
                ("remove", _), ("answer", _),
                ("new", _), ("change", _), ("remind", _), ("drop", _), ("share", _), ("restore", _), ("erase", _):
                throw call.misused
            default: try CalendarCommands.month(call)
            }
        })

    static let free = Command(
        name: "free", usage: ["free MEMBER,… [DAY] [--days COUNT]"], options: [.value("days", "COUNT")], words: 1...20,
        run: { (call) throws(Problem) in try CalendarCommands.free(call) })
}
