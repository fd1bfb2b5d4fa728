import KinClient
import KinCodec
import KinModel
import KinWords

/// The events that are wanted: `--types` and `--without` each take a list of types. A name that ends in a dot stands
/// for all types that begin with it.
struct EventTypes {
    let wanted: [String]?
    private let unwanted: [String]

    /// Reads the options; it refuses types that the daemon does not know.
    init(_ call: Invocation, _ door: Door) throws(Problem) {
        func typed(_ option: String) -> [String] {
            call.values(option).flatMap { $0.split(separator: ",").map { String($0) } }
        }
        wanted = call.has("types") ? typed("types") : nil
        unwanted = typed("without")
        if wanted?.isEmpty == true { throw .usage(phrase("tail.types-empty")) }
        let names = (wanted ?? []) + unwanted
        // If the daemon does not list its types, any type is accepted.
        guard !names.isEmpty, let known = Self.known(door) else { return }
        try Self.check(names, known)
    }

    func takes(_ type: String) -> Bool { !unwanted.contains { Self.fits(type, $0) } }

    /// Whether a message is an event that is not wanted.
    func leavesOut(_ message: [UInt8]) -> Bool {
        guard !unwanted.isEmpty, let json = try? JSON.parse(message), json["method"]?.string == "event",
            let type = json["params"]?["type"]?.string
        else { return false }
        return !takes(type)
    }

    static func check(_ names: [String], _ known: [String]) throws(Problem) {
        for name in names where !known.contains(where: { fits($0, name) }) {
            let near = near(name, known)
            guard near.isEmpty else {
                throw .usage(
                    phrase("tail.no-type-near", ["type": Plain.line(name), "near": near.joined(separator: ", ")]))
            }
            throw .usage(
                phrase("tail.no-type", ["type": Plain.line(name), "types": groups(known).joined(separator: ", ")]))
        }
    }

    private static func fits(_ type: String, _ name: String) -> Bool {
        name.hasSuffix(".") ? type.hasPrefix(name) : type == name
    }

    /// The types that were probably meant: those that differ by two letters at most, or else all of the same group.
    private static func near(_ name: String, _ known: [String]) -> [String] {
        let typed = name.lowercased()
        let close = known.filter { Distance.between($0, typed) <= min(2, typed.count / 2) }
        if !close.isEmpty { return close }
        let group = typed.prefix { $0 != "." }
        let same = known.filter { $0.hasPrefix(group + ".") }
        if !same.isEmpty { return same + ["\(group)."] }
        return groups(known).filter {
            Distance.between(String($0.dropLast()), String(group)) <= min(2, group.count / 2)
        }
    }

    /// `activity.`, `household.`; a type without a group stands for itself.
    private static func groups(_ known: [String]) -> [String] {
        var groups: [String] = []
        for type in known.sorted() {
            let group = type.contains(".") ? String(type.prefix { $0 != "." }) + "." : type
            if !groups.contains(group) { groups.append(group) }
        }
        return groups
    }

    /// The types that the daemon lists in its description of itself.
    private static func known(_ door: Door) -> [String]? {
        guard let wire = try? Wire.open(door.address, trust: door.trust),
            let answer = try? WebConversation(over: wire).ask(.get, "/api/openapi.json"),
            let json = try? JSON.parse(answer.body, depthMax: 200),
            let schemas = json["components"]?["schemas"]?.object
        else { return nil }
        let types = schemas.names.filter { $0.hasPrefix("event.") }.map { String($0.dropFirst(6)) }
        return types.isEmpty ? nil : types
    }
}
