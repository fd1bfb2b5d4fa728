import KinCodec
import KinKeeper
import KinModel

/// `GET /where/SECRET/live?seen=STATE`: what a guest link shows, as server-sent events, for its page while that is open.
///
/// It begins only with the state that the page shows, which the page got by asking with POST. So a preview that fetches
/// the address learns nothing and changes nothing. The events are `shown`, the page as it is now; `beat`, the time,
/// now and then; and at last `ended`, after which the stream is closed. It tells what the page would be told that asks
/// again, and nothing else: what its link does not show sends nothing.
final class GuestStreamDoor: Door {
    private let secret: String
    /// The state that the page shows.
    private var seen: String
    private var hasBegun = false

    private init(_ secret: String, seen: String) {
        self.secret = secret
        self.seen = seen
    }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard head.path.count == 3, head.path[0] == "where", head.path[2] == "live", !head.path[1].isEmpty else {
            return nil
        }
        guard head.method == .get else { return .otherVerbs(["GET"]) }
        // A browser that comes back says which event it got last.
        let seen = head.headers["Last-Event-ID"] ?? head.query["seen"] ?? ""
        return .taken(GuestStreamDoor(head.path[1], seen: String(seen.prefix(64))))
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        guard !seen.isEmpty else {
            return doorway.respond(
                Self.unlisted(.problem(400, "Open the link's page first; its stream begins with what that shows.")))
        }
        guard mayBegin(doorway) else { return }
        ask(isWhole: true, doorway)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch result.map({ (try? JSON.parse($0, pausing: false)) ?? .null }) {
        case .success(let shown):
            if !hasBegun {
                // Meanwhile others may have come.
                guard mayBegin(doorway) else { return }
                begin(doorway)
            }
            doorway.server.guestWasAnswered(doorway.connection, until: shown["until"]?.instant)
            guard shown["same"]?.bool != true else { return }
            seen = shown["state"]?.string ?? ""
            let visit = visit(doorway)
            write("shown", Pages.whereaboutsPage(of: shown, visit).answer.body, id: seen, doorway)
        case .failure(let rejection) where !hasBegun: doorway.respond(Self.unlisted(.problem(rejection)))
        case .failure(let rejection) where rejection.kind == .notFound:
            write("ended", Pages.whereaboutsGone(visit(doorway).words).answer.body, doorway)
            doorway.end()
        // Perhaps its link is over, and many others were tried at its address. It gives no signs of life while it would
        // have to wait: the page asks for itself, and says that it cannot be told.
        case .failure(let rejection) where rejection.kind == .slowDown: doorway.end()
        case .failure: doorway.server.guestComesBack(doorway.connection)
        }
    }

    func close(_ doorway: Doorway) { doorway.server.guestLeft(doorway.connection) }

    /// Does what is due.
    func goOn(_ due: GuestStreams.Due, _ doorway: Doorway) {
        // What a client does not take is bounded: it gets what is so once it has taken what was so.
        guard doorway.connection.pendingBytes == 0 else {
            if due.asks { doorway.server.guestComesBack(doorway.connection) }
            return
        }
        if due.isBeat { write("beat", Array(doorway.now.description.utf8), doorway) }
        if due.asks { ask(isWhole: due.isWhole, doorway) }
    }

    // MARK: Asking and telling

    private func ask(isWhole: Bool, _ doorway: Doorway) {
        var params: JSON.Object = ["secret": .string(secret), "seen": .string(seen), "further": true]
        if isWhole { params["whole"] = true }
        doorway.ask("guestLink.open", params, as: .none)
    }

    private func begin(_ doorway: Doorway) {
        hasBegun = true
        var headers: HTTPHeaders = [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
        ]
        for header in Pages.secretAddress.fields { headers.append(header.name, header.value) }
        doorway.exchange.isHeldOpen = true
        doorway.begin(200, headers)
        doorway.server.guestCame(doorway.connection, link: secret)
    }

    private func write(_ type: String, _ data: [UInt8], id: String? = nil, _ doorway: Doorway) {
        var bytes: [UInt8] = []
        ServerSentEvent.write(id: id, type: type, data: data, to: &bytes)
        doorway.write(bytes)
    }

    private func visit(_ doorway: Doorway) -> Visit {
        Visit(
            head: doorway.head, body: [], site: doorway.site, cookieName: "", deviceCookieName: "", now: doorway.now)
    }

    // MARK: Refusing

    /// Whether there may be one more stream; the request is answered where there may not.
    private func mayBegin(_ doorway: Doorway) -> Bool {
        guard let full = doorway.server.guestsFull(doorway.connection, link: secret) else { return true }
        let said: (status: Int, sentence: String) =
            switch full {
            case .ofLink: (429, "This link is open on many screens; the page asks now and then.")
            case .ofAddress: (429, "Many links are open at your address; the page asks now and then.")
            case .ofAll: (503, "Many links are open; the page asks now and then.")
            }
        doorway.respond(Self.unlisted(.problem(said.status, said.sentence, headers: ["Retry-After": "60"])))
        return false
    }

    /// An answer at an address that is a secret.
    private static func unlisted(_ answer: HTTPAnswer) -> HTTPAnswer {
        var answer = answer
        if answer.headers["Cache-Control"] == nil { answer.headers.append("Cache-Control", "no-store") }
        for header in Pages.secretAddress.fields { answer.headers.append(header.name, header.value) }
        return answer
    }
}
