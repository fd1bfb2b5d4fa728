/// Writers of `text/event-stream` (WHATWG HTML §9.2).
public enum ServerSentEvent {
    /// Appends one event. `id` becomes the client's last event id; a `type` of `nil` is `message`. Line breaks in the
    /// data become several data lines; in `id` and `type` they and NUL are left out.
    public static func write(id: String? = nil, type: String? = nil, data: [UInt8], to out: inout [UInt8]) {
    }

    /// Appends a comment, which clients skip: for keeping a connection alive.
    public static func writeComment(_ text: String = "", to out: inout [UInt8]) {
    }

    /// Appends how long a client should wait before it connects again, in milliseconds.
    public static func writeRetry(milliseconds: Int, to out: inout [UInt8]) {
    }
}
