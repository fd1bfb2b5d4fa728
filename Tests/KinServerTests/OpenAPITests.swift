import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox

/// The description says all there is, and nothing that is not.
@Suite struct OpenAPITests {
    private func document() throws -> JSON {
        let box = try Box()
        let response = try box.connect().ask("GET /api/openapi.json")
        #expect(response.status == 200)
        return try #require(response.json)
    }

    /// Every value of a member anywhere.
    private func all(_ name: String, in json: JSON) -> [JSON] {
        switch json {
        case .object(let object):
            object.members.flatMap { ($0.name == name ? [$0.value] : []) + all(name, in: $0.value) }
        case .array(let elements): elements.flatMap { all(name, in: $0) }
        default: []
        }
    }

    @Test func `every reference leads somewhere`() throws {
        let document = try document()
        #expect(document["openapi"] == "3.1.0")
        let references = all("$ref", in: document).compactMap(\.string)
        #expect(!references.isEmpty)
        for reference in references {
            let path = reference.split(separator: "/").dropFirst().map { String($0) }
            let found = path.reduce(Optional(document)) { $0?[$1] }
            #expect(found != nil, "\(reference)")
        }
    }

    @Test func `every address of the registry is in it, with what it takes`() throws {
        let document = try document()
        var operations = 0
        for method in RegistryAccessTests.methods {
            guard let route = method.route else { continue }
            operations += 1
            let operation = try #require(document["paths"]?[route.path]?[route.verb.lowercased()], "\(method.name)")
            #expect(operation["operationId"]?.string == method.name)
            #expect(operation["responses"]?[String(route.status)] != nil)
            let parameters = operation["parameters"]?.array ?? []
            let body = operation["requestBody"]?["content"]?["application/json"]?["schema"]?["properties"]?.object
            let named = Set(parameters.compactMap { $0["name"]?.string } + (body?.names ?? []))
            #expect(Set(method.parameters.map(\.name)).isSubset(of: named), "\(method.name)")
            for segment in route.path.split(separator: "/") where segment.hasPrefix("{") {
                let name = String(segment.dropFirst().dropLast())
                let parameter = parameters.first { $0["name"]?.string == name && $0["in"] == "path" }
                #expect(parameter?["required"] == true, "\(route.path)")
                #expect(method.parameters.contains { $0.name == name }, "\(route.path) names \(name)")
            }
            if route.verb == "GET" { #expect(method.sort == .query && operation["requestBody"] == nil) }
        }
        // Following, what the daemon says of itself, and uploads.
        let uploads = try #require(document["paths"]?["/api/uploads/{upload}"]?.object)
        #expect(uploads.names == ["head", "patch", "delete"])
        #expect(
            all("operationId", in: try #require(document["paths"])).count
                == operations + Self.besides.count + uploads.names.count)
    }

    @Test func `conditions, and app passwords where they do, are in it`() throws {
        let paths = try #require(try document()["paths"])
        func takes(_ verb: String, _ path: String, _ header: String) -> Bool {
            paths[path]?[verb]?["parameters"]?.array?.contains { $0["name"]?.string == header && $0["in"] == "header" }
                ?? false
        }
        for verb in ["patch", "delete"] { #expect(takes(verb, "/api/contacts/{contact}", "If-Match"), "\(verb)") }
        #expect(takes("put", "/api/members/{member}/picture", "If-Match"))
        #expect(!takes("post", "/api/contacts", "If-Match") && !takes("put", "/api/password", "If-Match"))
        let contact = paths["/api/contacts/{contact}"]?["get"]
        #expect(takes("get", "/api/contacts/{contact}", "If-None-Match"))
        #expect(contact?["responses"]?["200"]?["headers"]?["ETag"] != nil && contact?["responses"]?["304"] != nil)
        #expect(contact?["responses"]?["200"]?["content"] != nil)
        for method in RegistryAccessTests.methods {
            guard let route = method.route, !method.access.contains(.nobody) else { continue }
            let ways = paths[route.path]?[route.verb.lowercased()]?["security"]?.array ?? []
            #expect(ways.contains { $0["basic"] != nil } == !method.scopes.isEmpty, "\(method.name)")
        }
    }

    /// Paths that are no method's route.
    private static let besides = ["/live", "/healthz", "/ca.crt"]

    @Test func `following is in it, with what the method takes and both kinds of stream`() throws {
        let document = try document()
        let live = try #require(document["paths"]?["/live"]?["get"])
        let parameters = live["parameters"]?.array ?? []
        let method = try #require(Registry.family.methods["live.follow"])
        let names = parameters.compactMap { $0["name"]?.string }
        #expect(names == method.parameters.map(\.name) + ["Last-Event-ID"])
        #expect(parameters.first { $0["name"] == "types" }?["explode"] == false)
        let content = live["responses"]?["200"]?["content"]
        #expect(content?.object?.names == ["text/event-stream", "application/x-ndjson"])
        for path in Self.besides {
            #expect(document["paths"]?[path]?["get"]?["responses"]?["200"] != nil, "\(path)")
        }
        // What a stream carries is as its schema says.
        let judge = SchemaJudge(document["components"]?["schemas"] ?? [:])
        let event: JSON = [
            "jsonrpc": "2.0", "method": "event",
            "params": [
                "cursor": "c", "type": "activity.announced", "at": "2026-11-20T18:00:00.000Z", "by": nil, "about": "x",
                "data": [:],
            ],
        ]
        #expect(judge.fault(event, named: "Notification") == nil)
        #expect(judge.fault(["jsonrpc": "2.0", "method": "event", "params": [:]], named: "Notification") != nil)
    }

    @Test func `a method that takes a file says so, with the types of the file`() throws {
        let document = try document()
        let paths = try #require(document["paths"])
        func body(_ verb: String, _ path: String) -> JSON? { paths[path]?[verb]?["requestBody"] }
        let picture = body("put", "/api/members/{member}/picture")
        #expect(
            picture?["content"]?.object?.names == [
                "application/json", "image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif",
                "application/octet-stream",
            ])
        #expect(picture?["description"]?.string?.contains("`picture`") == true)
        #expect(body("post", "/api/contacts/import")?["content"]?["text/vcard"] != nil)
        #expect(body("post", "/api/session")?["content"]?.object?.names == ["application/json"])
        #expect(body("post", "/api/session")?["description"] == nil)
    }

    /// What the specification asks of a document and of each operation: the words of OpenAPI 3.1, §4.8.
    @Test func `every operation says what it is, has a tag that is described, and describes what it takes`() throws {
        let document = try document()
        #expect(document["info"]?["title"] != nil && document["info"]?["version"] != nil)
        let tags = (document["tags"]?.array ?? []).compactMap { $0["name"]?.string }
        #expect(Set(tags).count == tags.count)
        var operationIDs: Set<String> = []
        for path in document["paths"]?.object?.members ?? [] {
            #expect(path.name.hasPrefix("/"))
            for (verb, operation) in path.value.object?.members ?? [] {
                let place = "\(verb) \(path.name)"
                #expect(["get", "head", "put", "post", "delete", "patch"].contains(verb), "\(place)")
                let isNew = operationIDs.insert(operation["operationId"]?.string ?? "").inserted
                #expect(isNew, "\(place)")
                #expect(operation["summary"]?.string?.isEmpty == false, "\(place)")
                #expect(operation["description"]?.string?.isEmpty == false, "\(place)")
                let used = (operation["tags"]?.array ?? []).compactMap(\.string)
                #expect(used.count == 1 && Set(used).isSubset(of: tags), "\(place): \(used)")
                var parameters: Set<String> = []
                for parameter in operation["parameters"]?.array ?? [] {
                    let name = "\(parameter["in"]?.string ?? "") \(parameter["name"]?.string ?? "")"
                    let isNew = parameters.insert(name).inserted
                    #expect(isNew, "\(place) has \(name) twice")
                    #expect(
                        parameter["schema"] != nil && parameter["description"]?.string?.isEmpty == false, "\(place)")
                }
                for answer in operation["responses"]?.object?.members ?? [] {
                    #expect(answer.value["description"]?.string?.isEmpty == false, "\(place)")
                    #expect(answer.name == "default" || Int(answer.name).map { (100..<600).contains($0) } == true)
                }
            }
        }
    }

