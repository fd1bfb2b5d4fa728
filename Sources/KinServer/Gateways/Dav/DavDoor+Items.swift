import KinCodec
import KinModel
import KinXML

/// Things by themselves: read, written, removed; and collections that cannot be made.
extension DavDoor {
    /// The shelf that the address's thing stands on, and its name there.
    private func shelf(_ doorway: Doorway) -> (DavShelf, String)? {
        guard let caller else { return nil }
        switch place {
        case .contact(let name) where !caller.isGuest: return (.contacts(caller, writes: true), name)
        case .event(let member, let calendar, let name) where member == caller.member:
            return (.calendar(calendar, caller, owner: .family, access: .writes), name)
        case .todo(let member, let list, let name) where member == caller.member:
            return (.todos(list, caller, owner: .family), name)
        default: return nil
        }
    }

    /// GET and HEAD: a calendar's entry, a task, or a vCard of the version that is asked for, else 3.0 (RFC 6352, 5.1).
    func fetch(_ doorway: Doorway) {
        guard let (shelf, name) = shelf(doorway) else { return nothingHere(doorway) }
        let accepted = doorway.head.headers.values("Accept").joined(separator: ",").filter { $0 != " " && $0 != "\"" }
        let version = accepted.lowercased().contains("version=4.0") ? "4.0" : nil
        var params = shelf.params
        params["names"] = [.string(name)]
        for (name, value) in shelf.whole(version).members { params[name] = value }
        ask(shelf.list, params, doorway) { [self] answer, doorway in
            guard let item = answer["items"]?.array?.first, let text = item["data"]?.string,
                let tag = item["tag"]?.string
            else { return nothingHere(doorway) }
            if var judged = Representation.judge(doorway.head, tag, "private, no-cache") {
                judged.headers.append("Vary", "Accept")
                return doorway.respond(judged)
            }
            // Never compressed: programs compare the ETag with getetag, which names one state and no coding.
            var headers: HTTPHeaders = [
                "Content-Type": shelf.mediaType(version), "ETag": tag, "Vary": "Accept",
                "Cache-Control": "private, no-cache", "Content-Disposition": "attachment",
                "Content-Security-Policy": ServedType.contentSecurityPolicy,
            ]
            if let plan = item["plan"]?.string { headers.append("Schedule-Tag", plan) }
            doorway.respond(HTTPAnswer(200, headers, body: Array(text.utf8)))
        }
    }

    /// The request's conditions, which the method judges in its own turn; `nil` where nobody could keep them.
    private func conditions(_ doorway: Doorway) -> JSON.Object? {
        var params = JSON.Object()
        let match = doorway.head.headers.values("If-Match")
        if !match.isEmpty {
            if let tags = Representation.named(by: match) {
                guard tags.count <= 20 else { return nil }
                params["tags"] = .array(
                    tags.filter { !$0.isEmpty && $0.utf8.count <= 100 }.sorted().map { .string($0) })
            } else {
                params["there"] = true
            }
        }
        let none = doorway.head.headers.values("If-None-Match")
        if !none.isEmpty {
            guard verb == "PUT", Representation.named(by: none) == nil else { return nil }
            params["absent"] = true
        }
        if let plan = doorway.head.headers["If-Schedule-Tag-Match"], case .event = place {
            guard plan.utf8.count <= 100 else { return nil }
            params["plan"] = .string(plan)
        }
        return params
    }

    func put(_ doorway: Doorway) {
        guard let (shelf, name) = shelf(doorway) else { return nothingHere(doorway) }
        guard let conditions = conditions(doorway) else { return unkept(doorway) }
        let type = doorway.head.headers["Content-Type"].flatMap { MediaType($0)?.name } ?? shelf.mediaTypes[0]
        guard shelf.mediaTypes.contains(type) else {
            return respond(415, Dav.element(shelf.kindCondition), shelf.kind, doorway)
        }
        guard doorway.body.count <= DavLimits.itemBytesMax else {
            return respond(
                413, Dav.element(shelf.sizeCondition), "It has at most \(DavLimits.itemBytesMax) bytes.", doorway)
        }
        guard let text = String(validating: doorway.body, as: UTF8.self) else {
            return respond(403, Dav.element(shelf.dataCondition), "It is in no UTF-8.", doorway)
        }
        doorway.dropBody()
        var params = shelf.params
        for (name, value) in conditions.members { params[name] = value }
        params["name"] = .string(name)
        params[shelf.textField] = .string(text)
        ask(shelf.put, params, doorway) { [self] answer, doorway in
            if let rule = answer["refused"]?.string { return refuse(rule, answer, shelf, doorway) }
            var headers: HTTPHeaders = ["Cache-Control": "no-store"]
            if let tag = answer["tag"]?.string { headers.append("ETag", tag) }
            if let plan = answer["plan"]?.string { headers.append("Schedule-Tag", plan) }
            doorway.respond(HTTPAnswer(answer["isNew"]?.bool == true ? 201 : 204, headers))
        }
    }

