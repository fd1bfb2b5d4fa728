import KinKeeper
import KinModel

/// The description of all methods, made from the registry: OpenAPI 3.1 with JSON Schemas of the parameters, the
/// results, the snapshot and every event's data.
enum OpenAPI {
    /// The whole document.
    static func document(_ registry: Registry, url: String) -> JSON {
        var paths = JSON.Object()
        var schemas = JSON.Object()
        var named: [String: Shape] = [:]
        let tags = registry.areas.reduce(into: [String: String]()) { all, area in
            for method in area.methods { all[method.name] = area.name }
        }
        let routes = Routes(registry)
        for method in registry.methods.values.sorted(by: { $0.name < $1.name }) where method.isPublic {
            for field in method.parameters { named.merge(field.shape.named) { first, _ in first } }
            named.merge(method.result.named) { first, _ in first }
            guard let route = method.route else { continue }
            var path = paths[route.path] ?? [:]
            path[route.verb.lowercased()] = operation(method, route, routes, tag: tags[method.name])
            paths[route.path] = path
        }
        if let follow = registry.methods["live.follow"] { paths["/live"] = live(follow) }
        for member in fixed.members + uploads.members { paths[member.name] = member.value }
        for event in registry.events.values { named.merge(event.data.named) { first, _ in first } }
        named.merge(registry.snapshot.named) { first, _ in first }
        for (name, shape) in named.sorted(by: { $0.key < $1.key }) { schemas.append(name, shape.schema) }
        for event in registry.events.values.sorted(by: { $0.name < $1.name }) where event.name != "reset" {
            var schema = event.data.schema
            schema["description"] = .string(event.summary)
            schemas.append("event." + event.name, schema)
        }
        schemas.append("Problem", problem)
        let types = registry.events.keys.filter { $0 != "reset" }.sorted()
        for member in notifications(types).members { schemas.append(member.name, member.value) }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Kinwire", "version": "1",
                "description": """
                A family's state, and every change of it, live. Sign in with `POST /api/session`, send the token as \
                `Authorization: Bearer TOKEN`, follow with `GET /live`. Times are RFC 3339 in UTC with milliseconds, \
                identifiers UUIDs in lower case, coordinates degrees of WGS 84.
                """,
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": .string(url)]],
            "tags": .array(self.tags(registry)),
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": [
                    "bearer": ["type": "http", "scheme": "bearer"], "basic": ["type": "http", "scheme": "basic"],
                ],
            ],
        ]
    }

    /// One tag for each area, with the words that its methods' names begin with.
    private static func tags(_ registry: Registry) -> [JSON] {
        registry.areas.compactMap { area in
            let families = Set(area.methods.filter { $0.isPublic && $0.route != nil }.map(\.familyName)).sorted()
            guard !families.isEmpty else { return nil }
            let names = families.map { "`\($0)`" }.joined(separator: ", ")
            return ["name": .string(area.name), "description": .string("What is asked of \(names).")]
        }
    }

    /// The finer rules, the roles that may call it, and the events it writes.
    private static func description(_ method: Method) -> String {
        var sentences: [String] = []
        if !method.note.isEmpty { sentences.append("Rules: \(method.note)\(method.note.hasSuffix(".") ? "" : ".")") }
        if !method.scopes.isEmpty {
            sentences.append("App passwords for \(method.scopes.map(\.rawValue).joined(separator: ", ")) may too.")
        }
        let events = method.events.map { "`\($0)`" }.joined(separator: ", ")
        sentences.append(events.isEmpty ? "It writes no event." : "Events: \(events).")
        return sentences.joined(separator: " ")
    }

    private static func operation(_ method: Method, _ route: Route, _ routes: Routes, tag: String?) -> JSON {
        let inPath = Set(
            route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) })
        let hasBody = route.verb != "GET" && route.verb != "DELETE"
        var parameters: [JSON] = []
        var body: [Field] = []
        for field in method.parameters {
            if inPath.contains(field.name) || !hasBody {
                parameters.append(
                    [
                        "name": .string(field.name), "in": inPath.contains(field.name) ? "path" : "query",
                        "required": .bool(field.isRequired || inPath.contains(field.name)),
                        "schema": field.shape.schema,
                        "description": .string(field.sentence),
                    ])
            } else {
                body.append(field)
            }
        }
        if method.sort != .query {
            parameters.append(
                header(
                    "Idempotency-Key", ["type": "string", "maxLength": 64],
                    "A repeat with the same key changes nothing."))
        }
        if routes.judges(method) {
            parameters.append(
                header(
                    "If-Match", ["type": "string"],
                    "Validators, one of which must be the present one; else the answer is 412, and nothing changes."))
        }
        var operation: JSON = [
            "operationId": .string(method.name), "summary": .string(method.summary), "tags": [.string(tag ?? liveTag)],
            "description": .string(description(method)), "parameters": .array(parameters),
            "responses": [
                String(route.status): [
                    "description": "Done.",
                    "content": content(method),
                ],
                "default": refused,
            ],
        ]
        if !body.isEmpty { operation["requestBody"] = requestBody(method, body) }
        if method.sort == .query, routes.isChanged(method) {
            let known = header("If-None-Match", ["type": "string"], "The validator that the client has.")
            operation["parameters"] = .array(parameters + [known])
            operation["responses"]?[String(route.status)]?["headers"] = [
                "ETag": ["description": "The validator of what is shown.", "schema": ["type": "string"]]
            ]
            operation["responses"]?["304"] = ["description": "It is as the client has it."]
        }
        operation["security"] = security(method)
        return operation
    }

    private static func security(_ method: Method) -> JSON {
        if method.access.contains(.nobody) { return [] }
        return method.scopes.isEmpty ? [["bearer": []]] : [["bearer": []], ["basic": []]]
    }

    /// The parameters as JSON; or the file by itself, where the method takes one.
    private static func requestBody(_ method: Method, _ body: [Field]) -> JSON {
        var content = JSON.Object()
        content.append("application/json", ["schema": Shape.objectSchema(body)])
        var requestBody: JSON = ["required": .bool(body.contains(where: \.isRequired))]
        if let parameter = method.parcel?.parameter {
            // JSON is the parameters, whatever the method takes as a file.
            let types = ServedType.fileTypes(of: method).filter { $0 != "application/json" }
            for type in types { content.append(type, [:]) }
            if !types.isEmpty {
                requestBody["description"] = .string(
                    "JSON, or the file `\(parameter)` by itself; then the other parameters stand in the query. "
                        + "With `Upload-Complete` it can be resumed, under `/api/uploads/{upload}`.")
            }
        }
        requestBody["content"] = .object(content)
        return requestBody
    }

    /// The media types of the answer.
    private static func content(_ method: Method) -> JSON {
        guard !method.mediaTypes.isEmpty else { return ["application/json": ["schema": method.result.schema]] }
        var content = JSON.Object()
        for type in method.mediaTypes { content.append(type, [:]) }
        return .object(content)
    }

    static let refused: JSON = [
        "description": "Refused; the sentence says why.",
        "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
    ]

    private static func text(_ type: String, _ description: String) -> JSON {
        ["type": .string(type), "description": .string(description)]
    }

    private static let problem: JSON = [
        "type": "object", "description": "Why something was not done (RFC 9457).",
        "properties": [
            "type": text("string", "`about:blank`, or what the draft of resumable uploads calls the problem."),
            "title": text("string", "The status in words."),
            "status": text("integer", "The HTTP status."),
            "detail": text("string", "A sentence for people."),
            "code": text("integer", "The error's number, as JSON-RPC has it."),
            "kind": text("string", "The error's word: what programs go by."),
            "field": text("string", "The parameter that is to blame."),
            "retryAfter": text("integer", "Seconds to wait before trying again."),
            "outcome": text("string", "`unknown`: repeat it with the same Idempotency-Key."),
        ],
        "required": ["title", "status"],
    ]
}
