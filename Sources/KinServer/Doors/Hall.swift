import KinKeeper
import KinModel

/// The things that all doors share: the policy for senders and connections, the routes of the methods, their description,
/// the room for content that is held, and the door of all messages.
///
/// Confined to the loop's thread.
final class Hall {
    let policy: Policy
    let routes: Routes
    /// The count of held bytes of requests' content, and the sender of each file.
    let bodyRoom: BodyRoom
    /// The door of every message, whichever connection brings it.
    let rpc = RPCDoor()
    /// The registry as OpenAPI, made when it is first asked for.
    private(set) lazy var openAPI = OpenAPI.document(registry, url: url).bytes
    private let registry: Registry
    private let url: String

    init(_ registry: Registry, _ settings: ServerSettings) {
        self.registry = registry
        url = settings.site.canonicalURL
        policy = Policy(settings)
        routes = Routes(registry)
        bodyRoom = BodyRoom(bytesMax: settings.limits.bodiesBytesMax)
    }
}
