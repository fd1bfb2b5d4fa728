import KinCalendar
import KinCodec
import KinModel
import KinWords
import KinXML

/// One of the caller's calendars, as it is shown to clients.
struct DavCalendar {
    let name: String
    let title: String
    let color: String?
    let owner: DavPlace
    let access: DavAccess
    /// Whether what stands in it makes the caller busy (RFC 6638, 9.1): birthdays do not, and neither does what another member
    /// reads outside.
    private let isBusy: Bool
    /// The place in the changes of a client that knows all of it, where that was asked for.
    let sync: String?
    let caller: DavCaller

    /// The caller's.
    private let zone: Zone

    var shelf: DavShelf {
        var shelf = DavShelf.calendar(name, caller, owner: owner, access: access)
        shelf.zone = zone
        return shelf
    }

    private init?(_ json: JSON, _ language: Language, _ zone: Zone, _ caller: DavCaller) {
        guard let name = json["shelf"]?.string, let kind = json["kind"]?.string,
            let right = json["right"]?.string.flatMap(FamilyCalendar.Right.init)
        else { return nil }
        self.name = name
        self.caller = caller
        self.zone = zone
        color = json["color"]?.string
        sync = json["sync"]?.string
        owner = json["owner"]?.identifier.map { .principal($0) } ?? .family
        isBusy = kind != "birthdays" && (kind != "subscribed" || owner == .principal(caller.member))
        let isOfMeetings = kind == "meetings" || kind == "toDecide"
        switch right {
        case .own: access = .owns
        case .write: access = .writes
        case .none, .busy, .read: access = isOfMeetings ? .answers : .reads
        }
        let key = [
            "meetings": "calendar.meetings", "toDecide": "calendar.to-decide", "birthdays": "calendar.birthdays",
        ][kind]
        title =
            json["name"]?.string ?? json["title"]?.string
            ?? key.flatMap { language.phrases[$0] }.map { $0.filled([:], in: language) } ?? name
    }

    /// Those of an answer.
    static func all(_ answer: JSON, _ caller: DavCaller) -> [DavCalendar] {
        let language = answer["language"]?.string.flatMap { Language(name: $0) } ?? .english
        let zone = answer["zone"]?.string.flatMap { Zone($0) } ?? .utc
        return (answer["shelves"]?.array ?? []).compactMap { DavCalendar($0, language, zone, caller) }
    }

    /// The properties of it (RFC 4791, 5.2).
    func thing(_ common: [(XMLName, String)]) -> DavThing {
        let reports = ["C:calendar-multiget", "C:calendar-query", "C:free-busy-query", "D:sync-collection"]
        var ordinary = [
            (Dav.core("resourcetype"), "<D:collection/><C:calendar/>"),
            (Dav.core("displayname"), XMLText.escaped(title)),
        ]
        if let color { ordinary.append((Dav.apple("calendar-color"), XMLText.escaped(color + "FF"))) }
        var beside = common + DavShelf.properties(of: "VEVENT", reports, isBusy: isBusy)
        if let sync {
            let token = XMLText.escaped(DavShelf.token(sync))
            beside += [(Dav.core("sync-token"), token), (Dav.server("getctag"), token)]
        }
        return DavThing(DavPlace.calendar(caller.member, name).href, ordinary, beside: beside)
    }
}
