import KinCalendars
import KinCodec
import KinKeeper
import KinModel
import KinXML

/// The properties of things, and the lists of things in collections.
extension DavDoor {
    /// PROPFIND (RFC 4918 §9.1), of a thing alone or with what is in it.
    func propfind(_ root: XMLElement?, _ caller: DavCaller, _ doorway: Doorway) {
        if let root, root.name != Dav.core("propfind") {
            return respond(400, "", "The content of PROPFIND is DAV:propfind.", doorway)
        }
        var wanted = DavWanted(root)
        wanted.isMinimal = Self.isMinimal(doorway.head)
        let depth = doorway.head.headers["Depth"] ?? "infinity"
        guard depth == "0" || depth == "1" else {
            return respond(
                403, Dav.element(Dav.core("propfind-finite-depth")), "Ask with Depth 0 or 1.", doorway)
        }
        let isDeep = depth == "1"
        switch place {
        case .root:
            let books = caller.isGuest ? [] : [addressBooks(caller)]
            let below = isDeep ? [principals(caller), calendars(caller)] + books : []
            respond([self.root(caller)] + below, wanted, doorway)
        case .principals:
            respond([principals(caller)] + (isDeep ? [principal(caller), family(caller)] : []), wanted, doorway)
        case .principal(let member):
            guard member == caller.member else {
                return ask("member.principals", ["member": .id(member)], doorway) { [self] answer, doorway in
                    guard let person = DavPerson.all(answer).first else { return nothingHere(doorway) }
                    respond([principal(person, caller)], wanted, doorway)
                }
            }
            respond([principal(caller)], wanted, doorway)
        case .family: respond([family(caller)], wanted, doorway)
        case .addressBooks:
            guard !caller.isGuest else { return nothingHere(doorway) }
            guard isDeep else { return respond([addressBooks(caller)], wanted, doorway) }
            ask("contact.book", [:], doorway) { [self] book, doorway in
                respond([addressBooks(caller), contacts(book, caller)], wanted, doorway)
            }
        case .contacts:
            guard !caller.isGuest else { return nothingHere(doorway) }
            ask("contact.book", [:], doorway) { [self] book, doorway in
                let thing = contacts(book, caller)
                guard isDeep else { return respond([thing], wanted, doorway) }
                let shelf = DavShelf.contacts(caller, writes: book["writes"]?.bool == true)
                DavListing(self, shelf, wanted, first: [thing]).begin(doorway)
            }
        case .calendars, .calendar, .event, .inbox, .outbox: propfindCalendars(caller, wanted, isDeep, doorway)
        case .list, .todo: propfindList(caller, wanted, isDeep, doorway)
        case .contact(let name):
            guard !caller.isGuest else { return nothingHere(doorway) }
            ask("contact.book", [:], doorway) { [self] book, doorway in
                let shelf = DavShelf.contacts(caller, writes: book["writes"]?.bool == true)
                var params = shelf.params
                params["names"] = [.string(name)]
                ask(shelf.list, params, doorway) { [self] answer, doorway in
                    guard let item = answer["items"]?.array?.first else { return nothingHere(doorway) }
                    respond([shelf.thing(item, href: place.href, data: nil)], wanted, doorway)
                }
            }
        }
    }

    /// RFC 8144, and the field that Apple had before.
    static func isMinimal(_ head: HTTPRequestHead) -> Bool {
        head.headers.has("Prefer", token: "return=minimal") || head.headers["Brief"]?.lowercased() == "t"
    }

    /// A calendar's name and colour are set, and a list's name. No other property is the client's to keep: what is written
    /// here is read elsewhere too. Which one it is that is refused is said, so that clients go on without that.
    func proppatch(_ root: XMLElement?, _ caller: DavCaller, _ doorway: Doorway) {
        guard let root, root.name == Dav.core("propertyupdate") else {
            return respond(400, "", "The content of PROPPATCH is DAV:propertyupdate.", doorway)
        }
        if case .calendar(let member, let name) = place, member == caller.member,
            let look = CalendarLook(root, in: Dav.core("set"), Dav.core("remove")), look.others.isEmpty
        {
            return setCalendar(name, look, doorway)
        }
        if case .list(let member, let list) = place, member == caller.member,
            let look = CalendarLook(root, in: Dav.core("set"), Dav.core("remove")), look.others.isEmpty,
            look.params["color"] == nil
        {
            return setList(list, look, doorway)
        }
        let names = root.children.flatMap { $0.first(Dav.core("prop"))?.children.map(\.name) ?? [] }
        let settable = settable(root, caller)
        let (left, refused) = (names.filter { settable.contains($0) }, names.filter { !settable.contains($0) })
        var body = Self.multistatusBegin
        body += "<D:response>\(Dav.href(place.href))".utf8
        // Nothing of it is done: what could be set is not, because of the rest (RFC 4918 §9.2).
        if !left.isEmpty {
            body += "<D:propstat><D:prop>\(left.map { Dav.element($0) }.joined())</D:prop>".utf8
            body += "<D:status>HTTP/1.1 424 Failed Dependency</D:status></D:propstat>".utf8
        }
        body += "<D:propstat><D:prop>\(refused.map { Dav.element($0) }.joined())</D:prop>".utf8
        body += "<D:status>HTTP/1.1 403 Forbidden</D:status><D:error>".utf8
        body += "<D:cannot-modify-protected-property/></D:error></D:propstat></D:response>\n".utf8
        body += Self.multistatusEnd
        doorway.respond(HTTPAnswer(207, multistatusHeaders(DavWanted()), body: body))
    }

