import Glibc
import KinCrypto
import KinModel
import KinWords

/// Imports contacts from a file of vCards, and exports them.
enum ContactFiles {
    /// Imports a file batch by batch, and reports each entry that was not taken unchanged.
    static func takeIn(_ call: Invocation, path: String) throws(Problem) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path) }
        defer { close(file) }
        var batches = VCardBatches()
        var report = ImportReport()
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        var isFirst = true
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            let mark = chunk.prefix(min(count, 2))
            if isFirst, mark == [0xFF, 0xFE] || mark == [0xFE, 0xFF] {
                throw .failed(phrase("contacts.utf16", ["path": path]))
            }
            isFirst = false
            if count == 0 { batches.finish() } else { batches.take(chunk.prefix(count)) }
            for batch in batches.takeBatches() {
                let result = try call.call(
                    "contact.import", ["vcard": .string(Base64.encode(batch))], timeoutMilliseconds: 600_000)
                let lines = report.take(result)
                if !call.wantsJSON { call.output.say(lines) }
            }
            guard count > 0 else { break }
        }
        call.answer(report.json, report.sentence)
    }

    /// Writes all contacts into a new file, or prints them.
    static func takeOut(_ call: Invocation) throws(Problem) {
        let params: JSON = .object(leavingOut: ["category": call.value("category").map { .string($0) }])
        let path = call.words.dropFirst().first
        let count = try NewFile.takeOut("contact.export", params, to: path, counting: "contacts", call)
        if path != nil { call.answer(["contacts": .int(count)], phrase("contacts.exported", ["n": count])) }
    }

    private static func unreadable(_ path: String) -> Problem {
        .failed(phrase("file.unreadable", ["path": path, "reason": Problem.reason(errno)]))
    }
}

/// The results for the entries of a file.
struct ImportReport {
    private var entries: [JSON] = []
    private var counts: [String: Int] = [:]

    /// Takes the answer to one batch. Answers a line for each entry that was not taken unchanged.
    mutating func take(_ result: JSON) -> [String] {
        let before = entries.count
        var lines: [String] = []
        for entry in result["entries"]?.array ?? [] {
            let number = before + Int(entry["number"]?.int ?? 0)
            let outcome = entry["outcome"]?.string ?? ""
            var entry = entry
            entry["number"] = .int(Int64(number))
            entries.append(entry)
            counts[outcome, default: 0] += 1
            let remarks = (entry["remarks"]?.array ?? []).compactMap(\.string).map { Plain.line($0) }
            guard !remarks.isEmpty || outcome == "refused" else { continue }
            let name = Plain.line(entry["name"]?.string ?? "")
            let values: KeyValuePairs<String, any CustomStringConvertible> = [
                "number": number, "name": name, "remarks": remarks.joined(separator: " "),
            ]
            lines.append(
                outcome == "refused" ? phrase("contacts.entry-refused", values) : phrase("contacts.entry-taken", values)
            )
        }
        return lines
    }

    var json: JSON { ["entries": .array(entries)] }

    var sentence: String {
        phrase(
            "contacts.imported",
            [
                "added": counts["added"] ?? 0, "changed": counts["changed"] ?? 0, "same": counts["same"] ?? 0,
                "refused": counts["refused"] ?? 0,
            ])
    }
}
