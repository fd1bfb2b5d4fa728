import KinCodec
import KinKeeper

/// What a request says of its content (RFC 9110 §8), where that is not to be had.
extension Doorway {
    /// The answer, if any, refuses the request before its content is read.
    func refuseContent() -> HTTPAnswer? {
        if head.bodyLength == .none {
            // Whoever names the content's type means to send some. HTTP/1.0 without a length has none that ends.
            let announces = head.minor == 0 || head.headers["Content-Type"] != nil
            guard announces, [.post, .put, .patch].contains(head.method) else { return nil }
            return .problem(411, "Say how long the content is, with Content-Length or in chunks.")
        }
        let codings = head.headers.tokens("Content-Encoding").filter { $0.lowercased() != "identity" }
        guard codings.isEmpty else {
            // RFC 9110 §15.5.16: this field says that it was the coding.
            return .problem(
                415, "Send the content as it is, without Content-Encoding.", headers: ["Accept-Encoding": "identity"])
        }
        return nil
    }
}
