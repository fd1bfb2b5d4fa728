import KinCodec
import KinKeeper
import KinModel

/// Addresses whose answer is the same for everybody.
final class FixedDoor: Door {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        let answer: () -> HTTPAnswer
        switch head.path {
        case ["healthz"]: answer = { .text(200, "ok") }
        case ["api", "openapi.json"]: answer = { .json(200, doorway.server.hall.openAPI) }
        case ["ca.crt"]: answer = { root(doorway.site) }
        default: return nil
        }
        return head.method == .get || head.method == .head ? .answered(answer()) : .otherVerbs(["GET", "HEAD"])
    }

    private static func root(_ site: Site) -> HTTPAnswer {
        guard let pem = site.rootPEM else {
            return .problem(
                Rejection(.notFound, "This family uses a public certificate; there is no root to install."))
        }
        return HTTPAnswer(
            200,
            [
                "Content-Type": "application/x-x509-ca-cert",
                "Content-Disposition": "attachment; filename=\"kinwire-root.crt\"",
            ],
            body: pem)
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {}
}
