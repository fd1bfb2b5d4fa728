import KinCalendar
import KinCodec
import KinModel
import KinXML

/// A collection of things that clients keep a copy of: by which methods it is read and written, and how its things are
/// shown.
struct DavShelf {
    /// Lists them, by names, since a token, or all.
    let list: String
    let put: String
    let drop: String
    /// The parameter that has what is written.
    let textField: String
    /// What every question to it says.
    let params: JSON.Object
    /// The parameters that have it tell the data as well, of a version or of the usual one.
    let whole: (String?) -> JSON.Object
    /// The media type of its things, with the version where it is not the usual one.
    let mediaType: (String?) -> String
    /// What may be written, and a sentence that says it.
    let mediaTypes: [String]
    let kind: String
    /// Versions of the data that reports may ask for.
    let versions: [String]
    /// The name of the property that has the data in reports.
    let dataName: XMLName
    /// The precondition that data of another kind fail.
    let kindCondition: XMLName
    /// The precondition that what is no such thing fails.
    let dataCondition: XMLName
    /// The one for what has a UID that another has.
    let uidCondition: XMLName
    let sizeCondition: XMLName
    let place: DavPlace
    let caller: DavCaller
    /// Whose it is.
    let owner: DavPlace
    let access: DavAccess
    /// The address of a thing by its name.
    let item: (String) -> DavPlace
    /// The zone of times without one, as far as reports are asked for such.
    var zone = Zone.utc

    static func contacts(_ caller: DavCaller, writes: Bool) -> DavShelf {
        DavShelf(
            list: "contact.cards", put: "contact.putCard", drop: "contact.dropCard", textField: "card", params: [:],
            whole: { ["version": .string($0 ?? "3.0")] },
            mediaType: { $0 == "4.0" ? "text/vcard; charset=utf-8; version=4.0" : "text/vcard; charset=utf-8" },
            mediaTypes: ["text/vcard", "text/x-vcard", "text/directory"], kind: "A contact is text/vcard.",
            versions: ["3.0", "4.0"], dataName: Dav.card("address-data"),
            kindCondition: Dav.card("supported-address-data"), dataCondition: Dav.card("valid-address-data"),
            uidCondition: Dav.card("no-uid-conflict"), sizeCondition: Dav.card("max-resource-size"),
            place: .contacts, caller: caller, owner: .family, access: writes ? .writes : .reads,
            item: { .contact($0) })
    }

    /// One of the caller's calendars.
    static func calendar(_ name: String, _ caller: DavCaller, owner: DavPlace, access: DavAccess) -> DavShelf {
        DavShelf(
            list: "calendar.items", put: "calendar.putItem", drop: "calendar.dropItem", textField: "text",
            params: ["shelf": .string(name)], whole: { _ in ["data": true] },
            mediaType: { _ in "text/calendar; charset=utf-8; component=VEVENT" }, mediaTypes: ["text/calendar"],
            kind: "An entry is text/calendar.", versions: ["2.0"], dataName: Dav.calendar("calendar-data"),
            kindCondition: Dav.calendar("supported-calendar-data"),
            dataCondition: Dav.calendar("valid-calendar-data"), uidCondition: Dav.calendar("no-uid-conflict"),
            sizeCondition: Dav.calendar("max-resource-size"), place: .calendar(caller.member, name), caller: caller,
            owner: owner, access: access, item: { .event(caller.member, name, $0) })
    }

    /// One of the lists that the caller sees, as tasks.
    static func todos(
        _ list: DavListName, _ caller: DavCaller, owner: DavPlace, access: DavAccess = .writes
    ) -> DavShelf {
        DavShelf(
            list: "list.todos", put: "list.putTodo", drop: "list.dropTodo", textField: "text",
            params: ["list": .id(list.list)], whole: { _ in ["data": true] },
            mediaType: { _ in "text/calendar; charset=utf-8; component=VTODO" }, mediaTypes: ["text/calendar"],
            kind: "A task is text/calendar.", versions: ["2.0"], dataName: Dav.calendar("calendar-data"),
            kindCondition: Dav.calendar("supported-calendar-data"),
            dataCondition: Dav.calendar("valid-calendar-data"), uidCondition: Dav.calendar("no-uid-conflict"),
            sizeCondition: Dav.calendar("max-resource-size"), place: .list(caller.member, list), caller: caller,
            owner: owner, access: access, item: { .todo(caller.member, list, $0) })
    }