    func remove(_ doorway: Doorway) {
        guard let (shelf, name) = shelf(doorway) else {
            if case .calendar(let member, let name) = place, member == caller?.member {
                return removeCalendar(name, doorway)
            }
            if case .list(let member, let list) = place, let caller, member == caller.member {
                return removeList(list, caller, doorway)
            }
            return place.isItem
                ? nothingHere(doorway) : respond(403, "", "This cannot be removed from here.", doorway)
        }
        guard let conditions = conditions(doorway) else { return unkept(doorway) }
        var params = shelf.params
        for (name, value) in conditions.members { params[name] = value }
        params["name"] = .string(name)
        // RFC 6638, 8.1.
        if case .event = place, doorway.head.headers["Schedule-Reply"]?.uppercased() == "F" { params["silent"] = true }
        ask(shelf.drop, params, doorway) { [self] answer, doorway in
            if let rule = answer["refused"]?.string { return refuse(rule, answer, shelf, doorway) }
            doorway.respond(HTTPAnswer(204, ["Cache-Control": "no-store"]))
        }
    }

    /// MOVE: an entry goes to another of the caller's calendars, and stays what it is.
    func move(_ caller: DavCaller, _ doorway: Doorway) {
        guard case .event(let member, let calendar, let name) = place, member == caller.member else {
            return place.list == nil
                ? nothingHere(doorway) : respond(403, "", "A task is not moved from here to another list.", doorway)
        }
        guard let (target, other) = destination(member, doorway) else { return }
        guard let conditions = conditions(doorway) else { return unkept(doorway) }
        let shelf = DavShelf.calendar(calendar, caller, owner: .family, access: .writes)
        var params = shelf.params
        for (name, value) in conditions.members { params[name] = value }
        params["name"] = .string(name)
        params["to"] = .string(target)
        params["as"] = .string(other)
        params["overwrite"] = .bool(doorway.head.headers["Overwrite"]?.uppercased() != "F")
        let there = DavShelf.calendar(target, caller, owner: .family, access: .writes)
        ask("calendar.moveItem", params, doorway) { [self] answer, doorway in
            switch answer["refused"]?.string {
            case "parent"?: respond(409, "", answer["sentence"]?.string ?? "", doorway)
            case let rule?: refuse(rule, answer, there, doorway)
            case nil:
                let isNew = answer["isNew"]?.bool == true
                doorway.respond(
                    HTTPAnswer(
                        isNew ? 201 : 204,
                        ["Cache-Control": "no-store", "Location": DavPlace.event(member, target, other).href]))
            }
        }
    }

    /// Another calendar of the caller's, and a name there, by `Destination`; `nil` where it is none, which is answered then.
    private func destination(_ member: Identifier, _ doorway: Doorway) -> (calendar: String, name: String)? {
        let headers = doorway.head.headers
        guard let destination = headers["Destination"] else {
            respond(400, "", "\(verb) says where to in Destination.", doorway)
            return nil
        }
        // RFC 4918, 9.8.5 and 9.9.4: another server takes nothing from this one.
        let parts = destination.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 2, parts[0].hasSuffix(":"), parts[1].isEmpty, headers["Host"].map({ $0 == parts[2] }) != true {
            respond(502, "", "That is another server.", doorway)
            return nil
        }
        guard case .event(member, let calendar, let name)? = DavPlace(href: destination) else {
            respond(403, "", "An entry goes into one of your calendars.", doorway)
            return nil
        }
        return (calendar: calendar, name: name)
    }