    /// Properties that nothing describes: no sentence, no properties of their own, and no schema elsewhere.
    private func undescribed(_ schema: JSON, _ place: String) -> [String] {
        let parts = [schema] + (schema["anyOf"]?.array ?? []) + [schema["items"]].compactMap(\.self)
        var found: [String] = []
        for part in parts.dropFirst() { found += undescribed(part, place) }
        for property in schema["properties"]?.object?.members ?? [] {
            let (name, value) = ("\(place).\(property.name)", property.value)
            let isSaid = value["description"]?.string?.isEmpty == false
            let text = String(decoding: value.bytes, as: UTF8.self)
            if !isSaid, !text.contains("\"$ref\""), !text.contains("\"properties\"") { found.append(name) }
            found += undescribed(value, name)
        }
        return found
    }

    @Test func `every property of what is sent, answered and told is described`() throws {
        let document = try document()
        var bare: [String] = []
        for path in document["paths"]?.object?.members ?? [] {
            for (verb, operation) in path.value.object?.members ?? [] {
                let place = "\(verb) \(path.name)"
                let answers = (operation["responses"]?.object?.members ?? []).map { $0.value }
                for content in [operation["requestBody"]].compactMap(\.self) + answers {
                    let schema = content["content"]?["application/json"]?["schema"] ?? [:]
                    bare += undescribed(schema, place)
                }
            }
        }
        // The notifications' own fields are those of JSON-RPC 2.0.
        for (name, schema) in document["components"]?["schemas"]?.object?.members ?? []
        where !["Notification", "Problem"].contains(name) {
            bare += undescribed(schema, name)
        }
        #expect(bare.isEmpty, "\(bare.prefix(20))")
        #expect(undescribed(["properties": ["x": ["type": "string"]]], "y") == ["y.x"])
    }

