import KinCalendar
import KinCalendars
import KinCodec
import KinICal
import KinKeeper
import KinModel
import KinXML

/// Calendars (RFC 4791), and what is asked around them (RFC 6638).
extension DavDoor {
    /// A member's calendars, one of them, or one thing; those of others are nowhere.
    func propfindCalendars(_ caller: DavCaller, _ wanted: DavWanted, _ isDeep: Bool, _ doorway: Doorway) {
        switch place {
        case .calendars(let member) where member == caller.member:
            guard isDeep else { return respond([calendars(caller)], wanted, doorway) }
            ask("calendar.shelves", sync(wanted), doorway) { [self] answer, doorway in
                let all = DavCalendar.all(answer, caller).map { thing($0) }
                ask("list.shelves", [:], doorway) { [self] answer, doorway in
                    let lists = DavTaskList.all(answer, caller).map { thing($0) }
                    respond([calendars(caller)] + all + lists + [inbox(caller), outbox(caller)], wanted, doorway)
                }
            }
        case .inbox(let member) where member == caller.member: respond([inbox(caller)], wanted, doorway)
        case .outbox(let member) where member == caller.member: respond([outbox(caller)], wanted, doorway)
        case .calendar(let member, let name) where member == caller.member:
            var params = sync(wanted)
            params["shelf"] = .string(name)
            ask("calendar.shelves", params, doorway) { [self] answer, doorway in
                guard let calendar = DavCalendar.all(answer, caller).first else { return nothingHere(doorway) }
                guard isDeep else { return respond([thing(calendar)], wanted, doorway) }
                DavListing(self, calendar.shelf, wanted, first: [thing(calendar)]).begin(doorway)
            }
        case .event(let member, let calendar, let name) where member == caller.member:
            ask("calendar.shelves", ["shelf": .string(calendar)], doorway) { [self] answer, doorway in
                guard let shelf = DavCalendar.all(answer, caller).first?.shelf else { return nothingHere(doorway) }
                var params = shelf.params
                params["names"] = [.string(name)]
                ask(shelf.list, params, doorway) { [self] answer, doorway in
                    guard let item = answer["items"]?.array?.first else { return nothingHere(doorway) }
                    respond([shelf.thing(item, href: place.href, data: nil)], wanted, doorway)
                }
            }
        default: nothingHere(doorway)
        }
    }

    /// The parameter that asks for the client's place in the changes; none where the client does not ask for it.
    private func sync(_ wanted: DavWanted) -> JSON.Object {
        wanted.names(Dav.core("sync-token")) || wanted.names(Dav.server("getctag")) ? ["sync": true] : [:]
    }

    // MARK: Things

    private func thing(_ calendar: DavCalendar) -> DavThing {
        calendar.thing(common(calendar.caller, owner: calendar.owner, access: calendar.access))
    }

    /// All of a member's calendars.
    func calendars(_ caller: DavCaller) -> DavThing {
        DavThing(
            DavPlace.calendars(caller.member).href, [(Dav.core("resourcetype"), "<D:collection/>")],
            beside: common(caller, owner: .principal(caller.member), access: caller.isGuest ? .reads : .writes) + [
                (
                    Dav.calendar("supported-calendar-component-sets"),
                    ["VEVENT", "VTODO"].map {
                        "<C:supported-calendar-component-set><C:comp name=\"\($0)\"/></C:supported-calendar-component-set>"
                    }.joined()
                )
            ])
    }

    private func inbox(_ caller: DavCaller) -> DavThing {
        let own = DavPlace.calendar(caller.member, caller.member.description)
        return DavThing(
            DavPlace.inbox(caller.member).href,
            [(Dav.core("resourcetype"), "<D:collection/><C:schedule-inbox/>")],
            beside: common(caller, owner: .principal(caller.member)) + [
                (Dav.calendar("schedule-default-calendar-URL"), Dav.href(own.href))
            ])
    }

    private func outbox(_ caller: DavCaller) -> DavThing {
        DavThing(
            DavPlace.outbox(caller.member).href,
            [(Dav.core("resourcetype"), "<D:collection/><C:schedule-outbox/>")],
            beside: common(caller, owner: .principal(caller.member)))
    }

    // MARK: Reports

