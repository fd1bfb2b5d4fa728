import KinCodec
import KinCrypto

/// Whoever comes to whichever door.
extension FuzzHouse {
    /// A request, and whatever content. Its first line is the verb and the address, in which `$` stands for a topic of the
    /// house and `@` for Ada's calendar.
    func knock(_ input: [UInt8], planted: Bool) {
        let end = Self.emptyLine(input)
        let lines = input[..<end].dropFirst().split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let content = Array(input[end...].drop { $0 == 0x0A })
        // Whatever is no request line is the business of `http`.
        let first = (lines.first ?? []).prefix(400).filter { (0x20...0x7E).contains($0) }
        let words = first.split(separator: 0x20, maxSplits: 1)
        let letters = (words.first ?? []).filter { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        let verb = letters.isEmpty ? "GET" : String(decoding: letters, as: UTF8.self)
        var address = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : "/"
        address = address.replacing(" ", with: "%20").replacing("@", with: calendar).replacing("$", with: topic)
        if !address.hasPrefix("/") { address = "/" + address }

        let isSafe = ["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"].contains(verb)
        let shown =
            switch (input.first ?? 0) % 4 {
            // Her session might end itself, or what other inputs stand on: with it she only looks.
            case 1 where isSafe: "Bearer \(token)"
            case 2: "Basic " + Base64.encode(Array("ada:\(phone)".utf8))
            case 3: calendarApp
            default: ""
            }
        // The description of all methods is larger than what may wait for a client.
        let (answers, connection) = say(
            "\(verb) \(address)", Self.lines(lines.count > 1 ? lines[1] : []), content,
            HTTPMethod(verb), as: shown, type: "application/json", room: 8 << 20)
        defer { comeToRest([connection], mayRevoke: true) }
        guard let (head, body) = answers.first, head.status != 101 else { return }
        let asked = "\(verb) \(address): \(head.status)"
        precondition(head.status < 500 || [501, 503, 507].contains(head.status), "it failed: \(asked)")
        precondition(head.headers["X-Content-Type-Options"] == "nosniff", "a browser may guess its type: \(asked)")
        precondition(head.headers["Content-Security-Policy"] != nil, "a browser may run it: \(asked)")
        precondition(head.status != 405 || head.headers["Allow"] != nil, "nobody says which verbs: \(asked)")
        precondition(head.headers.values("Content-Type").count < 2, "it is of two types: \(asked)")
        if shown.isEmpty {
            let said = String(decoding: body, as: UTF8.self)
            precondition(![token, phone].contains { said.contains($0) }, "a secret is shown: \(asked)")
        }
        if planted { precondition(head.status != 405, "planted") }
    }
}
