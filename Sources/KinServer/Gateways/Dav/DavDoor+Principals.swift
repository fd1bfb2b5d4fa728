import KinCalendars
import KinCodec
import KinModel
import KinXML

/// A person whom the caller sees.
struct DavPerson {
    let member: Identifier
    let name: String

    /// Those of an answer.
    static func all(_ answer: JSON) -> [DavPerson] {
        (answer["people"]?.array ?? []).compactMap { person in
            guard let member = person["member"]?.identifier, let name = person["name"]?.string else { return nil }
            return DavPerson(member: member, name: name)
        }
    }
}

/// Looking for people (RFC 3744, 9.4 and 9.5): phones offer them as guests of an entry.
extension DavDoor {
    /// Answers a report that is about people, wherever it is asked.
    func isOfPrincipals(_ root: XMLElement, _ caller: DavCaller, _ doorway: Doorway) -> Bool {
        switch root.name {
        case Dav.core("principal-property-search"): search(root, caller, doorway)
        case Dav.core("principal-search-property-set"): respondSearchable(doorway)
        default: return false
        }
        return true
    }

    /// What of people may be looked for.
    private static let searchable: [(name: XMLName, words: String)] = [
        (Dav.core("displayname"), "Name"), (Dav.calendar("calendar-user-address-set"), "Calendar address"),
        (Dav.calendar("calendar-user-type"), "Kind"),
    ]

    private func respondSearchable(_ doorway: Doorway) {
        var body = Dav.head + "<D:principal-search-property-set\(Dav.declarations)>"
        for one in Self.searchable {
            body +=
                "<D:principal-search-property><D:prop>\(Dav.element(one.name))</D:prop><D:description xml:lang=\"en\">\(one.words)</D:description></D:principal-search-property>"
        }
        body += "</D:principal-search-property-set>\n"
        doorway.respond(
            HTTPAnswer(200, ["Content-Type": Dav.contentType, "Cache-Control": "no-store"], body: Array(body.utf8)))
    }

    /// Those of whom each property, or with `test="anyof"` one of them, has the words. By a property that people do not have
    /// nobody is found.
    private func search(_ root: XMLElement, _ caller: DavCaller, _ doorway: Doorway) {
        let conditions = root.all(Dav.core("property-search"))
        guard conditions.count <= DavLimits.conditionsMax else {
            return respond(413, "", "A search has \(DavLimits.conditionsMax) conditions at most.", doorway)
        }
        let asked = conditions.map { condition in
            (
                names: condition.first(Dav.core("prop"))?.children.map(\.name) ?? [],
                words: condition.first(Dav.core("match"))?.trimmedText.lowercased() ?? ""
            )
        }
        let isAny = root["test"] == "anyof"
        var wanted = DavWanted(root)
        wanted.isMinimal = Self.isMinimal(doorway.head)
        ask("member.principals", [:], doorway) { [self] answer, doorway in
            let found = DavPerson.all(answer).filter { person in
                func fits(_ one: (names: [XMLName], words: String)) -> Bool {
                    !one.names.isEmpty
                        && one.names.allSatisfy { name in
                            Self.texts(name, of: person).contains { $0.lowercased().contains(one.words) }
                        }
                }
                return isAny && !asked.isEmpty ? asked.contains(where: fits) : asked.allSatisfy(fits)
            }
            respond(
                found.map { $0.member == caller.member ? principal(caller) : principal($0, caller) }, wanted, doorway)
        }
    }

    private static func texts(_ property: XMLName, of person: DavPerson) -> [String] {
        switch property {
        case Dav.core("displayname"): [person.name]
        case Dav.calendar("calendar-user-address-set"):
            [Calendars.address(person.member), DavPlace.principal(person.member).href]
        case Dav.calendar("calendar-user-type"): ["INDIVIDUAL"]
        default: []
        }
    }

    /// Somebody else: a name, and an address to invite by.
    func principal(_ person: DavPerson, _ caller: DavCaller) -> DavThing {
        let place = DavPlace.principal(person.member)
        return DavThing(
            place.href,
            [
                (Dav.core("resourcetype"), "<D:principal/>"),
                (Dav.core("displayname"), XMLText.escaped(person.name)),
            ],
            beside: common(caller, owner: place) + [
                (Dav.core("principal-URL"), Dav.href(place.href)),
                (
                    Dav.calendar("calendar-user-address-set"),
                    Dav.href(Calendars.address(person.member)) + Dav.href(place.href)
                ),
                (Dav.calendar("calendar-user-type"), "INDIVIDUAL"),
            ])
    }
}
