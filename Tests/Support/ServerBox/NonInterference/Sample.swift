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

/// Valid parameters for any method of the registry, made from its declaration.
struct Sample {
    /// Who asks.
    let own: Identifier
    /// What identifiers to ask for.
    let ids: [Identifier]
    let now: Instant

    /// Questions: with what is required, and each choice there is for one parameter at a time.
    func questions(_ method: Method) -> [JSON] {
        var all = [base(method)]
        for field in method.parameters where field.isRequired || Self.hasID(field.shape) {
            for value in values(field.shape, field.name) {
                var params = base(method)
                params[field.name] = value
                if !all.contains(params) { all.append(params) }
            }
        }
        return all
    }

    /// The same for commands, but only about the identifiers: with anything else they might be carried out.
    func attempts(_ method: Method) -> [JSON] {
        method.parameters.filter { Self.hasID($0.shape) }.flatMap { field in
            values(field.shape, field.name).map { value in
                var params = base(method)
                params[field.name] = value
                return params
            }
        }
    }

    private func base(_ method: Method) -> JSON {
        var params = JSON.object([:])
        for field in method.parameters where field.isRequired { params[field.name] = value(field.shape, field.name) }
        return params
    }

    /// One value: the caller's own, where it is an identifier.
    private func value(_ shape: Shape, _ name: String) -> JSON {
        if case .id = shape { return .id(own) }
        return values(shape, name).first ?? .null
    }

    private func values(_ shape: Shape, _ name: String) -> [JSON] {
        switch shape {
        case .id: ids.map { .id($0) }
        case .time: [.time(name == "from" ? now.adding(days: -1) : now)]
        case .line, .text: ["heron"]
        case .secret: ["heron-lantern-quilt-42"]
        case .token: ["AAAA"]
        case .username: ["mo"]
        case .bool: [true]
        case .integer(let bounds): [.int(min(max(1, bounds.lowerBound), bounds.upperBound))]
        case .number(let bounds): [.double(min(max(1, bounds.lowerBound), bounds.upperBound))]
        case .oneOf(let words): words.map { .string($0) }
        case .list(let shape, _): values(shape, name).map { .array([$0]) }
        case .object(let fields): objects(fields)
        case .either(let shape, _), .nullable(let shape), .named(_, let shape): values(shape, name)
        case .any: [[:]]
        }
    }

    private func objects(_ fields: [Field]) -> [JSON] {
        var all: [JSON] = []
        let required = fields.filter(\.isRequired)
        let base = JSON.object(leavingOut: [:])
        var first = base
        for field in required { first[field.name] = value(field.shape, field.name) }
        all.append(first)
        for field in required where Self.hasID(field.shape) {
            for value in values(field.shape, field.name) {
                var object = first
                object[field.name] = value
                all.append(object)
            }
        }
        return all
    }

    /// Whether an identifier can be asked for with it.
    private static func hasID(_ shape: Shape) -> Bool {
        switch shape {
        case .id: true
        case .list(let shape, _), .nullable(let shape), .named(_, let shape): hasID(shape)
        case .either(let first, let second): hasID(first) || hasID(second)
        case .object(let fields): fields.contains { hasID($0.shape) }
        default: false
        }
    }
}
