import KinModel

/// What was measured: rows for people, or one JSON object.
struct Report {
    /// One figure; what it is compared with and the verdict may be absent.
    struct Row {
        let name: String
        let ours: String
        var floor = ""
        var verdict = ""
    }

    let title: String
    private(set) var rows: [Row] = []
    private var members = JSON.Object()

    init(_ title: String) { self.title = title }

    mutating func add(_ name: String, _ ours: String, floor: String = "", verdict: String = "") {
        rows.append(Row(name: name, ours: ours, floor: floor, verdict: verdict))
        var row: JSON = ["ours": .string(ours)]
        if !floor.isEmpty { row["floor"] = .string(floor) }
        if !verdict.isEmpty { row["verdict"] = .string(verdict) }
        members[name] = row
    }

    /// A number for programs only.
    mutating func note(_ name: String, _ value: Double) { members[name] = .double(value) }

    var json: String {
        var whole: JSON = ["title": .string(title)]
        whole["figures"] = .object(members)
        return String(decoding: whole.bytes, as: UTF8.self)
    }

    var table: String {
        let heading = Row(name: title, ours: "ours", floor: "floor", verdict: "verdict")
        let all = [heading] + rows
        let widths = [
            all.map(\.name.count).max() ?? 0, all.map(\.ours.count).max() ?? 0, all.map(\.floor.count).max() ?? 0,
        ]
        return all.map { row in
            let cells = zip([row.name, row.ours, row.floor], widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            return (cells + [row.verdict]).joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension Double {
    /// With so many digits after the point.
    func rounded(_ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard isFinite, abs(self) < 1e15 else { return "\(self)" }
        let scaled = Int64((abs(self) * scale).rounded())
        let sign = self < 0 ? "-" : ""
        if digits == 0 { return "\(sign)\(scaled)" }
        let rest = "\(scaled % Int64(scale))"
        return "\(sign)\(scaled / Int64(scale))." + String(repeating: "0", count: digits - rest.count) + rest
    }
}

extension [Double] {
    /// The value below which a share (0…1) of the values lies; 0 of none.
    func percentile(_ share: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int(Double(count) * share))]
    }

    var median: Double { percentile(0.5) }
}
