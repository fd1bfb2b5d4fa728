import KinCodec
import KinKeeper
import KinModel

/// `/metrics`. It may be read over the Unix socket, and at addresses given by `--metrics`. Any other client shows an
/// app password with the scope `metrics`, by Basic authentication or as a bearer token. Loopback is no exception: else
/// every program on the machine could read how large the family is.
final class MetricsDoor: Door {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard head.path == ["metrics"] else { return nil }
        return head.method == .get || head.method == .head ? .taken(MetricsDoor()) : .otherVerbs(["GET", "HEAD"])
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        let shown: Credential? =
            switch doorway.credential {
            case .appPassword(let username, let password): .appPassword(username: username, password: password)
            case .token(let token) where doorway.head.headers.credentials != nil:
                .appPassword(username: nil, password: token)
            default: nil
            }
        let isFree = doorway.connection.isUnix || doorway.connection.isForMetrics
        doorway.ask("metrics.read", [:], as: isFree ? .machine : shown ?? .none)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch result {
        case .success(let bytes):
            doorway.respond(
                HTTPAnswer(200, ["Content-Type": Server.metricsType, "Cache-Control": "no-store"], body: bytes))
        case .failure(let rejection) where rejection.kind == .notSignedIn:
            doorway.respond(
                .problem(
                    401, "Metrics take an app password with the scope metrics, made by an admin.",
                    headers: ["WWW-Authenticate": "Basic realm=\"kinwire\", charset=\"UTF-8\""]))
        case .failure(let rejection): doorway.respond(.problem(rejection))
        }
    }
}
