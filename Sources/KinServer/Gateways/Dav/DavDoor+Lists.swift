import KinCodec
import KinModel
import KinXML

/// One of the lists that the caller sees, as a collection of tasks (RFC 4791, 5.2.3: VTODO).
struct DavTaskList {
    let list: Identifier
    let title: String
    let owner: DavPlace
    let isOwn: Bool
    let sync: String
    let caller: DavCaller

    var shelf: DavShelf { .todos(list, caller, owner: owner) }

    private init?(_ json: JSON, _ caller: DavCaller) {
        guard let list = json["list"]?.identifier, let title = json["name"]?.string,
            let owner = json["owner"]?.identifier, let sync = json["sync"]?.string
        else { return nil }
        self.list = list
        self.title = title
        self.owner = .principal(owner)
        isOwn = json["own"]?.bool ?? false
        self.sync = sync
        self.caller = caller
    }

    /// Those of an answer.
    static func all(_ answer: JSON, _ caller: DavCaller) -> [DavTaskList] {
        (answer["shelves"]?.array ?? []).compactMap { DavTaskList($0, caller) }
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
        list.thing(common(list.caller, owner: list.owner, access: .writes))
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
        guard let (member, id) = place.list, member == caller.member else { return nothingHere(doorway) }
        ask("list.shelves", ["list": .id(id)], doorway) { [self] answer, doorway in
            guard let list = DavTaskList.all(answer, caller).first else { return nothingHere(doorway) }
            next(list, doorway)
        }
    }
}