    /// Those that fit (RFC 4791, 7.8).
    func calendarQuery(_ root: XMLElement, _ shelf: DavShelf, _ wanted: DavWanted, _ doorway: Doorway) {
        var shelf = shelf
        var zone: Zone?
        if let element = root.first(Dav.calendar("timezone")) {
            guard let named = Self.zone(element.trimmedText) else {
                return respond(
                    403, Dav.element(Dav.calendar("valid-calendar-data")), "The time zone is no VTIMEZONE.", doorway)
            }
            zone = Zone(named)
        }
        if let zone { shelf.zone = zone }
        let listing = DavListing(self, shelf, wanted)
        do throws(CalendarFilter.Flaw) {
            let filter = try CalendarFilter(root.first(Dav.calendar("filter")))
            // Whether it is an event is said by each calendar's own question; tasks are looked at one by one.
            if filter.isOfWords || shelf.place.list != nil { listing.filter = { filter.fits($0) } }
            guard shelf.place.list == nil else { return listing.begin(doorway) }
            if let zone { listing.asked["zone"] = .string(zone.name) }
            if let from = filter.from { listing.asked["from"] = .time(from) }
            if let to = filter.to { listing.asked["to"] = .time(to) }
            let expansion = try Self.expansion(wanted)
            if filter.from == nil, filter.to == nil {
                (listing.asked["from"], listing.asked["to"]) = (expansion["expandFrom"], expansion["expandTo"])
            }
            for (name, value) in expansion.members { listing.asked[name] = value }
        } catch {
            return respond(403, Dav.element(Dav.calendar(error.condition)), error.sentence, doorway)
        }
        listing.begin(doorway)
    }

    /// The name of a query's zone (RFC 4791, 9.8); `nil` where it says none.
    private static func zone(_ text: String) -> String? {
        guard let whole = try? ICalComponent(text.utf8), whole.name == "VCALENDAR" else { return nil }
        return whole.components.first { $0.name == "VTIMEZONE" }?["TZID"]?.value
    }

    /// Within which time each occurrence is wanted by itself (RFC 4791, 9.6.5), as parameters.
    static func expansion(_ wanted: DavWanted) throws(CalendarFilter.Flaw) -> JSON.Object {
        guard let expand = wanted.data?.expand else { return [:] }
        let (from, to) = try CalendarFilter.span(expand)
        guard let from, let to else { throw .unknown("an expansion without an end") }
        return ["expandFrom": .time(from), "expandTo": .time(to)]
    }

    /// Answers with the busy times of a calendar (RFC 4791, 7.10).
    func busyTimes(_ root: XMLElement, _ name: String, _ doorway: Doorway) {
        guard let range = root.first(Dav.calendar("time-range")),
            let (from, to) = try? CalendarFilter.span(range), let from, let to
        else { return respond(400, "", "A free-busy-query has a time-range with both ends.", doorway) }
        let params: JSON.Object = ["shelf": .string(name), "from": .time(from), "to": .time(to)]
        ask("calendar.busyTimes", params, doorway) { answer, doorway in
            let text = FreeBusy.text(answer["busy"], from: from, to: to, [])
            doorway.respond(
                HTTPAnswer(
                    200, ["Content-Type": "text/calendar; charset=utf-8", "Cache-Control": "no-store"],
                    body: Array(text.utf8)))
        }
    }

