/// Writers of `text/event-stream` (WHATWG HTML §9.2).
public enum ServerSentEvent {
    /// Appends one event. `id` becomes the client's last event id; a `type` of `nil` is `message`. Line breaks in the
    /// data become several data lines; in `id` and `type` they and NUL are left out.
    public static func write(id: String? = nil, type: String? = nil, data: [UInt8], to out: inout [UInt8]) {
        if let id { writeField("id: ", id, to: &out) }
        if let type { writeField("event: ", type, to: &out) }
        out += "data: ".utf8
        let data = data.span
        if data.firstIndex(of: 0x0A) == nil, data.firstIndex(of: 0x0D) == nil {
            out.append(data)
        } else {
            for index in data.indices {
                switch data[index] {
                case 0x0D: out += "\ndata: ".utf8
                case 0x0A: if index == 0 || data[index - 1] != 0x0D { out += "\ndata: ".utf8 }
                default: out.append(data[index])
                }
            }
        }
        out += "\n\n".utf8
    }

    /// Appends a comment, which clients skip: for keeping a connection alive.
    public static func writeComment(_ text: String = "", to out: inout [UInt8]) {
        writeField(":", text, to: &out)
        out.append(0x0A)
    }

    /// Appends how long a client should wait before it connects again, in milliseconds.
    public static func writeRetry(milliseconds: Int, to out: inout [UInt8]) {
        out += "retry: \(max(0, milliseconds))\n\n".utf8
    }

    private static func writeField(_ name: String, _ value: String, to out: inout [UInt8]) {
        out += name.utf8
        for byte in value.utf8 where byte != 0x0A && byte != 0x0D && byte != 0 { out.append(byte) }
        out.append(0x0A)
    }
}
