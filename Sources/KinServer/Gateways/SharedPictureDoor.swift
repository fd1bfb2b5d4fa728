import KinCodec
import KinKeeper
import KinModel

/// A picture of a post that a link shows: `GET /shared/SECRET/PLACE/SIZE`. The secret permits this one post, and each request is
/// judged anew: when the link is over, so are its pictures. No cache keeps them.
final class SharedPictureDoor: Door {
    private let secret: String
    private let place: Int64
    private let size: String
    private var download: Download?

    private init(_ secret: String, _ place: Int64, _ size: String) {
        self.secret = secret
        self.place = place
        self.size = size
    }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard head.path.count == 4, head.path[0] == "shared", (1...64).contains(head.path[1].utf8.count),
            let place = Int64(head.path[2]), (1...Int64(Limits.postPicturesMax)).contains(place),
            Picture.Size(rawValue: head.path[3]) != nil
        else { return nil }
        guard head.method == .get || head.method == .head else { return .otherVerbs(["GET", "HEAD"]) }
        return .taken(SharedPictureDoor(head.path[1], place, head.path[3]))
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        doorway.ask(
            "post.sharedPicture", ["secret": .string(secret), "place": .int(place), "size": .string(size)], as: .none)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch (result, effect) {
        case (.success, .blob(let name, let type, _)):
            download = Download(
                .blob(name), type: .of(type), cacheControl: "no-store",
                missing: Rejection(.notFound, "There is no such picture."), doorway)
        case (.failure(let rejection), _) where rejection.kind != .notFound && rejection.kind != .params:
            doorway.respond(.problem(rejection))
        default: doorway.respond(.problem(404, "There is nothing here."))
        }
    }

    func done(_ made: any Sendable, _ doorway: Doorway) { _ = download?.done(made, doorway) }

    func taken(_ doorway: Doorway) { download?.taken(doorway) }
}
