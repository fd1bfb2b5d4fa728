import KinCodec
import KinModel
import KinXML

/// An answer that lists things of a shelf, a page at a time: the next is asked for when the client has taken those before,
/// so that one page is in memory, however long the list is and whoever is slow.
final class DavListing {
    private unowned let door: DavDoor
    private let shelf: DavShelf
    private let wanted: DavWanted
    private let first: [DavThing]
    /// Which things go in; `nil`: all.
    var filter: ((String) -> Bool)?
    /// What else the area is asked.
    var asked = JSON.Object()
    /// Things at most.
    var most = Int.max
    /// A list of changes since a token, with the token at its end.
    var isSync = false
    private var params: JSON.Object
    private var written = 0
    private var hasBegun = false

    init(_ door: DavDoor, _ shelf: DavShelf, _ wanted: DavWanted, first: [DavThing] = [], since: String? = nil) {
        self.door = door
        self.shelf = shelf
        self.wanted = wanted
        self.first = first
        params = shelf.params
        if let since { params["since"] = .string(since) }
    }

    func begin(_ doorway: Doorway) {
        if wanted.data != nil || filter != nil {
            for (name, value) in shelf.whole(wanted.data?.version).members { params[name] = value }
        }
        for (name, value) in asked.members { params[name] = value }
        if isSync, most < Int(DavLimits.pageMax) { params["limit"] = .int(Int64(most)) }
        more(doorway)
    }

    private func more(_ doorway: Doorway) {
        door.ask(shelf.list, params, doorway) { [self] page, doorway in write(page, doorway) }
    }

    private func write(_ page: JSON, _ doorway: Doorway) {
        if page["unknown"]?.bool == true {
            return door.respond(
                403, Dav.element(Dav.core("valid-sync-token")), "This token is not known; begin anew.", doorway)
        }
        var out: [UInt8] = []
        if written == 0, !hasBegun {
            out = DavDoor.multistatusBegin
            for thing in first { thing.write(wanted, to: &out) }
        }
        var isCut = false
        for item in page["items"]?.array ?? [] {
            if let filter, !filter(item["data"]?.string ?? "") { continue }
            // Of changes a page goes in whole: its token says that all of it is known.
            guard isSync || written < most else {
                isCut = true
                break
            }
            shelf.thing(item, data: wanted.data).write(wanted, to: &out)
            written += 1
        }
        for name in page["gone"]?.array?.compactMap(\.string) ?? [] {
            DavThing.write(shelf.item(name).href, "404 Not Found", to: &out)
            written += 1
        }
        var next = page["next"]
        if isSync, next != nil, written >= most { isCut = true }
        if isCut {
            next = nil
            DavThing.write(
                shelf.place.href, "507 Insufficient Storage", Dav.element(Dav.core("number-of-matches-within-limits")),
                to: &out)
        }
        if next == nil {
            if isSync { out += "<D:sync-token>\(DavShelf.token(page["sync"]?.string ?? ""))</D:sync-token>\n".utf8 }
            out += DavDoor.multistatusEnd
        }
        guard let next else {
            guard hasBegun else {
                return doorway.respond(HTTPAnswer(207, door.multistatusHeaders(wanted), body: out))
            }
            doorway.write(out)
            return doorway.end()
        }
        if !hasBegun { doorway.begin(207, door.multistatusHeaders(wanted)) }
        hasBegun = true
        params["after"] = next
        if let until = page["until"] { params["until"] = until }
        door.whenTaken { [self] doorway in more(doorway) }
        doorway.write(out)
    }
}

/// An answer that has things of a shelf by their addresses (multiget).
final class DavPicking {
    private unowned let door: DavDoor
    private let shelf: DavShelf
    private let wanted: DavWanted
    /// What else the area is asked.
    var asked = JSON.Object()
    private var left: ArraySlice<String>
    private var hasBegun = false

    init(_ door: DavDoor, _ shelf: DavShelf, _ wanted: DavWanted, _ hrefs: [String]) {
        self.door = door
        self.shelf = shelf
        self.wanted = wanted
        left = hrefs[...]
    }

    func begin(_ doorway: Doorway) { more(doorway) }

    /// The name of a thing of this shelf; whether it is an event or a task the address alone does not say.
    private func name(_ href: String) -> String? {
        guard let place = DavPlace(href: href), let name = place.itemName,
            shelf.item(name).href.hasSameBytes(as: place.href)
        else { return nil }
        return name
    }

    private func more(_ doorway: Doorway) {
        let some = Array(left.prefix(Int(DavLimits.pageMax)))
        left = left.dropFirst(some.count)
        var params = shelf.params
        params["names"] = .array(some.compactMap { name($0).map { .string($0) } })
        if wanted.data != nil {
            for (name, value) in (shelf.whole(wanted.data?.version).members + asked.members) { params[name] = value }
        }
        door.ask(shelf.list, params, doorway) { [self] page, doorway in write(page, some, doorway) }
    }

    private func write(_ page: JSON, _ asked: [String], _ doorway: Doorway) {
        var out: [UInt8] = hasBegun ? [] : DavDoor.multistatusBegin
        let items = Dictionary(
            (page["items"]?.array ?? []).map { ($0["name"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
        for href in asked {
            if let item = name(href).flatMap({ items[$0] }) {
                shelf.thing(item, href: href, data: wanted.data).write(wanted, to: &out)
            } else {
                DavThing.write(href, "404 Not Found", to: &out)
            }
        }
        if left.isEmpty { out += DavDoor.multistatusEnd }
        guard !left.isEmpty else {
            guard hasBegun else {
                return doorway.respond(HTTPAnswer(207, door.multistatusHeaders(wanted), body: out))
            }
            doorway.write(out)
            return doorway.end()
        }
        if !hasBegun { doorway.begin(207, door.multistatusHeaders(wanted)) }
        hasBegun = true
        door.whenTaken { [self] doorway in more(doorway) }
        doorway.write(out)
    }
}

extension DavLimits {
    /// Things in one answer of an area.
    static let pageMax: Int64 = 100
}
