import KinModel

/// A recorded stream as a file. Identifiers and cursors are numbered in their order, and a view is written without the
/// daemon's mark, so that a file changes only when the events do. Nothing else that was received is changed.
struct Vector {
    let name: String
    let about: String
    let view: String
    let steps: [JSON]

    /// One step a line; of a snapshot one part a line.
    var text: String {
        var names = Names(identifiersOf: steps)
        let lines = steps.map { step in
            let members = (step.object ?? [:]).members.map { member in
                "\(JSON.string(member.name).text):\(Self.text(names.renamed(member.value), of: member.name))"
            }
            return "{\(members.joined(separator: ","))}"
        }
        return """
            {"name":\(JSON.string(name).text),
            "about":\(JSON.string(about).text),
            "view":\(JSON.string(view).text),
            "steps":[
            \(lines.joined(separator: ",\n"))
            ]}

            """
    }

    private static func text(_ value: JSON, of name: String) -> String {
        guard name != "event", let object = value.object else { return value.text }
        if name == "snapshot" {
            let parts = object.members.map { "  \(JSON.string($0.name).text):\($0.value.text)" }
            return "{\n\(parts.joined(separator: ",\n"))}"
        }
        let members = object.members.map { "\(JSON.string($0.name).text):\(text($0.value, of: $0.name))" }
        return "{\(members.joined(separator: ","))}"
    }

    /// What identifiers and cursors are called in a file.
    private struct Names {
        private var identifiers: [String: String] = [:]
        private var cursors: [String: String] = [:]
        private static let length = 36

        init(identifiersOf steps: [JSON]) {
            var found: Set<String> = []
            for step in steps { Self.collect(step, into: &found) }
            for (index, identifier) in found.sorted().enumerated() {
                let digits = String(index + 1)
                identifiers[identifier] =
                    "01980000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
            }
        }

        private static func collect(_ json: JSON, into found: inout Set<String>) {
            switch json {
            case .string(let text): for part in parts(of: text) where isIdentifier(part) { found.insert(part) }
            case .array(let elements): for element in elements { collect(element, into: &found) }
            case .object(let object): for member in object.members { collect(member.value, into: &found) }
            default: break
            }
        }

        private static func isIdentifier(_ text: String) -> Bool {
            text.utf8.count == length && Identifier(text) != nil
        }

        /// What stands between the slashes: `meeting/0198…`.
        private static func parts(of text: String) -> [String] {
            text.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        }

        mutating func renamed(_ json: JSON) -> JSON {
            switch json {
            case .string(let text):
                return .string(Self.parts(of: text).map { identifiers[$0] ?? $0 }.joined(separator: "/"))
            case .array(let elements): return .array(elements.map { renamed($0) })
            case .object(let object):
                var copy = JSON.Object()
                for member in object.members {
                    if member.name == "cursor", let cursor = member.value.string {
                        let name = cursors[cursor] ?? "cursor-\(cursors.count + 1)"
                        cursors[cursor] = name
                        copy.append(member.name, .string(name))
                    } else if member.name == "view", let view = member.value.string {
                        copy.append(member.name, .string(String(view.prefix { $0 != "~" })))
                    } else {
                        copy.append(member.name, renamed(member.value))
                    }
                }
                return .object(copy)
            default: return json
            }
        }
    }
}