    /// COPY: what an entry says becomes another entry, in another of the caller's calendars. What others are asked to is in one
    /// calendar alone (RFC 6638, 3.2.4.1).
    func copy(_ caller: DavCaller, _ doorway: Doorway) {
        guard case .event(let member, let calendar, let name) = place, member == caller.member else {
            return nothingHere(doorway)
        }
        guard let (target, other) = destination(member, doorway) else { return }
        guard (target, other) != (calendar, name) else {
            // RFC 4918, 9.8.5.
            return respond(403, "", "It stands there already.", doorway)
        }
        guard let conditions = conditions(doorway) else { return unkept(doorway) }
        let from = DavShelf.calendar(calendar, caller, owner: .family, access: .writes)
        let there = DavShelf.calendar(target, caller, owner: .family, access: .writes)
        var asked = from.params
        asked["names"] = [.string(name)]
        asked["data"] = true
        var params = there.params
        params["name"] = .string(other)
        // The copy is for nobody who does not see the original.
        params["from"] = .string(calendar)
        params["original"] = .string(name)
        if doorway.head.headers["Overwrite"]?.uppercased() == "F" { params["absent"] = true }
        ask(from.list, asked, doorway) { [self] answer, doorway in
            guard let item = answer["items"]?.array?.first, let text = item["data"] else { return nothingHere(doorway) }
            if let tags = conditions["tags"]?.array, !tags.contains(item["tag"] ?? .null) { return unkept(doorway) }
            if item["plan"] != nil {
                let rule = Dav.element(Dav.calendar("unique-scheduling-object-resource"))
                return respond(403, rule, "Others are asked to this; it stands in one calendar alone.", doorway)
            }
            params[there.textField] = text
            let isNowhere = { [self] (rejection: Rejection, doorway: Doorway) -> Bool in
                guard rejection.kind == .notFound else { return false }
                respond(409, "", "There is no such calendar.", doorway)
                return true
            }
            ask(there.put, params, doorway, refused: isNowhere) { [self] answer, doorway in
                if let rule = answer["refused"]?.string { return refuse(rule, answer, there, doorway) }
                doorway.respond(
                    HTTPAnswer(
                        answer["isNew"]?.bool == true ? 201 : 204,
                        ["Cache-Control": "no-store", "Location": DavPlace.event(member, target, other).href]))
            }
        }
    }

    private func unkept(_ doorway: Doorway) {
        respond(412, "", "A write takes If-Match with validators, or If-None-Match with *.", doorway)
    }

    /// Why the area did nothing, in WebDAV's words.
    func refuse(_ rule: String, _ answer: JSON, _ shelf: DavShelf, _ doorway: Doorway) {
        let sentence = answer["sentence"]?.string ?? ""
        switch rule {
        case "changed": respond(412, "", sentence, doorway)
        case "uid":
            let href = answer["name"]?.string.map { Dav.href(shelf.item($0).href) } ?? ""
            respond(409, Dav.element(shelf.uidCondition, href), sentence, doorway)
        case "size": respond(413, Dav.element(shelf.sizeCondition), sentence, doorway)
        case "component":
            respond(403, Dav.element(Dav.calendar("supported-calendar-component")), sentence, doorway)
        case "object":
            respond(403, Dav.element(Dav.calendar("valid-calendar-object-resource")), sentence, doorway)
        case "there": respond(405, Dav.element(Dav.core("resource-must-be-null")), sentence, doorway)
        case "kept": respond(403, "", sentence, doorway)
        case "room": respond(507, Dav.element(Dav.core("quota-not-exceeded")), sentence, doorway)
        default: respond(403, Dav.element(shelf.dataCondition), sentence, doorway)
        }
    }

    /// MKCOL and MKCALENDAR: a member's calendars are added to; there is one address book, and nowhere to put another.
    func make(_ root: XMLElement?, _ caller: DavCaller, _ doorway: Doorway) {
        switch place {
        case .contact:
            respond(
                403, Dav.element(Dav.card("addressbook-collection-location-ok")),
                "The family has one address book; another cannot be made.", doorway)
        case .calendar(let member, let name) where member == caller.member: makeCalendar(name, root, caller, doorway)
        case .list(let member, _) where member == caller.member:
            respond(405, Dav.element(Dav.core("resource-must-be-null")), "This is there already.", doorway)
        case .event, .calendar, .list, .todo:
            respond(
                403, Dav.element(Dav.calendar("calendar-collection-location-ok")),
                "A calendar is made beside your others.", doorway)
        default: respond(405, Dav.element(Dav.core("resource-must-be-null")), "This is there already.", doorway)
        }
    }
}
