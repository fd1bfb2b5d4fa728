public import KinModel
internal import KinStore

/// The condition of a request, as `If-Match` of HTTP states it (RFC 9110 §13.1.1). The keeper judges it in the turn
/// that carries the request out, so that nothing comes in between. It is judged last, after every other reason to
/// refuse the request.
public struct Condition: Sendable {
    /// The query whose answer is what the client knows, or the method whose blob it knows.
    public let method: String
    /// Its parameters.
    public let params: JSON.Object
    /// The validators that match, quotes included; `nil`: any, as long as the thing exists.
    public let tags: Set<String>?

    /// A condition.
    public init(_ method: String, _ params: JSON.Object, tags: Set<String>?) {
        self.method = method
        self.params = params
        self.tags = tags
    }

    /// The strong validator of content with this digest.
    public static func tag(_ digest: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = digest.prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "\"" + String(decoding: text, as: UTF8.self) + "\""
    }

    /// The validator of a query's answer.
    public static func tag(ofAnswer bytes: [UInt8]) -> String { tag(Blobs.digest(of: bytes)) }
}

extension Rejection {
    /// The refusal: the thing is not what the client knows.
    static var changedSince: Rejection {
        var rejection = Rejection(.conflict, "This has changed since you last read it. Read it again first.")
        rejection.detail = changedSinceWord
        return rejection
    }

    /// The finer word of that refusal; HTTP says 412.
    public static var changedSinceWord: String { "changed-since" }
}

extension Keeper {
    /// Judges a request's condition, with the rights of the caller. It is not judged again for the later turns of a
    /// long list: the request's own first turns have changed the thing by then.
    func judge(_ condition: Condition?, _ act: Act) throws(Rejection) {
        guard let condition, let method = registry.methods[condition.method] else { return }
        if case .rest? = act.work { return }
        guard let now = try tag(method, Params(condition.params), act), condition.tags?.contains(now) ?? true else {
            throw .changedSince
        }
    }

    /// The validator of what is there now; `nil` where there is nothing.
    private func tag(_ method: Method, _ params: Params, _ act: Act) throws(Rejection) -> String? {
        guard method.sort == .query else {
            guard let name = try method.blob?(act, params) else { return nil }
            let look = try act.ask { (_) throws(StoreFailure) in try store.blobs.look(name) }
            return look.map { Condition.tag($0.digest) }
        }
        try permit(method, act.caller)
        try refuseWaiting(method, act, params)
        return Condition.tag(ofAnswer: try method.apply(act, params).result.bytes)
    }
}
