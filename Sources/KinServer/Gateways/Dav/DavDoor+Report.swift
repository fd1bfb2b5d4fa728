import KinCodec
import KinModel
import KinXML

/// REPORT (RFC 3253 §3.6): questions to a collection.
extension DavDoor {
    func report(_ root: XMLElement?, _ caller: DavCaller, _ doorway: Doorway) {
        guard let root else { return respond(400, "", "A REPORT says what is asked.", doorway) }
        if isOfPrincipals(root, caller, doorway) { return }
        switch place {
        case .contacts:
            guard !caller.isGuest else { return nothingHere(doorway) }
            ask("contact.book", [:], doorway) { [self] book, doorway in
                report(root, .contacts(caller, writes: book["writes"]?.bool == true), doorway)
            }
        case .calendar(let member, let name):
            guard member == caller.member else { return nothingHere(doorway) }
            guard root.name != Dav.calendar("free-busy-query") else { return busyTimes(root, name, doorway) }
            ask("calendar.shelves", ["shelf": .string(name)], doorway) { [self] answer, doorway in
                guard let calendar = DavCalendar.all(answer, caller).first else { return nothingHere(doorway) }
                report(root, calendar.shelf, doorway)
            }
        case .list: withList(caller, doorway) { [self] list, doorway in report(root, list.shelf, doorway) }
        default: unknownReport(doorway)
        }
    }

    func unknownReport(_ doorway: Doorway) {
        respond(403, Dav.element(Dav.core("supported-report")), "This report is not known here.", doorway)
    }

    private func report(_ root: XMLElement, _ shelf: DavShelf, _ doorway: Doorway) {
        var wanted = DavWanted(root)
        wanted.isMinimal = Self.isMinimal(doorway.head)
        if let data = wanted.data {
            let isKnown =
                data.name == shelf.dataName
                && (data.contentType ?? shelf.mediaTypes[0]).lowercased() == shelf.mediaTypes[0]
                && shelf.versions.contains(data.version ?? shelf.versions[0])
            guard isKnown else {
                let all = shelf.versions.joined(separator: " and ")
                return respond(
                    403, Dav.element(shelf.kindCondition), "There is \(shelf.mediaTypes[0]) \(all).", doorway)
            }
            if let flaw = data.flaw {
                return respond(403, Dav.element(Dav.calendar(flaw.condition)), flaw.sentence, doorway)
            }
        }
        switch root.name {
        case Dav.core("sync-collection"): sync(root, shelf, wanted, doorway)
        case Dav.card("addressbook-multiget") where shelf.place == .contacts,
            Dav.calendar("calendar-multiget") where shelf.place != .contacts:
            let hrefs = root.all(Dav.core("href")).map(\.trimmedText)
            guard hrefs.count <= DavLimits.hrefsMax else {
                return respond(413, "", "Name \(DavLimits.hrefsMax) addresses at most.", doorway)
            }
            let picking = DavPicking(self, shelf, wanted, hrefs)
            if shelf.place != .contacts, shelf.place.list == nil {
                do throws(CalendarFilter.Flaw) { picking.asked = try Self.expansion(wanted) } catch {
                    return respond(403, Dav.element(Dav.calendar(error.condition)), error.sentence, doorway)
                }
            }
            picking.begin(doorway)
        case Dav.card("addressbook-query") where shelf.place == .contacts: query(root, shelf, wanted, doorway)
        case Dav.calendar("calendar-query") where shelf.place != .contacts:
            calendarQuery(root, shelf, wanted, doorway)
        default: unknownReport(doorway)
        }
    }

    /// Answers with the changes since a client's place (RFC 6578, 3).
    private func sync(_ root: XMLElement, _ shelf: DavShelf, _ wanted: DavWanted, _ doorway: Doorway) {
        // RFC 6578, 3.2: the depth is 0, whether it is said or not. Many clients say 1, as drafts of that standard had it in
        // place of sync-level.
        let depth = doorway.head.headers["Depth"] ?? "0"
        guard depth == "0" || depth == "1" else {
            return respond(400, "", "Ask for sync-collection with Depth 0.", doorway)
        }
        switch root.first(Dav.core("sync-level"))?.trimmedText ?? depth {
        case "1": break
        case "infinite":
            return respond(
                403, Dav.element(Dav.core("sync-traversal-supported")),
                "A collection is synchronised by itself: DAV:sync-level is 1.", doorway)
        default: return respond(400, "", "DAV:sync-level is 1.", doorway)
        }
        let text = root.first(Dav.core("sync-token"))?.trimmedText ?? ""
        var since: String?
        if !text.isEmpty {
            since = DavShelf.token(read: text)
            guard since != nil else {
                return respond(
                    403, Dav.element(Dav.core("valid-sync-token")), "This token is not known; begin anew.", doorway)
            }
        }
        let listing = DavListing(self, shelf, wanted, since: since)
        listing.isSync = true
        if let limit = root.first(Dav.core("limit")) {
            guard let most = Int(limit.first(Dav.core("nresults"))?.trimmedText ?? ""), most > 0 else {
                return respond(400, "", "DAV:nresults is a number from 1.", doorway)
            }
            listing.most = most
        }
        listing.begin(doorway)
    }

    /// Those that fit (RFC 6352, 8.6).
    private func query(_ root: XMLElement, _ shelf: DavShelf, _ wanted: DavWanted, _ doorway: Doorway) {
        let filter: CardFilter
        do throws(CardFilter.Flaw) { filter = try CardFilter(root.first(Dav.card("filter"))) } catch {
            return respond(403, Dav.element(Dav.card(error.condition)), error.sentence, doorway)
        }
        let listing = DavListing(self, shelf, wanted)
        if !filter.isAnything { listing.filter = { filter.fits($0) } }
        if let limit = root.first(Dav.card("limit")) {
            guard let most = Int(limit.first(Dav.card("nresults"))?.trimmedText ?? ""), most > 0 else {
                return respond(400, "", "nresults is a number from 1.", doorway)
            }
            listing.most = most
        }
        listing.begin(doorway)
    }
}