    /// Answers with the busy times of members (RFC 6638, 5). A member who shows nothing is left out.
    func askFree(_ caller: DavCaller, _ doorway: Doorway) {
        guard case .outbox(let member) = place, member == caller.member else { return nothingHere(doorway) }
        guard let question = FreeBusy(doorway.body) else {
            return respond(
                400, Dav.element(Dav.calendar("valid-calendar-data")), "Ask with a VFREEBUSY of METHOD:REQUEST.",
                doorway)
        }
        doorway.dropBody()
        // RFC 6638, 5.2: who asks is whose outbox it is.
        guard let organizer = question.organizer, Self.isAddress(organizer, of: caller) else {
            return respond(
                403, Dav.element(Dav.calendar("valid-organizer")),
                "Ask in your own name: ORGANIZER is one of your addresses.", doorway)
        }
        let others = Set(question.asked.filter { Calendars.member(at: $0) == nil && Self.isMail($0) }).sorted()
        let params: JSON.Object = [
            "from": .time(question.from), "to": .time(question.to),
            "members": .array(Set(question.asked.compactMap { Calendars.member(at: $0) }).sorted().map { .id($0) }),
            "addresses": .array(others.prefix(Limits.freeMembersMax).map { .string($0) }),
        ]
        ask("calendar.freeOf", params, doorway) { answer, doorway in
            var known: [Identifier: JSON] = [:]
            var named: [String: JSON] = [:]
            for one in answer["members"]?.array ?? [] {
                guard let id = one["member"]?.identifier, let busy = one["busy"] else { continue }
                if let address = one["address"]?.string { named[address] = busy } else { known[id] = busy }
            }
            var body = Dav.head + "<C:schedule-response\(Dav.declarations)>"
            for address in question.asked {
                let busy = Calendars.member(at: address).flatMap { known[$0] } ?? named[address]
                let status = busy == nil ? "3.7;Invalid calendar user" : "2.0;Success"
                body += "<C:response>" + Dav.element(Dav.calendar("recipient"), Dav.href(address))
                body += Dav.element(Dav.calendar("request-status"), status)
                if let busy {
                    let text = FreeBusy.text(busy, from: question.from, to: question.to, question.lines(to: address))
                    body += Dav.element(Dav.calendar("calendar-data"), XMLText.escaped(text))
                }
                body += "</C:response>"
            }
            body += "</C:schedule-response>\n"
            doorway.respond(
                HTTPAnswer(
                    200, ["Content-Type": Dav.contentType, "Cache-Control": "no-store"], body: Array(body.utf8)))
        }
    }

    /// Whether an address is one that a member's principal has (`calendar-user-address-set`).
    private static func isAddress(_ address: String, of caller: DavCaller) -> Bool {
        if Calendars.member(at: address) == caller.member { return true }
        let own = DavPlace.principal(caller.member).href
        let isWhole = address.hasPrefix("https://") || address.hasPrefix("http://")
        return address.hasSameBytes(as: own) || (isWhole && address.hasSuffix(own))
    }

    /// Whether an address may be an e-mail address of a member's.
    private static func isMail(_ address: String) -> Bool {
        (1...320).contains(address.utf8.count) && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    // MARK: Calendars themselves

    func makeCalendar(_ name: String, _ root: XMLElement?, _ caller: DavCaller, _ doorway: Doorway) {
        let look = root.flatMap { CalendarLook($0, in: Dav.core("set")) }
        let isCalendar = verb == "MKCALENDAR" || look?.types?.contains(Dav.calendar("calendar")) == true
        guard isCalendar else {
            return respond(
                403, Dav.element(Dav.core("valid-resourcetype")), "Here stand calendars; make one.", doorway)
        }
        if let look, look.isOfOtherThings {
            if look.isOfTasks { return makeList(name, look, caller, doorway) }
            return respond(
                403, Dav.element(Dav.calendar("supported-calendar-component")),
                "Here stand events, or tasks; journals have no place.", doorway)
        }
        var params = look?.params ?? JSON.Object()
        params["shelf"] = .string(name)
        ask("calendar.makeShelf", params, doorway) { [self] answer, doorway in
            if let rule = answer["refused"]?.string { return refuse(rule, answer, shelf(name, caller), doorway) }
            doorway.respond(HTTPAnswer(201, ["Cache-Control": "no-store"]))
        }
    }

    private func shelf(_ name: String, _ caller: DavCaller) -> DavShelf {
        .calendar(name, caller, owner: .family, access: .reads)
    }

    func setCalendar(_ name: String, _ look: CalendarLook, _ doorway: Doorway) {
        var params = look.params
        params["shelf"] = .string(name)
        ask("calendar.setShelf", params, doorway) { [self] _, doorway in wasSet(look, doorway) }
    }

    /// Says that the properties of a look were set.
    func wasSet(_ look: CalendarLook, _ doorway: Doorway) {
        let body =
            Self.multistatusBegin
            + "<D:response>\(Dav.href(place.href))<D:propstat><D:prop>\(look.names.map { Dav.element($0) }.joined())</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n"
            .utf8 + Self.multistatusEnd
        doorway.respond(HTTPAnswer(207, multistatusHeaders(DavWanted()), body: Array(body)))
    }

    func removeCalendar(_ name: String, _ doorway: Doorway) {
        ask("calendar.dropShelf", ["shelf": .string(name)], doorway) { [self] answer, doorway in
            if let rule = answer["refused"]?.string, let caller {
                return refuse(rule, answer, shelf(name, caller), doorway)
            }
            doorway.respond(HTTPAnswer(204, ["Cache-Control": "no-store"]))
        }
    }
}
