import KinCodec
import KinModel
import KinXML

/// One of the lists that the caller sees, as a collection of tasks (RFC 4791, 5.2.3: VTODO).
struct DavTaskList {
    let list: DavListName
    let title: String
    let owner: DavPlace
    let isOwn: Bool
    let sync: String
    let caller: DavCaller

    var shelf: DavShelf { .todos(list, caller, owner: owner, access: isOwn ? .owns : .writes) }

    private init?(_ json: JSON, _ caller: DavCaller, as asked: DavListName?) {
        guard let list = json["list"]?.identifier, let title = json["name"]?.string,
            let owner = json["owner"]?.identifier, let sync = json["sync"]?.string
        else { return nil }
        self.list = asked ?? DavListName(list, as: json["shelf"]?.string)
        self.title = title
        self.owner = .principal(owner)
        isOwn = json["own"]?.bool ?? false
        self.sync = sync
        self.caller = caller
    }

    /// Those of an answer; one that was asked for by a name goes on by that.
    static func all(_ answer: JSON, _ caller: DavCaller, as asked: DavListName? = nil) -> [DavTaskList] {
        (answer["shelves"]?.array ?? []).compactMap { DavTaskList($0, caller, as: asked) }
    }

    /// The properties of it.
    func thing(_ common: [(XMLName, String)]) -> DavThing {
        let reports = ["C:calendar-multiget", "C:calendar-query", "D:sync-collection"]
        let token = XMLText.escaped(DavShelf.token(sync))
        return DavThing(
            DavPlace.list(caller.member, list).href,
            [
                (Dav.core("resourcetype"), "<D:collection/><C:calendar/>"),
                (Dav.core("displayname"), XMLText.escaped(title)),
            ],
            beside: common + DavShelf.properties(of: "VTODO", reports, isBusy: false) + [
                (Dav.core("sync-token"), token), (Dav.server("getctag"), token),
            ])
    }
}

/// Lists beside the calendars of a member: each is a collection of its own.
extension DavDoor {
    func thing(_ list: DavTaskList) -> DavThing {
        list.thing(common(list.caller, owner: list.owner, access: list.shelf.access))
    }

    /// A list, or one task of it.
    func propfindList(_ caller: DavCaller, _ wanted: DavWanted, _ isDeep: Bool, _ doorway: Doorway) {
        withList(caller, doorway) { [self] list, doorway in
            if case .todo(_, _, let name) = place {
                var params = list.shelf.params
                params["names"] = [.string(name)]
                return ask(list.shelf.list, params, doorway) { [self] answer, doorway in
                    guard let item = answer["items"]?.array?.first else { return nothingHere(doorway) }
                    respond([list.shelf.thing(item, href: place.href, data: nil)], wanted, doorway)
                }
            }
            guard isDeep else { return respond([thing(list)], wanted, doorway) }
            DavListing(self, list.shelf, wanted, first: [thing(list)]).begin(doorway)
        }
    }

    /// Goes on with the list of the address, where its caller sees it.
    func withList(
        _ caller: DavCaller, _ doorway: Doorway, then next: @escaping (DavTaskList, Doorway) -> Void
    ) {
        guard let (member, name) = place.list, member == caller.member else { return nothingHere(doorway) }
        ask("list.shelves", ["list": .id(name.list)], doorway) { [self] answer, doorway in
            guard let list = DavTaskList.all(answer, caller, as: name).first else { return nothingHere(doorway) }
            next(list, doorway)
        }
    }

    // MARK: Lists themselves

    /// Goes on once it is known whether a calendar or a list has the name in the address.
    func tellingLists(_ caller: DavCaller, _ doorway: Doorway, then next: @escaping (Doorway) -> Void) {
        guard let (member, name) = place.shelfName, member == caller.member else { return next(doorway) }
        ask("list.named", ["shelf": .string(name)], doorway) { [self] answer, doorway in
            if let list = answer["list"]?.identifier { place = place.ofTasks(list) }
            next(doorway)
        }
    }

    /// A collection of tasks is a list, its maker's alone until it is shared.
    func makeList(_ name: String, _ look: CalendarLook, _ caller: DavCaller, _ doorway: Doorway) {
        let make: (Doorway) -> Void = { [self] doorway in
            var params: JSON.Object = ["shelf": .string(name)]
            if let title = look.params["name"] { params["name"] = title }
            ask("list.makeShelf", params, doorway) { _, doorway in
                doorway.respond(HTTPAnswer(201, ["Cache-Control": "no-store"]))
            }
        }
        ask(
            "calendar.shelves", ["shelf": .string(name)], doorway,
            refused: { rejection, doorway in
                guard rejection.kind == .notFound else { return false }
                make(doorway)
                return true
            },
            then: { [self] _, doorway in
                respond(405, Dav.element(Dav.core("resource-must-be-null")), "This is there already.", doorway)
            })
    }

    /// Gives the list of the address another name.
    func setList(_ list: DavListName, _ look: CalendarLook, _ doorway: Doorway) {
        var params: JSON.Object = ["list": .id(list.list)]
        if let title = look.params["name"] { params["name"] = title }
        ask("list.setShelf", params, doorway) { [self] _, doorway in wasSet(look, doorway) }
    }

    /// Removes the list of the address, where nothing is on it.
    func removeList(_ list: DavListName, _ caller: DavCaller, _ doorway: Doorway) {
        ask("list.dropShelf", ["list": .id(list.list)], doorway) { [self] answer, doorway in
            if let rule = answer["refused"]?.string {
                return refuse(rule, answer, .todos(list, caller, owner: .family), doorway)
            }
            doorway.respond(HTTPAnswer(204, ["Cache-Control": "no-store"]))
        }
    }
}
