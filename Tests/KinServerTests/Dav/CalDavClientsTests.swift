import KinCodec
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// The requests of calendar programs in their order, as far as their public sources show it: DAVx⁵'s own, Thunderbird's
/// `CalDavCalendar`, and those that Apple's Calendar Server has of iOS 5 and macOS 10.11 for tests of load. What each asks for
/// is named here; that what it needs is there, is what is tested.
@Suite struct CalDavClientsTests {
    private let dav: DavBox
    private let ada: String
    private let principal: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        principal = "/dav/principals/\(try dav.box.person("ada").id)/"
    }

    /// PROPFIND for properties, and what is told of each address.
    private func look(
        _ path: String, _ depth: String, _ names: [XMLName]
    ) throws -> [(href: String, properties: [XMLName: XMLElement], status: String?)] {
        let asked = names.map { Dav.element($0) }.joined()
        let body = "<D:propfind\(Dav.declarations)><D:prop>\(asked)</D:prop></D:propfind>"
        return try dav.things(try dav.ask("PROPFIND \(path)", ada, ["Depth: \(depth)"], body))
    }

    private func isCalendar(_ properties: [XMLName: XMLElement]) -> Bool {
        properties[Dav.core("resourcetype")]?.first(Dav.calendar("calendar")) != nil
    }

    @Test func `macOS and iOS set an account up, make a calendar, colour it, and poll it`() throws {
        let first = try look("/dav/", "0", ["current-user-principal", "principal-URL", "resourcetype"].map(Dav.core))
        #expect(dav.href(first[0].properties[Dav.core("current-user-principal")]) == principal)
        #expect(try dav.ask("OPTIONS \(principal)", ada)["DAV"]?.contains("calendar-auto-schedule") == true)
        let account = try look(
            principal, "0",
            [
                Dav.calendar("calendar-home-set"), Dav.calendar("calendar-user-address-set"),
                Dav.core("current-user-principal"), Dav.core("displayname"), Dav.server("dropbox-home-URL"),
                Dav.server("email-address-set"), Dav.server("notification-URL"), Dav.core("principal-collection-set"),
                Dav.core("principal-URL"), Dav.core("resource-id"), Dav.calendar("schedule-inbox-URL"),
                Dav.calendar("schedule-outbox-URL"), Dav.core("supported-report-set"),
            ])[0].properties
        // Without an address among these iOS offers no invitees.
        let addresses = account[Dav.calendar("calendar-user-address-set")]?.all(Dav.core("href")).map(\.text) ?? []
        #expect(addresses.contains { $0.hasPrefix("mailto:") })
        let home = try #require(dav.href(account[Dav.calendar("calendar-home-set")]))
        let made = try dav.ask(
            "MKCALENDAR \(home)7B3C0A9E-6B2F-4E9B-8C3B-1F0E5A2D9C11/", ada, ["Content-Type: text/xml"],
            """
            <C:mkcalendar\(Dav.declarations)><D:set><D:prop><A:calendar-order>3</A:calendar-order>\
            <C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set>\
            <A:calendar-color symbolic-color="custom">#711A76FF</A:calendar-color><C:calendar-timezone>x\
            </C:calendar-timezone><D:displayname>Garden</D:displayname><C:schedule-calendar-transp><C:opaque/>\
            </C:schedule-calendar-transp></D:prop></D:set></C:mkcalendar>
            """)
        #expect(made.status == 201, "\(made.text)")
        let listed = try look(
            home, "1",
            [
                Dav.core("add-member"), Dav.apple("calendar-color"), Dav.calendar("calendar-description"),
                Dav.calendar("calendar-free-busy-set"), Dav.apple("calendar-order"), Dav.calendar("calendar-timezone"),
                Dav.core("current-user-privilege-set"), Dav.calendar("default-alarm-vevent-datetime"),
                Dav.core("displayname"), Dav.server("getctag"), Dav.server("invite"), Dav.core("owner"),
                Dav.server("pushkey"), Dav.core("quota-available-bytes"), Dav.core("resourcetype"),
                Dav.calendar("schedule-calendar-transp"), Dav.calendar("schedule-default-calendar-URL"),
                Dav.server("source"), Dav.calendar("supported-calendar-component-set"),
                Dav.calendar("supported-calendar-component-sets"), Dav.core("supported-report-set"),
                Dav.core("sync-token"),
            ])
        let garden = try #require(listed.first { $0.properties[Dav.core("displayname")]?.text == "Garden" })
        #expect(isCalendar(garden.properties) && garden.properties[Dav.apple("calendar-color")]?.text == "#711a76FF")
        let inbox = listed.first {
            $0.properties[Dav.core("resourcetype")]?.first(Dav.calendar("schedule-inbox")) != nil
        }
        #expect(dav.href(inbox?.properties[Dav.calendar("schedule-default-calendar-URL")]) != nil)
        let recoloured = try dav.ask(
            "PROPPATCH \(garden.href)", ada, [],
            "<D:propertyupdate\(Dav.declarations)><D:set><D:prop><A:calendar-color>#00AA00</A:calendar-color></D:prop></D:set></D:propertyupdate>"
        )
        #expect(recoloured.text.contains("HTTP/1.1 200 OK"))
        // What it cannot keep is refused for that property, and asked for no more.
        let order = try dav.ask(
            "PROPPATCH \(garden.href)", ada, [],
            "<D:propertyupdate\(Dav.declarations)><D:set><D:prop><A:calendar-order>1</A:calendar-order></D:prop></D:set></D:propertyupdate>"
        )
        #expect(order.status == 207 && order.text.contains("HTTP/1.1 403"))
        // Beside what it may set, nothing is set, and only the other is refused (RFC 4918 §9.2).
        let both = try dav.ask(
            "PROPPATCH \(garden.href)", ada, [],
            "<D:propertyupdate\(Dav.declarations)><D:set><D:prop><D:displayname>Beds</D:displayname><A:calendar-order>1</A:calendar-order></D:prop></D:set></D:propertyupdate>"
        )
        let parts = both.text.split(separator: "<D:propstat>").map(String.init)
        #expect(parts.first { $0.contains("<D:displayname/>") }?.contains("HTTP/1.1 424 Failed Dependency") == true)
        #expect(parts.first { $0.contains("<A:calendar-order/>") }?.contains("HTTP/1.1 403 Forbidden") == true)
        #expect(try look(garden.href, "0", [Dav.core("displayname")])[0].properties.values.first?.text == "Garden")
        let before = try look(garden.href, "0", [Dav.server("getctag"), Dav.core("sync-token")])[0].properties
        let put = try dav.ask(
            "PUT \(garden.href)9D1E.ics", ada, ["If-None-Match: *", "Content-Type: text/calendar"],
            DavBox.event("9D1E", "Beds", ["X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC"]))
        #expect(put.status == 201)
        let after = try look(garden.href, "0", [Dav.server("getctag"), Dav.core("sync-token")])[0].properties
        #expect(before[Dav.server("getctag")]?.text != after[Dav.server("getctag")]?.text)
        let tags = try look(garden.href, "1", [Dav.core("getcontenttype"), Dav.core("getetag")])
        #expect(tags.last?.properties[Dav.core("getcontenttype")]?.text.hasPrefix("text/calendar") == true)
    }

    @Test func `DAVx⁵ finds calendars, and keeps one by its changes`() throws {
        let account = try look(
            principal, "0",
            [
                Dav.core("displayname"), Dav.core("resourcetype"), Dav.calendar("calendar-home-set"),
                Dav.core("group-membership"),
            ])[0].properties
        let home = try #require(dav.href(account[Dav.calendar("calendar-home-set")]))
        let listed = try look(
            home, "1",
            [
                Dav.core("resourcetype"), Dav.core("displayname"), Dav.core("current-user-privilege-set"),
                Dav.core("owner"), Dav.calendar("calendar-description"), Dav.apple("calendar-color"),
                Dav.calendar("calendar-timezone"), Dav.calendar("supported-calendar-component-set"),
                Dav.server("source"),
            ]
        ).filter { isCalendar($0.properties) }
        let own = try #require(listed.first { $0.properties[Dav.core("displayname")]?.text == "Ada" }?.href)
        #expect(listed.allSatisfy { $0.properties[Dav.core("current-user-privilege-set")] != nil })
        let state = try look(
            own, "0", [Dav.server("getctag"), Dav.core("sync-token"), Dav.core("supported-report-set")])[0].properties
        let reports = state[Dav.core("supported-report-set")]?.children.flatMap(\.children).flatMap(\.children) ?? []
        #expect(reports.map(\.name).contains(Dav.core("sync-collection")))
        // The first time it lists what is from ninety days ago on, and then follows changes.
        _ = try dav.ask("PUT \(own)a.ics", ada, ["If-None-Match: *"], DavBox.event("a", "Choir"))
        #expect(try dav.range(ada, own, "20260801T000000Z", "20280801T000000Z").map(\.href) == [own + "a.ics"])
        let sync = try dav.sync(ada, since: "", in: own)
        let many = try dav.things(
            try dav.ask(
                "REPORT \(own)", ada, [],
                "<C:calendar-multiget\(Dav.declarations)><D:prop><D:getcontenttype/><D:getetag/><C:schedule-tag/><C:calendar-data/></D:prop>\(sync.there.map { Dav.href($0) }.joined())</C:calendar-multiget>"
            ))
        #expect(many[0].properties[Dav.calendar("calendar-data")]?.text.contains("SUMMARY:Choir") == true)
        let tag = try #require(many[0].properties[Dav.core("getetag")]?.text)
        #expect(try dav.ask("DELETE \(own)a.ics", ada, ["If-Match: \(tag)"]).status == 204)
        #expect(try dav.sync(ada, since: sync.token, in: own).gone == [own + "a.ics"])
    }

    @Test func `Thunderbird asks the calendar what it is, and whether it may write`() throws {
        let own = try dav.calendar(of: "ada")
        let what = try look(
            own, "0",
            [
                Dav.core("resourcetype"), Dav.core("owner"), Dav.core("current-user-principal"),
                Dav.core("current-user-privilege-set"), Dav.core("supported-report-set"),
                Dav.calendar("supported-calendar-component-set"), Dav.server("getctag"),
            ])[0].properties
        let rights = what[Dav.core("current-user-privilege-set")]?.children.flatMap(\.children).map(\.name.local) ?? []
        #expect(isCalendar(what) && rights.contains("write") && dav.href(what[Dav.core("owner")]) == principal)
        #expect(try dav.ask("OPTIONS \(own)", ada)["DAV"]?.contains("calendar-access") == true)
        let home = try look(principal, "0", [Dav.calendar("calendar-home-set"), Dav.calendar("schedule-outbox-URL")])
        #expect(dav.href(home[0].properties[Dav.calendar("schedule-outbox-URL")])?.hasSuffix("/outbox/") == true)
        let sync = try dav.ask(
            "REPORT \(own)", ada, ["Depth: 1"],
            "<D:sync-collection\(Dav.declarations)><D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getcontenttype/><D:getetag/></D:prop></D:sync-collection>"
        )
        #expect(sync.status == 207 && sync.text.contains("<D:sync-token>"))
        // A calendar that is only read is shown so.
        _ = try dav.call(
            "ada", "calendar.share",
            ["calendar": .id(try dav.box.person("ada").id), "with": "everyone", "right": "read"])
        let ben = try dav.credential("ben")
        let shared = try dav.calendar(of: "ben", "\(try dav.box.person("ada").id)")
        let seen = try dav.things(
            try dav.ask(
                "PROPFIND \(shared)", ben, ["Depth: 0"],
                "<D:propfind\(Dav.declarations)><D:prop><D:current-user-privilege-set/></D:prop></D:propfind>"))
        let bens = seen[0].properties[Dav.core("current-user-privilege-set")]?.children.flatMap(\.children) ?? []
        #expect(bens.map(\.name.local) == ["read", "read-current-user-privilege-set"])
    }
}
