import KinCodec
import KinKeeper
import KinModel

/// A calendar program reads a calendar: `GET /feed/SECRET.ics`, also from a `webcal` address. The secret permits
/// reading this one calendar as one member sees it. A calendar that has not changed is not sent again.
final class FeedDoor: Door {
    private static let prefix = "feed-"
    private let secret: String
    private var tag: String?
    private var next: JSON?

    private init(_ secret: String) { self.secret = secret }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard let secret = secret(head) else { return nil }
        return head.method == .get || head.method == .head ? .taken(FeedDoor(secret)) : .otherVerbs(["GET", "HEAD"])
    }

    private static func secret(_ head: HTTPRequestHead) -> String? {
        guard head.path.count == 2, head.path[0] == "feed", head.path[1].hasPrefix(prefix) else { return nil }
        let name = head.path[1]
        let secret = name.hasSuffix(".ics") ? String(name.dropLast(4)) : name
        return NtfyDoor.isTopic(secret) ? secret : nil
    }

    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String] { [secret(head)].compactMap(\.self) }

    func end(isTooLong: Bool, _ doorway: Doorway) { ask(doorway) }

    private func ask(_ doorway: Doorway) {
        var params: JSON.Object = ["secret": .string(secret)]
        if let next { params["after"] = next }
        doorway.ask("calendar.feed", params, as: .none)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch result {
        case .failure(let rejection):
            if doorway.exchange.isBegun { return doorway.breakOff() }
            // A calendar that its member sees no longer is gone for whoever reads it.
            doorway.respond(rejection.kind == .notFound ? .problem(404, "There is nothing here.") : .problem(rejection))
        case .success(let bytes):
            guard let answer = try? JSON.parse(bytes) else { return doorway.breakOff() }
            if !doorway.exchange.isBegun, !begin(answer, doorway) { return }
            next = answer["next"]
            doorway.write(Array((answer["text"]?.string ?? "").utf8))
            if next == nil || doorway.isHead { doorway.end() }
        }
    }

    /// Whether the file has to be sent.
    private func begin(_ answer: JSON, _ doorway: Doorway) -> Bool {
        let tag = "\"\(answer["tag"]?.string ?? "")\""
        if let judged = Representation.judge(doorway.head, tag, "private, no-cache") {
            doorway.respond(judged)
            return false
        }
        doorway.begin(
            200,
            [
                "Content-Type": "text/calendar; charset=utf-8", "ETag": tag, "Cache-Control": "private, no-cache",
                "Content-Disposition": "attachment; filename=\"calendar.ics\"",
                "Content-Security-Policy": ServedType.contentSecurityPolicy,
            ])
        return true
    }

    func taken(_ doorway: Doorway) {
        if next != nil { ask(doorway) }
    }
}