    @Test func `every event and the snapshot have a schema that says what is in it`() throws {
        let schemas = try #require(document()["components"]?["schemas"])
        for event in Registry.family.events.keys where event != Registry.resetType {
            #expect(schemas["event." + event] != nil, "\(event)")
        }
        let snapshot = try #require(schemas["Snapshot"]?["properties"])
        #expect(snapshot["members"]?["items"]?["$ref"] == "#/components/schemas/Member")
        #expect(snapshot["positions"]?["items"]?["$ref"] == "#/components/schemas/Seen")
        var full = Snapshot()
        full.more = ["places"]
        // The others are listed only.
        let shown = Set(Registry.family.areas.flatMap(\.snapshot).map(\.name))
        full.leaveOut(Snapshot.namesOfViews.filter { !shown.contains($0) })
        #expect(Set(snapshot.object?.names ?? []) == Set(full.json.object?.names ?? []))
    }

    @Test(arguments: [
        (#"{"text":7}"#, "text"), (#"{}"#, "missing"), (#"{"text":"x","more":1}"#, "more"), (#"[]"#, "object"),
        (#"null"#, "object"),
    ])
    func `a value that is not as its schema says is seen`(text: String, word: String) throws {
        let fault = SchemaJudge.family.fault(try JSON.parse(Array(text.utf8)), named: "event.activity.announced")
        #expect(fault?.contains(word) == true, "\(fault ?? "nothing")")
        #expect(SchemaJudge.family.fault(["text": "x"], named: "event.activity.announced") == nil)
        #expect(SchemaJudge.family.fault([:], named: "event.no.such") != nil)
        #expect(SchemaJudge.family.fault("2026-11-20T18:00:00Z", Shape.time.schema, "at") != nil)
        #expect(SchemaJudge.family.fault("A1", Shape.username.schema, "username") != nil)
        #expect(SchemaJudge.family.fault(1.5, Shape.integer(0...9).schema, "count") != nil)
        #expect(SchemaJudge.family.fault(10, Shape.integer(0...9).schema, "count") != nil)
        #expect(SchemaJudge.family.fault("maybe", Shape.nullable(.oneOf(["yes"])).schema, "answer") != nil)
    }

    @Test func `no result and no event is left undescribed`() {
        func isVague(_ shape: Shape) -> Bool {
            switch shape {
            case .any: true
            case .named(_, let shape), .list(let shape, _), .nullable(let shape): isVague(shape)
            case .either(let first, let second): isVague(first) || isVague(second)
            case .object(let fields): fields.contains { isVague($0.shape) }
            default: false
            }
        }
        // A picture is bytes.
        for method in RegistryAccessTests.methods where method.name != "member.picture" {
            #expect(!isVague(method.result), "\(method.name)")
        }
        for event in Registry.family.events.values { #expect(!isVague(event.data), "\(event.name)") }
    }

    /// Numbers of which nothing says what they count or measure: no sentence of theirs or of the object that they stand
    /// in, and no name that is a unit. What has a page entry of its own (`Shape.named`) is judged by itself.
    private func bareNumbers(_ shape: Shape, _ name: String, isSaid: Bool) -> [String] {
        switch shape {
        case .integer, .number: return isSaid ? [] : [name]
        case .list(let inner, _), .nullable(let inner): return bareNumbers(inner, name, isSaid: isSaid)
        case .either(let first, let second):
            return bareNumbers(first, name, isSaid: isSaid) + bareNumbers(second, name, isSaid: isSaid)
        case .named(_, let inner):
            if case .object = inner { return bareNumbers(inner, name, isSaid: false) }
            return bareNumbers(inner, name, isSaid: isSaid)
        case .object(let fields): return fields.flatMap { bareNumbers($0, in: name, isSaid: isSaid) }
        default: return []
        }
    }

    private func bareNumbers(_ field: Field, in place: String, isSaid: Bool = false) -> [String] {
        let isUnit = ["bytes", "count", "month", "day"].contains { field.name.lowercased().hasSuffix($0) }
        return bareNumbers(
            field.shape, "\(place).\(field.name)", isSaid: isSaid || isUnit || !field.summary.isEmpty)
    }

    @Test func `every number says what it counts or measures`() {
        for method in RegistryAccessTests.methods {
            let bare =
                method.parameters.flatMap { bareNumbers($0, in: method.name) }
                + bareNumbers(method.result, method.name, isSaid: false)
            #expect(bare.isEmpty, "\(bare)")
        }
        for event in Registry.family.events.values {
            let bare = bareNumbers(event.data, event.name, isSaid: false)
            #expect(bare.isEmpty, "\(bare)")
        }
    }

    @Test func `a number of which nothing says what it is, is seen`() {
        let shape = Shape.object([
            .required("height", .number(0...9)), .required("width", .number(0...9), "Metres."),
            .required("sizeBytes", .integer(0...9)),
            .required("sums", .object([.required("points", .integer(0...9))]), "Of all members."),
            .required("box", .named("Box", .object([.optional("depth", .list(.integer(0...9), max: 3))])), "A box."),
        ])
        #expect(bareNumbers(shape, "x", isSaid: false) == ["x.height", "x.box.depth"])
    }
}
