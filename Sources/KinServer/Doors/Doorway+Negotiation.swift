import KinCodec
import KinKeeper

/// Refusals of what a request says of its content (RFC 9110 §8).
extension Doorway {
    /// The answer, if any, refuses the request before its content is read.
    func refuseContent() -> HTTPAnswer? {
        if head.bodyLength == .none {
            // A request with a content type means to send content. In HTTP/1.0 content without a length has no end.
            let announces = head.minor == 0 || head.headers["Content-Type"] != nil
            guard announces, [.post, .put, .patch].contains(head.method) else { return nil }
            return .problem(411, "Say how long the content is, with Content-Length or in chunks.")
        }
        let codings = head.headers.tokens("Content-Encoding").filter { $0.lowercased() != "identity" }
        guard codings.isEmpty else {
            // RFC 9110 §15.5.16: this field says that the content coding was refused.
            return .problem(
                415, "Send the content as it is, without Content-Encoding.", headers: ["Accept-Encoding": "identity"])
        }
        return nil
    }
}
