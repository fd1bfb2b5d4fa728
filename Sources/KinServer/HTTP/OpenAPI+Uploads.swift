import KinModel

/// The address of an upload that was begun and is not over (``UploadDoor``). No method of the registry has this route.
extension OpenAPI {
    static let uploads: JSON.Object = [
        "/api/uploads/{upload}": [
            "head": upload(
                "look", "How much of an upload has arrived.",
                "The upload goes on from there. It began as a `PUT` or `POST` of a file with `Upload-Complete`.",
                responses: ["204": told("So much has arrived.")]),
            "patch": upload(
                "append", "More of an upload.",
                "With the last part the method is carried out, and its answer is the answer here.",
                parameters: [
                    header(
                        "Upload-Offset", ["type": "integer", "minimum": 0], "Where this part begins.", isNeeded: true),
                    header(
                        "Upload-Complete", ["type": "string", "enum": ["?0", "?1"]], "Whether this is the last part.",
                        isNeeded: true),
                ],
                responses: [
                    "200": ["description": "The method's answer, after the last part; the method names its status."],
                    "204": told("This part is on the disk, and there is more to come."),
                    "409": ["description": "The upload goes on at another place: `Upload-Offset` says where."],
                ],
                requestBody: [
                    "required": true, "description": "The bytes of this part.",
                    "content": ["application/partial-upload": [:]],
                ]),
            "delete": upload(
                "cancel", "Ends an upload.", "The part that has arrived is removed.",
                responses: ["204": ["description": "It is over."]]),
        ]
    ]

    private static func upload(
        _ name: String, _ summary: String, _ description: String, parameters: [JSON] = [], responses: JSON.Object,
        requestBody: JSON? = nil
    ) -> JSON {
        let named: JSON = [
            "name": "upload", "in": "path", "required": true, "schema": ["type": "string", "format": "uuid"],
            "description": "The upload, as `Location` named it when it began.",
        ]
        var responses = responses
        responses["default"] = refused
        var operation: JSON = [
            "operationId": .string("upload." + name), "summary": .string(summary), "tags": [.string(liveTag)],
            "description": .string(description), "parameters": .array([named] + parameters),
            "responses": .object(responses), "security": [["bearer": []]],
        ]
        if let requestBody { operation["requestBody"] = requestBody }
        return operation
    }

    /// A response that says how much has arrived.
    private static func told(_ description: String) -> JSON {
        [
            "description": .string(description),
            "headers": [
                "Upload-Offset": ["description": "Bytes that have arrived.", "schema": ["type": "integer"]],
                "Upload-Complete": ["description": "`?0`: there is more to come.", "schema": ["type": "string"]],
                "Upload-Limit": [
                    "description": "`max-size` in bytes, and `max-age` in seconds.", "schema": ["type": "string"],
                ],
            ],
        ]
    }

    /// A field of a request's head.
    static func header(_ name: String, _ schema: JSON, _ description: String, isNeeded: Bool = false) -> JSON {
        [
            "name": .string(name), "in": "header", "required": .bool(isNeeded), "schema": schema,
            "description": .string(description),
        ]
    }
}
