package import KinModel

extension Shape {
    /// The form in a few words, with its bounds: for tables and descriptions.
    package var words: String {
        switch self {
        case .id: "identifier"
        case .time: "time"
        case .line(let max): "line, 1 to \(Self.digits(Int64(max))) characters"
        case .text(let max): "text, 0 to \(Self.digits(Int64(max))) characters"
        case .secret(let max): "secret, 1 to \(Self.digits(Int64(max))) bytes"
        case .token(let max): "token, 1 to \(Self.digits(Int64(max))) characters"
        case .username: "username, 1 to 32 characters"
        case .bool: "true or false"
        case .integer(let bounds):
            bounds.upperBound == .max
                ? "whole number from \(Self.digits(bounds.lowerBound))"
                : "whole number, \(Self.digits(bounds.lowerBound)) to \(Self.digits(bounds.upperBound))"
        case .number(let bounds): "number, \(Self.digits(bounds.lowerBound)) to \(Self.digits(bounds.upperBound))"
        case .oneOf(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .list(let shape, let max): "list of at most \(Self.digits(Int64(max))): \(shape.words)"
        case .object(let fields): Self.words(fields)
        case .either(let first, let second): "\(first.words); or \(second.words)"
        case .nullable(let shape): "\(shape.words); or `null`"
        case .named(let name, _): "`\(name)`"
        case .any: "anything"
        }
    }

    private static func words(_ fields: [Field]) -> String {
        guard !fields.isEmpty else { return "`{}`" }
        let all = fields.map { field in "`\(field.name)`\(field.isRequired ? "" : "?") (\(field.shape.words))" }
        return "object of \(all.joined(separator: ", "))"
    }

    /// A number with commas between its thousands.
    private static func digits(_ number: Int64) -> String {
        let text = String(number.magnitude)
        var out = ""
        for (index, digit) in text.enumerated() {
            if index > 0, (text.count - index) % 3 == 0 { out.append(",") }
            out.append(digit)
        }
        return (number < 0 ? "−" : "") + out
    }

    private static func digits(_ number: Double) -> String {
        Int64(exactly: number).map { digits($0) } ?? (number < 0 ? "−" : "") + String(number.magnitude)
    }
}
