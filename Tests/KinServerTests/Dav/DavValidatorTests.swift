import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// The validators of what clients of WebDAV read, and what these clients write with them.
@Suite struct DavValidatorTests {
    private let dav: DavBox
    private let ada: String
    private let own: String

    init() throws {
        dav = try DavBox()
        ada = try dav.credential("ada")
        own = try dav.calendar(of: "ada")
    }

    private func put(_ subject: String, _ headers: String...) throws -> BoxResponse {
        try dav.ask("PUT \(own)n.ics", ada, headers, DavBox.event("u1", subject))
    }

    @Test func `an entry comes as it is with the validator that getetag names, and is written with its other form`()
        throws
    {
        _ = try put("Choir")
        let shown = try dav.ask("GET \(own)n.ics", ada, ["Accept-Encoding: gzip"])
        let tag = try #require(shown["ETag"])
        #expect(shown["Content-Encoding"] == nil)
        #expect(try dav.tags(ada, in: own)["\(own)n.ics"] == tag)
        let known = try dav.ask("GET \(own)n.ics", ada, ["If-None-Match: \(tag)"])
        #expect(known.status == 304 && known["ETag"] == tag && known["Vary"] == "Accept")
        let other = "\(tag.dropLast())-gzip\""
        #expect(try put("Band", "If-Match: \(other)").status == 204)
        #expect(try put("Trip", "If-Match: \(other)").status == 412)
        let entries = try dav.call("ada", "entry.all", [:])["entries"]?.array ?? []
        #expect(entries.map { $0["subject"] } == ["Band"])
    }
}
