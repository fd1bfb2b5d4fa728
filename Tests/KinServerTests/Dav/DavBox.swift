import KinCodec
import KinCrypto
import KinModel
import KinXML
import Testing

@testable import KinServer
@testable import KinServerBox

/// A family in a box with clients of WebDAV: requests as they send them, answers as they read them.
struct DavBox {
    let box: Box

    init() throws { box = try Box.family() }

    /// An app password of somebody's, as the field of a request's head.
    func credential(_ name: String, scope: String = "calendar") throws -> String {
        let line = try box.line(name)
        defer { line.leave() }
        let made = try line.result("appPassword.create", ["device": "phone", "scope": .string(scope)])
        return Self.basic(name, try #require(made["password"]?.string))
    }

    static func basic(_ name: String, _ password: String) -> String {
        "Authorization: Basic " + KinCrypto.Base64.encode(Array("\(name):\(password)".utf8))
    }

    func call(_ name: String, _ method: String, _ params: JSON) throws -> JSON {
        let line = try box.line(name)
        defer { line.leave() }
        return try line.result(method, params)
    }

    /// Asks with a credential.
    func ask(
        _ line: String, _ credential: String, _ headers: [String] = [], _ body: String = ""
    ) throws -> BoxResponse {
        let client = box.connect()
        defer { client.leave() }
        return try client.ask(line, [credential] + headers, body)
    }

    /// What a multistatus says of each address: its properties by their names, or the status it has.
    func things(_ response: BoxResponse) throws -> [(href: String, properties: [XMLName: XMLElement], status: String?)]
    {
        try #require(response.status == 207, "\(response.status): \(response.text)")
        let root = try XMLReader.read(response.body)
        try #require(root.name == Dav.core("multistatus"))
        return root.all(Dav.core("response")).map { thing in
            var found: [XMLName: XMLElement] = [:]
            for propstat in thing.all(Dav.core("propstat"))
            where propstat.first(Dav.core("status"))?.text == "HTTP/1.1 200 OK" {
                for property in propstat.first(Dav.core("prop"))?.children ?? [] { found[property.name] = property }
            }
            return (
                thing.first(Dav.core("href"))?.text ?? "", found, thing.first(Dav.core("status"))?.text
            )
        }
    }

    func href(_ element: XMLElement?) -> String? { element?.first(Dav.core("href"))?.text }

    // MARK: Contacts

    static let book = "/dav/contacts/family/"

    /// The validators of all contacts, by address.
    func tags(_ credential: String, in place: String = DavBox.book) throws -> [String: String] {
        let answer = try ask(
            "PROPFIND \(place)", credential, ["Depth: 1"],
            "<propfind xmlns=\"DAV:\"><prop><getetag/><resourcetype/></prop></propfind>")
        var tags: [String: String] = [:]
        for thing in try things(answer) where thing.href != place {
            tags[thing.href] = thing.properties[Dav.core("getetag")]?.text
        }
        return tags
    }

    /// What was changed since a token: those there are with their validators, those that went, and the next token.
    func sync(
        _ credential: String, since token: String, limit: Int? = nil, in place: String = DavBox.book
    ) throws -> (there: [String], gone: [String], cut: Bool, token: String) {
        let limit = limit.map { "<D:limit><D:nresults>\($0)</D:nresults></D:limit>" } ?? ""
        let answer = try ask(
            "REPORT \(place)", credential, [],
            """
            <D:sync-collection xmlns:D="DAV:"><D:sync-token>\(token)</D:sync-token><D:sync-level>1</D:sync-level>\(limit)\
            <D:prop><D:getetag/></D:prop></D:sync-collection>
            """)
        let things = try things(answer)
        let root = try XMLReader.read(answer.body)
        return (
            things.filter { $0.status == nil }.map(\.href),
            things.filter { $0.status?.contains("404") ?? false }.map(\.href),
            things.contains { $0.status?.contains("507") ?? false },
            try #require(root.first(Dav.core("sync-token"))?.text)
        )
    }

    /// A vCard of a few words.
    static func card(_ uid: String, _ name: String, _ more: [String] = []) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "UID:\(uid)", "FN:\(name)", "N:\(name);;;;"] + more + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    // MARK: Calendars

    /// The address of a calendar of somebody's, by its name there; without one, of their own.
    func calendar(of name: String, _ calendar: String? = nil) throws -> String {
        let id = try box.person(name).id.description
        return "/dav/calendars/\(id)/\(calendar ?? id)/"
    }

    /// An object of iCalendar with one event of a few lines.
    static func event(_ uid: String, _ summary: String, _ more: [String] = []) -> String {
        object([
            ["UID:\(uid)", "DTSTAMP:20261101T000000Z", "SUMMARY:\(summary)"]
                + (more.contains { $0.hasPrefix("DTSTART") }
                    ? [] : ["DTSTART;TZID=Europe/Berlin:20261124T180000", "DTEND;TZID=Europe/Berlin:20261124T190000"])
                + more
        ])
    }

    /// An object of events.
    static func object(_ events: [[String]]) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN"]
            + events.flatMap { ["BEGIN:VEVENT"] + $0 + ["END:VEVENT"] } + ["END:VCALENDAR", ""])
            .joined(separator: "\r\n")
    }

    /// What a calendar's time-range has, with its data.
    func range(
        _ credential: String, _ place: String, _ from: String, _ to: String, expand: Bool = false
    ) throws -> [(href: String, data: String)] {
        let span = "start=\"\(from)\" end=\"\(to)\""
        let answer = try ask(
            "REPORT \(place)", credential, ["Depth: 1"],
            """
            <C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/>\
            <C:calendar-data>\(expand ? "<C:expand \(span)/>" : "")</C:calendar-data></D:prop><C:filter>\
            <C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range \(span)/></C:comp-filter>\
            </C:comp-filter></C:filter></C:calendar-query>
            """)
        return try things(answer).map { ($0.href, $0.properties[Dav.calendar("calendar-data")]?.text ?? "") }
    }
}
