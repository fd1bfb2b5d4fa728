import KinCodec
import KinKeeper

/// What a request says of its content and of the answer it takes (RFC 9110 §8, §12), where that is not to be had.
extension Server {
    /// The answer, if any, refuses the request before its content is read.
    func negotiate(_ head: HTTPRequestHead, _ destination: HTTPExchange.Destination) -> HTTPAnswer? {
        if case .fixed = destination { return nil }
        // A phone app sends what was refused again for ever: what is unusable there is taken once its password is judged.
        if case .phone = destination { return nil }
        if let refusal = refuseContent(head) { return refusal }
        // Pages, the metrics and phone apps get what there is (RFC 9110 §12.5.1 leaves it to the server); programs that
        // read answers with code are told at once that they will not understand this one.
        guard case .method(let name, _, _) = destination, let method = registry.methods[name] else { return nil }
        let types = method.mediaTypes.isEmpty ? ["application/json"] : method.mediaTypes
        guard head.headers.bestAccepted(of: types) == nil else { return nil }
        return .problem(406, "The answer is \(types.joined(separator: " or ")), which the field Accept leaves out.")
    }

    private func refuseContent(_ head: HTTPRequestHead) -> HTTPAnswer? {
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

    /// What an address takes: told to OPTIONS, and to whoever tried something else.
    func allowed(_ verbs: [String], _ head: HTTPRequestHead) -> HTTPAnswer {
        let allow = (verbs + ["OPTIONS"]).joined(separator: ", ")
        if head.method == .options { return HTTPAnswer(204, ["Allow": allow]) }
        if case .other(let name) = head.method { return notImplemented(name) }
        return .problem(405, "This address takes \(allow).", headers: ["Allow": allow])
    }

    /// RFC 9110 §9.1: a method that is known nowhere here is not the address's fault.
    func notImplemented(_ name: String) -> HTTPAnswer {
        .problem(501, "The method \(name.prefix(40)) is not known here.")
    }
}