    /// The properties of a collection of calendar objects (RFC 4791, 5.2): the component that it holds, the reports
    /// that it answers, and whether its entries make the reader busy (RFC 6638, 9.1).
    static func properties(of component: String, _ reports: [String], isBusy: Bool) -> [(XMLName, String)] {
        [
            (Dav.calendar("supported-calendar-component-set"), "<C:comp name=\"\(component)\"/>"),
            (
                Dav.calendar("supported-calendar-data"),
                "<C:calendar-data content-type=\"text/calendar\" version=\"2.0\"/>"
            ),
            (Dav.calendar("max-resource-size"), String(DavLimits.itemBytesMax)),
            (
                Dav.calendar("supported-collation-set"),
                ["i;ascii-casemap", "i;octet"].map {
                    "<C:supported-collation>\($0)</C:supported-collation>"
                }.joined()
            ),
            (
                Dav.core("supported-report-set"),
                reports.map {
                    "<D:supported-report><D:report><\($0)/></D:report></D:supported-report>"
                }.joined()
            ),
            (Dav.calendar("schedule-calendar-transp"), isBusy ? "<C:opaque/>" : "<C:transparent/>"),
        ]
    }

    /// A thing as it is listed: `name`, `tag`, and `data` where that was asked for.
    func thing(_ item: JSON, href: String? = nil, data: DavData?) -> DavThing {
        let name = item["name"]?.string ?? ""
        let tag = item["tag"]?.string ?? ""
        let text = item["data"]?.string
        let plan = item["plan"]?.string
        return DavThing(href ?? self.item(name).href, names: Self.names, ordinary: 3) { [self] name in
            switch name {
            case Self.names[0]: return ""
            case Self.names[1]: return XMLText.escaped(tag)
            case Self.names[2]: return mediaType(data?.version)
            case Self.names[3]: return access.privileges(isCollection: false)
            case Self.names[4]: return Dav.href(owner.href)
            case Self.names[5]: return Dav.href(DavPlace.principal(caller.member).href)
            case Self.names[6]: return Dav.href(DavPlace.principals.href)
            case Self.names[7]: return plan.map { XMLText.escaped($0) }
            case dataName:
                return text.map { XMLText.escaped(data?.shown($0, zone: zone) ?? $0) }
            default: return nil
            }
        }
    }

    private static let names = [
        Dav.core("resourcetype"), Dav.core("getetag"), Dav.core("getcontenttype"),
        Dav.core("current-user-privilege-set"), Dav.core("owner"), Dav.core("current-user-principal"),
        Dav.core("principal-collection-set"), Dav.calendar("schedule-tag"),
    ]

    // MARK: Tokens

    /// A token as it stands in a document: it has to be a URI (RFC 6578, 4).
    static func token(_ token: String) -> String { tokenHead + token }

    /// The area's name for it; `nil` for one that is not ours.
    static func token(read text: String) -> String? {
        guard text.hasPrefix(tokenHead), text.utf8.count < 200 else { return nil }
        let token = text.dropFirst(tokenHead.utf8.count)
        return !token.isEmpty && token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ? String(token) : nil
    }

    private static let tokenHead = "urn:kinwire:sync:"
}

/// The caller's rights to something. Phones learn from them which things can only be read (RFC 3744, 5.4).
enum DavAccess {
    case reads
    /// Answers to what is there, by writing it.
    case answers
    case writes
    case owns

    func privileges(isCollection: Bool) -> String {
        var names = ["read", "read-current-user-privilege-set"]
        switch self {
        case .reads: break
        case .answers: names += ["write-content"]
        case .writes: names += ["write", "write-content"] + (isCollection ? ["bind", "unbind"] : [])
        case .owns:
            names += ["write", "write-content"] + (isCollection ? ["write-properties", "bind", "unbind"] : [])
        }
        return names.map { "<D:privilege><D:\($0)/></D:privilege>" }.joined()
    }
}
