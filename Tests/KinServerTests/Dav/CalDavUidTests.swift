import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// A UID stands once in a calendar, and what stands under a name keeps its own (RFC 4791, 5.3.2.1).
@Suite struct CalDavUidTests {
    private let dav: DavBox
    private let ben: String
    private let own: String
    private let family: String
    private let name: String

    init() throws {
        dav = try DavBox()
        ben = try dav.credential("ben")
        own = try dav.calendar(of: "ben")
        name = try #require(try dav.call("ben", "family.show", [:])["family"]?["id"]?.string)
        family = try dav.calendar(of: "ben", name)
    }

    private func put(_ address: String, _ uid: String, _ subject: String = "Choir") throws {
        #expect(try dav.ask("PUT \(address)", ben, [], DavBox.event(uid, subject)).status == 201)
    }

    /// Brings an event with a UID to an address of the family's calendar.
    private func bring(_ method: String, _ uid: String, to address: String) throws -> BoxResponse {
        guard method != "PUT" else { return try dav.ask("PUT \(address)", ben, [], DavBox.event(uid, "Mine")) }
        return try dav.ask("\(method) \(own)\(uid).ics", ben, ["Destination: \(address)"])
    }

    private func all(_ who: String) throws -> [String] {
        try dav.call(who, "entry.all", [:])["entries"]?.array?.compactMap { $0["subject"]?.string }.sorted() ?? []
    }

    @Test(arguments: ["PUT", "COPY", "MOVE"])
    func `a UID that another entry has, or another UID under a name, is refused with that entry's address`(
        _ method: String
    ) throws {
        try put(own + "u1.ics", "u1", "Mine")
        try put(family + "f.ics", "u2")
        func isRefused(_ answer: BoxResponse, by address: String) -> Bool {
            answer.status == 409
                && answer.text.contains("<C:no-uid-conflict><D:href>\(address)</D:href></C:no-uid-conflict>")
        }
        let onto = try bring(method, "u1", to: family + "f.ics")
        #expect(isRefused(onto, by: family + "f.ics"), "\(onto.status) \(onto.text)")
        try put(family + "g.ics", "u1", "Club")
        let beside = try bring(method, "u1", to: family + "new.ics")
        #expect(isRefused(beside, by: family + "g.ics"), "\(beside.status) \(beside.text)")
        #expect(try all("ben") == ["Choir", "Club", "Mine"])
        // What has the same UID is replaced.
        #expect(try bring(method, "u1", to: family + "g.ics").status == 204)
        #expect(try all("ben") == (method == "MOVE" ? ["Choir", "Mine"] : ["Choir", "Mine", "Mine"]))
    }

    @Test(arguments: ["PUT", "COPY", "MOVE"])
    func `an entry that is hidden is in nobody's way, by its UID or by its name`(_ method: String) throws {
        let ada = try dav.credential("ada")
        let there = try dav.calendar(of: "ada", name)
        #expect(try dav.ask("PUT \(there)h.ics", ada, [], DavBox.event("u1", "Secret")).status == 201)
        let secret = try #require(try dav.call("ada", "entry.all", [:])["entries"]?.array?.first?["id"])
        _ = try dav.call(
            "ada", "entry.update", ["entry": secret, "audience": [.id(try dav.box.person("hal").id)]])
        #expect(try all("ben").isEmpty)
        try put(own + "u1.ics", "u1", "Mine")
        for address in ["h.ics", "\(secret.string ?? "").ics"] {
            let answer = try bring(method, "u1", to: family + address)
            #expect(answer.status == 201 && !answer.text.contains("no-uid-conflict"), "\(answer.status) \(answer.text)")
            let read = try dav.ask("GET \(family)\(address)", ben).text
            #expect(read.contains("UID:u1\r\n") && read.contains("SUMMARY:Mine\r\n"), "\(read)")
            #expect(try dav.ask("DELETE \(family)\(address)", ben).status == 204)
            if method == "MOVE" { try put(own + "u1.ics", "u1", "Mine") }
        }
        #expect(try dav.ask("GET \(there)h.ics", ada).text.contains("SUMMARY:Secret\r\n"))
    }
}
