import KinCodec
import KinKeeper
import KinModel

/// An iPhone, an iPad or a Mac takes what sets it up: `GET /profile/SECRET.mobileconfig`, once. The app password in it is
/// made by that.
final class ProfileDoor: Door {
    private static let prefix = "profile-"
    private static let suffix = ".mobileconfig"
    private let secret: String

    private init(_ secret: String) { self.secret = secret }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard let secret = secret(head) else { return nil }
        // Who only asks whether it is there does not use it up.
        return head.method == .get ? .taken(ProfileDoor(secret)) : .otherVerbs(["GET"])
    }

    private static func secret(_ head: HTTPRequestHead) -> String? {
        guard head.path.count == 2, head.path[0] == "profile", head.path[1].hasPrefix(prefix),
            head.path[1].hasSuffix(suffix)
        else { return nil }
        let secret = String(head.path[1].dropLast(suffix.count))
        return NtfyDoor.isTopic(secret) ? secret : nil
    }

    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String] { [secret(head)].compactMap(\.self) }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        doorway.ask("appPassword.take", ["secret": .string(secret)], as: .none)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch result {
        case .failure(let rejection): doorway.respond(.problem(rejection))
        case .success(let bytes):
            guard let answer = try? JSON.parse(bytes) else { return doorway.breakOff() }
            let profile = SetUpProfile(answer, doorway.site)
            doorway.respond(
                HTTPAnswer(
                    200,
                    [
                        "Content-Type": SetUpProfile.mediaType, "Cache-Control": "no-store",
                        "Content-Disposition": "attachment; filename=\"kinwire.mobileconfig\"",
                    ], body: Array(profile.text.utf8)))
        }
    }
}
