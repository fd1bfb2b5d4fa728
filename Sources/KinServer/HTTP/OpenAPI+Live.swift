import KinKeeper
import KinModel

/// The parts of the description that are no method's own route: following over HTTP, and fixed addresses.
extension OpenAPI {
    /// `GET /live`, as the method `live.follow` has its parameters.
    static func live(_ follow: Method) -> JSON {
        let parameters: [JSON] = follow.parameters.map { field in
            var parameter: JSON = [
                "name": .string(field.name), "in": "query", "required": false,
                "schema": withoutNull(field.shape).schema, "description": .string(field.sentence),
            ]
            if field.name == "types" {
                parameter["style"] = "form"
                parameter["explode"] = false
            }
            return parameter
        }
        let last: JSON = [
            "name": "Last-Event-ID", "in": "header", "required": false,
            "schema": ["type": "string", "maxLength": 4096],
            "description": "The last cursor received, as an EventSource sends it when it comes back. It beats `since`.",
        ]
        return [
            "get": [
                "operationId": "live.follow", "summary": .string(follow.summary), "tags": [.string(liveTag)],
                "description": """
                An endless stream of notifications, each pushed as soon as it is on disk. The first is a `reset` with \
                a snapshot, unless a cursor was sent that can be gone on from. Accept decides: `text/event-stream` is \
                for EventSource, the id of each event is its cursor, and `data` is one notification; \
                `application/x-ndjson` has one notification a line. A request to open a WebSocket gets one, with the \
                subprotocol `kinwire.v1`.
                """,
                "parameters": .array(parameters + [last]),
                "responses": [
                    "101": ["description": "A WebSocket."],
                    "200": [
                        "description": "The stream.",
                        "content": [
                            "text/event-stream": [
                                "schema": [
                                    "type": "string",
                                    "description": "Events whose `data` is one `Notification` as JSON.",
                                ]
                            ],
                            "application/x-ndjson": ["schema": ["$ref": "#/components/schemas/Notification"]],
                        ],
                    ],
                    "204": ["description": "The session is dead: an EventSource that comes back must stop."],
                    "default": refused,
                ],
                "security": [["bearer": []], ["basic": []]],
            ]
        ]
    }

    /// Addresses at which the daemon describes itself to everybody.
    static let fixed: JSON.Object = [
        "/healthz": [
            "get": [
                "operationId": "healthz", "summary": "Whether the daemon answers.", "tags": [.string(liveTag)],
                "description": "Says nothing of the family.", "security": [],
                "responses": [
                    "200": ["description": "It does.", "content": ["text/plain": ["schema": ["type": "string"]]]]
                ],
            ]
        ],
        "/ca.crt": [
            "get": [
                "operationId": "ca.crt", "summary": "The family's root certificate.", "tags": [.string(liveTag)],
                "description": "Compare its SHA-256 with the one that stands in every invite link before trusting it.",
                "security": [],
                "responses": [
                    "200": [
                        "description": "The certificate as PEM.",
                        "content": ["application/x-x509-ca-cert": ["schema": ["type": "string"]]],
                    ],
                    "default": refused,
                ],
            ]
        ],
    ]

    /// The notifications on a stream.
    static func notifications(_ types: [String]) -> JSON.Object {
        let cursor: JSON = [
            "type": "string", "description": "Where the log stands after this: send it back to go on.",
        ]
        func object(_ description: String, _ properties: JSON, _ required: [JSON]) -> JSON {
            [
                "type": "object", "description": .string(description), "properties": properties,
                "required": .array(required),
            ]
        }
        func notification(_ method: String, _ params: JSON) -> JSON {
            object(
                "The notification `\(method)`.",
                [
                    "jsonrpc": ["type": "string", "enum": ["2.0"]],
                    "method": ["type": "string", "enum": [.string(method)]], "params": params,
                ], ["jsonrpc", "method", "params"])
        }
        let event = object(
            "Something that happened.",
            [
                "cursor": cursor,
                "type": [
                    "type": "string", "description": "What happened; a newer daemon may send more.",
                    "examples": .array(types.map { .string($0) }),
                ],
                "at": ["type": "string", "format": "date-time", "description": "When it was committed."],
                "by": [
                    "anyOf": [["type": "string", "format": "uuid"], ["type": "null"]],
                    "description": "Who did it; null for the daemon itself and for an administrator at the machine.",
                ],
                "atMachine": [
                    "type": "boolean", "description": "True where it was done at the machine, in that member's name.",
                ],
                "about": ["type": "string", "description": "What it is about, such as `meeting/0198…`."],
                "data": ["type": "object", "description": "As the schema `event.TYPE` says."],
            ], ["cursor", "type", "at", "by", "about", "data"])
        let reset = object(
            "Begin anew from this snapshot.",
            [
                "cursor": cursor, "view": ["type": "string", "description": "The view; send it back to go on."],
                "snapshot": ["$ref": "#/components/schemas/Snapshot"],
            ], ["cursor", "view", "snapshot"])
        let closing = object(
            "The daemon ends the connection.",
            [
                "code": ["type": "integer", "description": "4000 to 4099 and 1012: come back; others: do not."],
                "reason": ["type": "string", "description": "Why, as a sentence."],
                "retryAfter": [
                    "anyOf": [["type": "integer"], ["type": "null"]], "description": "Seconds to wait before.",
                ],
            ], ["code", "reason"])
        let passing = object(
            "Something that is so for a moment. Only where `passing` was asked for; nothing keeps it.",
            [
                "type": ["type": "string", "description": "What it is, named like an event."],
                "at": ["type": "string", "format": "date-time", "description": "When."],
                "by": ["type": "string", "format": "uuid", "description": "Who does it."],
                "atMachine": [
                    "type": "boolean", "description": "True where it is done at the machine, in that member's name.",
                ],
                "about": ["type": "string", "description": "What it is about, such as `room/0198…`."],
            ], ["type", "at", "by", "about"])
        return [
            "Event": event,
            "Notification": [
                "description": "One message of a stream.",
                "anyOf": [
                    notification("event", ["$ref": "#/components/schemas/Event"]),
                    notification("upto", object("Everything up to here was told.", ["cursor": cursor], ["cursor"])),
                    notification("reset", reset), notification("closing", closing),
                    notification("passing", passing),
                ],
            ],
        ]
    }

    static let liveTag = "Live"

    private static func withoutNull(_ shape: Shape) -> Shape {
        if case .nullable(let shape) = shape { shape } else { shape }
    }
}
