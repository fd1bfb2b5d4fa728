import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer

/// Holds values against the JSON Schemas that clients are given, by the schemas' own words: what a generator of clients
/// would make of them.
struct SchemaJudge {
    static let family = SchemaJudge(
        OpenAPI.document(.family, url: "https://box.local")["components"]?["schemas"] ?? [:])

    private let schemas: JSON

    init(_ schemas: JSON) { self.schemas = schemas }

    /// What is wrong with a value under a named schema; `nil` when nothing is.
    func fault(_ value: JSON, named name: String) -> String? {
        guard let schema = schemas[name] else { return "there is no schema \(name)" }
        return fault(value, schema, name)
    }

    /// What is wrong with a value under a schema.
    func fault(_ value: JSON, _ schema: JSON, _ path: String) -> String? {
        if let reference = schema["$ref"]?.string {
            return fault(value, named: String(reference.split(separator: "/").last ?? ""))
        }
        if let choices = schema["anyOf"]?.array {
            let faults = choices.map { fault(value, $0, path) }
            return faults.contains { $0 == nil } ? nil : "\(path) is none of: \(faults.compactMap(\.self))"
        }
        guard let type = schema["type"]?.string else { return schema == [:] ? nil : "\(path) has no type" }
        return switch type {
        case "null": value.isNull ? nil : "\(path) is not null"
        case "boolean": value.bool == nil ? "\(path) is no truth value" : nil
        case "string": text(value, schema, path)
        case "integer", "number": number(value, schema, path, isWhole: type == "integer")
        case "array": list(value, schema, path)
        case "object": object(value, schema, path)
        default: "\(path) is of the unknown type \(type)"
        }
    }

    private func text(_ value: JSON, _ schema: JSON, _ path: String) -> String? {
        guard let text = value.string else { return "\(path) is no text" }
        // Lengths count code points (JSON Schema, Validation §6.3).
        let count = Int64(text.unicodeScalars.count)
        if let max = schema["maxLength"]?.int, count > max { return "\(path) is longer than \(max)" }
        if let min = schema["minLength"]?.int, count < min { return "\(path) is shorter than \(min)" }
        if let words = schema["enum"]?.array, !words.contains(value) { return "\(path) is none of its words: \(text)" }
        if let pattern = schema["pattern"]?.string, !Self.fits(text, pattern) { return "\(path): \(text) ≠ \(pattern)" }
        if schema["format"] == "date-time", Instant(text)?.description != text { return "\(path) is no time: \(text)" }
        return nil
    }

    /// The patterns there are; another one has to be written here before it is believed.
    private static func fits(_ text: String, _ pattern: String) -> Bool {
        switch pattern {
        case "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$":
            text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [8, 4, 4, 4, 12]
                && text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        case "^[!-~]+$": !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        case "^[a-z0-9._-]{1,32}$":
            (1...32).contains(text.utf8.count)
                && text.unicodeScalars.allSatisfy {
                    "abcdefghijklmnopqrstuvwxyz0123456789._-".unicodeScalars.contains($0)
                }
        default: false
        }
    }

    private func number(_ value: JSON, _ schema: JSON, _ path: String, isWhole: Bool) -> String? {
        guard let number = value.double, !isWhole || value.int != nil else { return "\(path) is no \(schema.text)" }
        if let least = schema["minimum"]?.double, number < least { return "\(path) is below \(least)" }
        if let most = schema["maximum"]?.double, number > most { return "\(path) is above \(most)" }
        return nil
    }

    private func list(_ value: JSON, _ schema: JSON, _ path: String) -> String? {
        guard let elements = value.array else { return "\(path) is no list" }
        if let max = schema["maxItems"]?.int, Int64(elements.count) > max { return "\(path) has more than \(max)" }
        guard let items = schema["items"] else { return "\(path) does not say of what" }
        return elements.lazy.compactMap { fault($0, items, path + "[]") }.first
    }

    private func object(_ value: JSON, _ schema: JSON, _ path: String) -> String? {
        guard let object = value.object else { return "\(path) is no object" }
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil {
            return "\(path).\(name) is missing"
        }
        for member in object.members {
            guard let inner = schema["properties"]?[member.name] else {
                if schema["additionalProperties"] == false { return "\(path).\(member.name) is not described" }
                continue
            }
            if let fault = fault(member.value, inner, "\(path).\(member.name)") { return fault }
        }
        return nil
    }
}
