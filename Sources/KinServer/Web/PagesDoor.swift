import KinCodec
import KinKeeper
import KinModel

/// The last of the doors: what browsers see at an address where nothing is. Programs get a problem there.
final class UnknownDoor: Door {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        Pages.unknown(head, doorway.site).map { .answered($0) }
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {}
}

/// Server-rendered pages.
final class PagesDoor: Door {
    private let place: Pages.Place
    /// How the page continues after the keeper's next answer.
    private var continuation: Pages.Continuation?

    private init(_ place: Pages.Place) { self.place = place }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        Pages.place(head).map { .taken(PagesDoor($0)) }
    }

    func content(_ doorway: Doorway) -> DoorContent { .held(bytesMax: doorway.limits.formBytesMax) }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        var visit = Visit(
            head: doorway.head, body: doorway.body, site: doorway.site,
            cookieName: doorway.server.hall.policy.cookieName(doorway.connection),
            deviceCookieName: doorway.server.hall.policy.deviceCookieName(doorway.connection), now: doorway.now)
        if visit.head.path.first == "phone" { visit.client = ClientDoor.names(in: doorway.server.settings.client) }
        carryOut(Pages.step(place, visit), doorway)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        guard let continuation else { return }
        self.continuation = nil
        carryOut(continuation(result.map { (try? JSON.parse($0, pausing: false)) ?? .null }), doorway)
    }

    private func carryOut(_ step: Pages.Step, _ doorway: Doorway) {
        switch step {
        case .show(var answer, let change):
            switch change {
            case .none: break
            case .set(let token, let device, let isShared):
                doorway.server.setCookies(
                    doorway.connection, &answer, token, device: device, isShared: isShared)
            case .clear: doorway.server.clearCookie(doorway.connection, &answer)
            }
            doorway.respond(answer)
        case .ask(let method, let params, let credential, let continuation):
            self.continuation = continuation
            doorway.ask(method, params, as: credential)
        }
    }
}
