import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// A calendar program reads a calendar at an address that holds a secret.
@Suite struct FeedDoorTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func call(_ name: String, _ method: String, _ params: JSON) throws -> JSON {
        let line = try box.line(name)
        defer { line.leave() }
        return try line.result(method, params)
    }

    private func add(_ name: String, _ subject: String, _ more: JSON = [:]) throws -> JSON {
        var params: JSON = ["subject": .string(subject), "start": "2027-03-01T10:00", "zone": "Europe/Berlin"]
        for member in more.object?.members ?? [] { params[member.name] = member.value }
        return try call(name, "entry.add", params)["entry"] ?? .null
    }

    @Test func `a calendar is read whole, and again only when something of it is otherwise`() throws {
        let soup = try add("ben", "Soup, and bread", ["repeat": "weekly"])
        let me = soup["owner"] ?? .null
        let made = try call("ben", "calendar.addFeed", ["name": "Phone", "calendar": me])
        let target = "/feed/" + (try #require(made["secret"]?.string)) + ".ics"
        let first = try box.connect().ask("GET \(target)")
        #expect(first.status == 200 && first["Content-Type"] == "text/calendar; charset=utf-8")
        let text = first.text
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
        #expect(text.contains("\r\nSUMMARY:Soup\\, and bread\r\n") && text.contains("\r\nRRULE:FREQ=WEEKLY\r\n"))
        #expect(text.contains("\r\nDTSTART;TZID=Europe/Berlin:20270301T100000\r\n"))
        #expect(text.contains("\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n"))
        let tag = try #require(first["ETag"])
        #expect(try box.connect().ask("GET \(target)", ["If-None-Match: \(tag)"]).status == 304)
        _ = try call("ben", "entry.update", ["entry": soup["id"] ?? .null, "subject": "Stew"])
        let second = try box.connect().ask("GET \(target)", ["If-None-Match: \(tag)"])
        #expect(second.status == 200 && second.text.contains("SUMMARY:Stew"))
        #expect(try box.connect().ask("POST \(target)", ["Content-Length: 0"]).status == 405)
        _ = try call("ben", "calendar.removeFeed", ["feed": made["feed"]?["id"] ?? .null])
        #expect(try box.connect().ask("GET \(target)").status == 403)
        #expect(try box.connect().ask("GET /feed/feed-nothing.ics").status == 403)
    }

    @Test(arguments: ["GET", "HEAD"])
    func `an address that is read without encryption ends, and no word of the daemon holds it`(method: String) throws {
        _ = try add("ben", "Soup")
        let made = try call("ben", "calendar.addFeed", ["name": "Phone"])
        let secret = try #require(made["secret"]?.string)
        #expect(try box.connect().ask("GET /feed/\(secret).ics").status == 200)
        #expect(try box.connect(from: Box.remote).ask("\(method) /feed/\(secret).ics").status == 426)
        #expect(try box.connect().ask("GET /feed/\(secret).ics").status == 403)
        #expect(try call("ben", "calendar.feeds", [:])["feeds"]?.array?.isEmpty == true)
        #expect(box.notes.contains { $0.contains("seen in plain text") }, "\(box.notes)")
        #expect(!box.notes.joined().contains(secret))
    }

    @Test func `who sees only when somebody is busy reads no more, and nothing when that is over`() throws {
        let dentist = try add("ben", "Dentist", ["place": "Mill Street", "category": "medical", "note": "Crown"])
        let me = dentist["owner"] ?? .null
        _ = try call("ben", "calendar.share", ["calendar": me, "with": "everyone", "right": "busy"])
        let made = try call("hal", "calendar.addFeed", ["name": "Laptop", "calendar": me])
        let target = "/feed/" + (try #require(made["secret"]?.string)) + ".ics"
        let busy = try box.connect().ask("GET \(target)")
        #expect(busy.status == 200 && busy.text.contains("SUMMARY:Busy") && busy.text.contains("20270301T090000Z"))
        for word in ["Dentist", "Mill", "Crown", "medical", dentist["id"]?.string ?? "?"] {
            #expect(!busy.text.contains(word), "\(word)")
        }
        // What it is about changes nothing of what is read.
        let tag = busy["ETag"] ?? ""
        _ = try call("ben", "calendar.share", ["calendar": me, "with": "everyone", "right": "none"])
        #expect(try box.connect().ask("GET \(target)", ["If-None-Match: \(tag)"]).status == 404)
    }
}
