import KinCodec
import KinModel
import KinSimulation
import KinXML

/// Calendar apps, and scripts of the house.
extension FuzzHouse {
    /// What an app asks by the first byte of an input: `~` stands for Ada's place, `@` for her calendar.
    private static let questions: [(line: String, fields: [String], type: String)] = [
        ("PROPFIND ~", ["Depth: 1"], "application/xml"), ("PROPFIND @", ["Depth: 0"], "application/xml"),
        ("REPORT @", ["Depth: 1"], "application/xml"), ("PUT @a.ics", [], "text/calendar"),
        ("PROPPATCH @", [], "application/xml"), ("MKCALENDAR ~new/", [], "application/xml"),
        ("REPORT /dav/contacts/family/", ["Depth: 1"], "application/xml"),
        ("PUT /dav/contacts/family/a.vcf", [], "text/vcard"), ("POST ~outbox/", [], "text/calendar"),
        ("MKCOL ~more/", [], "application/xml"), ("DELETE ~new/", [], "application/xml"),
    ]

    /// A calendar app's request (RFC 4791, RFC 6352), and whatever body: no answer is the daemon's own failure, and what says
    /// that it is XML is.
    func ask(_ input: [UInt8], planted: Bool) {
        let question = Self.questions[Int(input.first ?? 0) % Self.questions.count]
        let line = question.line.replacing("~", with: calendars).replacing("@", with: calendar)
        let content = Array(input.dropFirst())
        let (answers, connection) = say(
            line, question.fields.map { Array($0.utf8) }, content, as: calendarApp, type: question.type)
        defer { comeToRest([connection]) }
        guard let (head, body) = answers.first else { return }
        precondition(head.status < 500 || [501, 507].contains(head.status), "it failed: \(line) \(head.status)")
        if head.headers["Content-Type"]?.contains("xml") == true {
            do throws(XMLFailure) { _ = try XMLReader.read(body) } catch {
                preconditionFailure("what is said is no XML: \(error.sentence)")
            }
        }
        if planted { precondition(head.status != 207, "planted") }
    }

    /// A script publishes: fields, an empty line, and the text.
    func announce(_ input: [UInt8], planted: Bool) {
        let end = Self.emptyLine(input)
        let content = Array(input[end...].drop { $0 == 0x0A })
        let (answers, connection) = say("POST /\(topic)", Self.lines(input[..<end]), content, type: "text/plain")
        defer { comeToRest([connection]) }
        guard let (head, body) = answers.first else { return }
        precondition(head.status < 500 || [501, 507].contains(head.status), "it failed: \(head.status)")
        if head.status == 200 {
            precondition((try? JSON.parse(body))?["event"] == "message", "what was published is not said")
        }
        if planted { precondition(head.status != 200, "planted") }
    }
}
