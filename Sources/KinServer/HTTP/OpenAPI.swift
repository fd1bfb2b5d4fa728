import KinKeeper
import KinModel

/// The description of everything that can be asked, made from the registry: OpenAPI 3.1 with JSON Schemas of parameters,
/// results, the snapshot and every event's data.
enum OpenAPI {
    /// The whole document.
    static func document(_ registry: Registry, url: String) -> JSON {
        var paths = JSON.Object()
        var schemas = JSON.Object()
        var named: [String: Shape] = [:]
        for method in registry.methods.values.sorted(by: { $0.name < $1.name }) where method.isPublic {
            for field in method.parameters { named.merge(field.shape.named) { first, _ in first } }
            named.merge(method.result.named) { first, _ in first }
            guard let route = method.route else { continue }
            var path = paths[route.path] ?? [:]
            path[route.verb.lowercased()] = operation(method, route)
            paths[route.path] = path
        }
        for event in registry.events.values { named.merge(event.data.named) { first, _ in first } }
        named.merge(registry.snapshot.named) { first, _ in first }
        for (name, shape) in named.sorted(by: { $0.key < $1.key }) { schemas.append(name, shape.schema) }
        for event in registry.events.values.sorted(by: { $0.name < $1.name }) where event.name != "reset" {
            var schema = event.data.schema
            schema["description"] = .string(event.summary)
            schemas.append("event." + event.name, schema)
        }
        schemas.append("Problem", problem)
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Kinwire", "version": "1", "description": "A family's state, and every change of it, live.",
            ],
            "servers": [["url": .string(url)]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": [
                    "bearer": ["type": "http", "scheme": "bearer"], "basic": ["type": "http", "scheme": "basic"],
                ],
            ],
        ]
    }

    private static func operation(_ method: Method, _ route: Route) -> JSON {
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
                        "description": .string(field.summary),
                    ])
            } else {
                body.append(field)
            }
        }
        if method.sort != .query {
            parameters.append(
                [
                    "name": "Idempotency-Key", "in": "header", "required": false,
                    "schema": ["type": "string", "maxLength": 64],
                    "description": "A repeat with the same key changes nothing.",
                ])
        }
        var operation: JSON = [
            "operationId": .string(method.name), "summary": .string(method.summary), "parameters": .array(parameters),
            "responses": [
                String(route.status): [
                    "description": "Done.",
                    "content": content(method),
                ],
                "default": [
                    "description": "Refused; the sentence says why.",
                    "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
                ],
            ],
        ]
        if !body.isEmpty {
            operation["requestBody"] = [
                "required": .bool(body.contains(where: \.isRequired)),
                "content": ["application/json": ["schema": Shape.objectSchema(body)]],
            ]
        }
        operation["security"] = method.access.contains(.nobody) ? [] : [["bearer": []]]
        return operation
    }

    /// What the answer may be.
    private static func content(_ method: Method) -> JSON {
        guard !method.mediaTypes.isEmpty else { return ["application/json": ["schema": method.result.schema]] }
        var content = JSON.Object()
        for type in method.mediaTypes { content.append(type, [:]) }
        return .object(content)
    }

    private static let problem: JSON = [
        "type": "object",
        "properties": [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "detail": ["type": "string"], "code": ["type": "integer"], "kind": ["type": "string"],
            "field": ["type": "string"], "retryAfter": ["type": "integer"], "outcome": ["type": "string"],
        ],
        "required": ["title", "status"],
    ]
}