    /// The properties of a request that could be set here by themselves.
    private func settable(_ root: XMLElement, _ caller: DavCaller) -> [XMLName] {
        guard let look = CalendarLook(root, in: Dav.core("set"), Dav.core("remove")) else { return [] }
        switch place {
        case .calendar(let member, _) where member == caller.member:
            return look.names.filter { !look.others.contains($0) }
        case .list(let member, _) where member == caller.member:
            return look.names.filter { $0 == Dav.core("displayname") }
        default: return []
        }
    }

    // MARK: Things

    /// What everything says of who asks (RFC 5397, RFC 3744).
    func common(
        _ caller: DavCaller, owner: DavPlace, access: DavAccess = .reads
    ) -> [(XMLName, String)] {
        [
            (Dav.core("current-user-principal"), Dav.href(DavPlace.principal(caller.member).href)),
            (Dav.core("principal-collection-set"), Dav.href(DavPlace.principals.href)),
            (Dav.core("owner"), Dav.href(owner.href)),
            (Dav.core("current-user-privilege-set"), access.privileges(isCollection: true)),
        ]
    }

    private func root(_ caller: DavCaller) -> DavThing {
        DavThing(
            DavPlace.root.href, [(Dav.core("resourcetype"), "<D:collection/>")],
            beside: common(caller, owner: .family))
    }

    private func principals(_ caller: DavCaller) -> DavThing {
        let reports = ["D:principal-property-search", "D:principal-search-property-set"]
        return DavThing(
            DavPlace.principals.href, [(Dav.core("resourcetype"), "<D:collection/>")],
            beside: common(caller, owner: .family) + [
                (
                    Dav.core("supported-report-set"),
                    reports.map {
                        "<D:supported-report><D:report><\($0)/></D:report></D:supported-report>"
                    }.joined()
                )
            ])
    }

    func principal(_ caller: DavCaller) -> DavThing {
        let own = DavPlace.principal(caller.member)
        var beside =
            common(caller, owner: own) + [
                (Dav.core("principal-URL"), Dav.href(own.href)), (Dav.core("alternate-URI-set"), ""),
                (Dav.core("group-member-set"), ""),
                (Dav.core("group-membership"), caller.isGuest ? "" : Dav.href(DavPlace.family.href)),
            ]
        if !caller.isGuest { beside.append((Dav.card("addressbook-home-set"), Dav.href(DavPlace.addressBooks.href))) }
        beside += [
            (Dav.calendar("calendar-home-set"), Dav.href(DavPlace.calendars(caller.member).href)),
            (
                Dav.calendar("calendar-user-address-set"),
                Dav.href(Calendars.address(caller.member)) + Dav.href(own.href)
            ),
            (Dav.calendar("calendar-user-type"), "INDIVIDUAL"),
            (Dav.calendar("schedule-inbox-URL"), Dav.href(DavPlace.inbox(caller.member).href)),
            (Dav.calendar("schedule-outbox-URL"), Dav.href(DavPlace.outbox(caller.member).href)),
        ]
        return DavThing(
            own.href,
            [
                (Dav.core("resourcetype"), "<D:principal/>"),
                (Dav.core("displayname"), XMLText.escaped(caller.name)),
            ], beside: beside)
    }

    private func family(_ caller: DavCaller) -> DavThing {
        DavThing(
            DavPlace.family.href,
            [
                (Dav.core("resourcetype"), "<D:principal/>"),
                (Dav.core("displayname"), XMLText.escaped(caller.family)),
            ],
            beside: common(caller, owner: .family) + [
                (Dav.core("principal-URL"), Dav.href(DavPlace.family.href))
            ])
    }

    private func addressBooks(_ caller: DavCaller) -> DavThing {
        DavThing(
            DavPlace.addressBooks.href, [(Dav.core("resourcetype"), "<D:collection/>")],
            beside: common(caller, owner: .family))
    }

    /// The family's contacts, as one address book (RFC 6352, 5.2).
    private func contacts(_ book: JSON, _ caller: DavCaller) -> DavThing {
        let sync = XMLText.escaped(DavShelf.token(book["sync"]?.string ?? ""))
        let types = ["3.0", "4.0"].map { "<R:address-data-type content-type=\"text/vcard\" version=\"\($0)\"/>" }
        let reports = ["R:addressbook-multiget", "R:addressbook-query", "D:sync-collection"]
        let collations = ["i;ascii-casemap", "i;unicode-casemap", "i;octet"]
        return DavThing(
            DavPlace.contacts.href,
            [
                (Dav.core("resourcetype"), "<D:collection/><R:addressbook/>"),
                (Dav.core("displayname"), XMLText.escaped(caller.family)),
            ],
            beside: common(caller, owner: .family, access: book["writes"]?.bool == true ? .writes : .reads) + [
                (Dav.card("supported-address-data"), types.joined()),
                (Dav.card("max-resource-size"), String(DavLimits.itemBytesMax)),
                (
                    Dav.card("supported-collation-set"),
                    collations.map { "<R:supported-collation>\($0)</R:supported-collation>" }.joined()
                ),
                (
                    Dav.core("supported-report-set"),
                    reports.map {
                        "<D:supported-report><D:report><\($0)/></D:report></D:supported-report>"
                    }.joined()
                ),
                (Dav.core("sync-token"), sync), (Dav.server("getctag"), sync),
            ])
    }
}
