/// Prometheus' text format, version 0.0.4: families with their help, type and samples.
struct MetricsPage {
    /// What a family's numbers are.
    enum Sort: String {
        /// Only grows, from the start of the daemon.
        case counter
        /// Goes up and down.
        case gauge
        /// Counts per bucket.
        case histogram
    }

    /// One family, as the documentation lists it.
    struct Family: Equatable {
        let name: String
        let sort: Sort
        let help: String
        let labels: [String]
    }

    private(set) var families: [Family] = []
    private(set) var text = ""

    /// A family of one sample.
    mutating func add(_ name: String, _ sort: Sort, _ help: String, _ value: some BinaryInteger) {
        begin(name, sort, help, [])
        text += "\(name) \(value)\n"
    }

    /// The same, in seconds from nanoseconds.
    mutating func add(_ name: String, _ sort: Sort, _ help: String, nanoseconds: UInt64) {
        begin(name, sort, help, [])
        text += "\(name) \(Double(nanoseconds) / 1e9)\n"
    }

    /// A family of one sample per label value.
    mutating func add(
        _ name: String, _ sort: Sort, _ help: String, labels: [String], _ samples: [([String], UInt64)]
    ) {
        begin(name, sort, help, labels)
        for (values, value) in samples {
            let pairs = zip(labels, values).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            text += "\(name){\(pairs)} \(value)\n"
        }
    }

    /// A histogram; `unit` divides what was added.
    mutating func add(_ name: String, _ help: String, bounds: [UInt64], counts: [UInt64], sum: UInt64, unit: Double) {
        begin(name, .histogram, help, ["le"])
        var total: UInt64 = 0
        for (bound, count) in zip(bounds, counts) {
            total += count
            text += "\(name)_bucket{le=\"\(Self.number(Double(bound) / unit))\"} \(total)\n"
        }
        total += counts.last ?? 0
        text += "\(name)_bucket{le=\"+Inf\"} \(total)\n"
        text += "\(name)_sum \(Self.number(Double(sum) / unit))\n\(name)_count \(total)\n"
    }

    private mutating func begin(_ name: String, _ sort: Sort, _ help: String, _ labels: [String]) {
        families.append(Family(name: name, sort: sort, help: help, labels: labels))
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(sort.rawValue)\n"
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        text.map { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : $0 == "\n" ? "\\n" : String($0) }.joined()
    }

    /// The families as the rows of the documentation's table.
    var table: [String] {
        families.map { family in
            "| `\(family.name)` | \(family.sort.rawValue) | \(family.labels.map { "`\($0)`" }.joined(separator: " ")) | \(family.help) |"
        }
    }
}
