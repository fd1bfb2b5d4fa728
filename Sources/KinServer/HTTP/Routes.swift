import KinCodec
import KinKeeper
import KinModel

/// The registry's routes over HTTP.
struct Routes {
    private struct Pattern {
        let method: Method
        let verb: String
        let segments: [String]
        let status: Int
    }

    private let patterns: [Pattern]

    init(_ registry: Registry) {
        patterns = registry.methods.values.compactMap { method in
            method.route.map { route in
                Pattern(
                    method: method, verb: route.verb,
                    segments: route.path.split(separator: "/").map { String($0) }, status: route.status)
            }
        }.sorted { left, right in
            // Literal segments before parameters, so that /members/me is not read as /members/{member}.
            (left.segments.joined(separator: "/"), left.verb) < (right.segments.joined(separator: "/"), right.verb)
        }.sorted { $0.segments.count { $0.hasPrefix("{") } < $1.segments.count { $0.hasPrefix("{") } }
    }

    enum Found {
        case method(Method, path: [String: String], status: Int)
        /// The address exists, but not with this verb.
        case otherVerbs([String])
        case none
    }

    func find(_ verb: String, _ path: [String]) -> Found {
        var verbs: [String] = []
        for pattern in patterns {
            guard let values = Self.match(pattern.segments, path) else { continue }
            if pattern.verb == verb || pattern.verb == "GET" && verb == "HEAD" {
                return .method(pattern.method, path: values, status: pattern.status)
            }
            verbs.append(pattern.verb)
        }
        return verbs.isEmpty ? .none : .otherVerbs(Array(Set(verbs + (verbs.contains("GET") ? ["HEAD"] : []))).sorted())
    }

    /// The query that shows what is at a method's address, if it can be called within the same turn.
    func shower(of method: Method) -> Method? {
        guard let path = method.route?.path else { return nil }
        return patterns.first {
            $0.verb == "GET" && $0.method.route?.path == path && !$0.method.isSlow && $0.method.mediaTypes.isEmpty
        }?.method
    }

    /// Whether `If-Match` is judged of what a method changes.
    func judges(_ method: Method) -> Bool {
        guard method.sort != .query, ["DELETE", "PATCH", "PUT"].contains(method.route?.verb ?? "") else { return false }
        return method.blob != nil || shower(of: method) != nil
    }

    /// Whether what a query shows is changed at the same address. Its answers then have a validator.
    func isChanged(_ query: Method) -> Bool {
        patterns.contains {
            $0.method.route?.path == query.route?.path && ["DELETE", "PATCH", "PUT"].contains($0.verb)
        } && shower(of: query)?.name == query.name
    }

    private static func match(_ segments: [String], _ path: [String]) -> [String: String]? {
        guard segments.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(segments, path) {
            if segment.hasPrefix("{") {
                guard !part.isEmpty else { return nil }
                values[String(segment.dropFirst().dropLast())] = part
            } else if segment != part {
                return nil
            }
        }
        return values
    }

    /// A request's parameters: the path's, then the query's (typed by the declaration), then the body's JSON object.
    static func params(
        _ method: Method, path: [String: String], query: FormFields, body: Result<JSON, JSONFailure>
    ) throws(Rejection) -> JSON.Object {
        var params = JSON.Object()
        for (name, value) in path.sorted(by: { $0.key < $1.key }) { params[name] = .string(value) }
        for field in query.fields {
            guard params[field.name] == nil else {
                throw Rejection(.params, "The parameter \(field.name.prefix(40)) is given twice.", field: field.name)
            }
            let shape = method.parameters.first { $0.name == field.name }?.shape
            params[field.name] = shape.map { typed(field.value, $0) } ?? .string(field.value)
        }
        let json: JSON
        do throws(JSONFailure) { json = try body.get() } catch { throw Rejection(.parse, error.sentence) }
        if let array = json.array, let list = method.listBody {
            params[list] = .array(array)
            return params
        }
        guard let object = json.object else { throw Rejection(.params, "The body must be a JSON object.") }
        for member in object.members {
            guard params[member.name] == nil else {
                throw Rejection(.params, "The parameter \(member.name.prefix(40)) is given twice.", field: member.name)
            }
            params.append(member.name, member.value)
        }
        return params
    }

    /// A query parameter's text as a value of its declared type. Text that does not fit stays text, and the check
    /// refuses it.
    private static func typed(_ text: String, _ shape: Shape) -> JSON {
        switch shape {
        case .integer: Int64(text).map { .int($0) } ?? .string(text)
        case .number: Double(text).map { .double($0) } ?? .string(text)
        case .bool: text == "true" ? true : text == "false" ? false : .string(text)
        case .list(let element, _): .array(text.split(separator: ",").map { typed(String($0), element) })
        case .nullable(let shape), .named(_, let shape): typed(text, shape)
        case .either(.oneOf(let words), let other) where !words.contains(text): typed(text, other)
        case .either(let first, _): typed(text, first)
        default: .string(text)
        }
    }
}
