public import KinModel

/// A method that clients can call, declared once. JSON-RPC on three transports, REST, OpenAPI, the table of roles and
/// the documentation are made from the declaration.
public struct Method: Sendable {
    /// Whether a method changes anything.
    public enum Sort: Sendable {
        /// Reads only.
        case query
        /// Changes something; takes an `op`.
        case command
        /// Changes something and carries or returns a secret: a repeated `op` is answered 1409 `already-done`.
        case secretCommand
    }

    /// Its name, such as `meeting.vote`.
    public let name: String
    /// The place of its family in ``Registry/methodFamilies``.
    package var family = 0
    /// The part of its name before the dot.
    package var familyName: String { String(name.prefix { $0 != "." }) }
    /// One sentence: what it does.
    public let summary: String
    /// Whether it changes anything.
    public let sort: Sort
    /// The roles that may call it at all. Finer rules stand in `note` and in the area.
    public let access: Access
    /// Finer rules of access, in words, for the table of roles.
    public let note: String
    /// Its parameters; no others are taken.
    public let parameters: [Field]
    /// The shape of its result.
    public private(set) var result: Shape
    /// Its route over HTTP, if it has one.
    public let route: Route?
    /// The names of the types of events it writes.
    public let events: [String]
    /// The scopes of app passwords that may call it.
    public private(set) var scopes: [Scope] = []
    /// Whether clients may call it. If not, only a gateway does: it has no JSON-RPC name and no route.
    public private(set) var isPublic = true
    /// The media types of its answer over HTTP, where that is not JSON.
    public private(set) var mediaTypes: [String] = []
    /// The parameter that the body stands for, where the body is an array.
    public private(set) var listBody: String?
    /// The parameter whose list, where it is long, is done in several turns of the keeper, so that others have theirs.
    public private(set) var longList: String?
    /// Whether its requests may wait a moment for each other, to share a turn.
    public private(set) var isPatient = false
    /// The parameter that may come as a file, if one may.
    public private(set) var parcel: Parcel.Place?
    /// Refuses a file for it before the first byte of it is here, as far as the other parameters tell. The method itself
    /// judges the whole again.
    package private(set) var mayBegin: (@Sendable (Act, Params) throws(Rejection) -> Void)?
    /// The blob that it changes, where clients know that blob by its own validator.
    package private(set) var blob: (@Sendable (Act, Params) throws(Rejection) -> String?)?
    /// Whether a worker does slow work for it; later requests of its connection wait for that.
    public let isSlow: Bool
    /// Whether it signs the connection in or out.
    public private(set) var session = Sign.keeps
    /// Whether later requests of its connection always wait for it.
    public private(set) var holdsConnection = false

    /// Whether a method signs the connection in or out.
    public enum Sign: Sendable {
        /// Nothing.
        case keeps
        /// The connection becomes the caller's; the result has the session's token, where one was made.
        case opens
        /// The connection becomes nobody's.
        case closes
    }

    /// Whether it is carried out while the disk is full; this may depend on its parameters.
    package private(set) var freesRoom: @Sendable (Params) -> Bool = { _ in false }
    /// Whether it is closed to waiting sessions; this may depend on its parameters.
    package private(set) var needsOwnWord: @Sendable (Params) -> Bool = { _ in false }
    /// Whether its answer has the cursor at which it is true.
    package private(set) var tellsCursor = false
    /// Whether it reads for long; this may depend on its parameters.
    private var isLong: @Sendable (Params) -> Bool = { _ in false }
    /// Carries it out, within a savepoint.
    public private(set) var apply: @Sendable (Act, Params) throws(Rejection) -> Outcome
    /// Answers a repeat of a command from the identifiers that the first one returned.
    public let again: (@Sendable (Act, [Identifier]) throws(Rejection) -> JSON)?

    private init(
        _ name: String, _ summary: String, sort: Sort, access: Access, note: String, parameters: [Field],
        result: Shape, route: Route?, events: [any EventDeclaration], isSlow: Bool,
        again: (@Sendable (Act, [Identifier]) throws(Rejection) -> JSON)?,
        apply: @escaping @Sendable (Act, Params) throws(Rejection) -> Outcome
    ) {
        self.name = name
        self.summary = summary
        self.sort = sort
        self.access = access
        self.note = note
        self.parameters = parameters
        self.result = result
        self.route = route
        self.events = events.map(\.name)
        self.isSlow = isSlow
        self.again = again
        self.apply = apply
    }

    /// The same method, whose list is done in several turns where it is longer than ``Limits/itemsPerTurn``.
    public func doneInTurns(_ list: String) -> Method {
        var copy = self
        copy.longList = list
        return copy
    }

    /// The same method, whose requests may wait a moment for each other: for what phones report.
    public func patiently() -> Method {
        var copy = self
        copy.isPatient = true
        return copy
    }

    /// Whether later requests of the same connection have to wait. They do when this one may take more than a turn, or
    /// changes whose the connection is or what it follows: requests of one connection are applied in their order.
    public func takesTurns(_ params: JSON.Object) -> Bool {
        isSlow || isLong(Params(params)) || holdsConnection || session != .keeps || longListGiven(in: params) != nil
    }

    /// The same method, which signs in.
    public func openingSession() -> Method {
        precondition(session == .keeps, "\(name) signs in and out")
        var copy = self
        copy.session = .opens
        return copy
    }

    /// The same method, which signs out.
    public func closingSession() -> Method {
        precondition(session == .keeps, "\(name) signs in and out")
        var copy = self
        copy.session = .closes
        return copy
    }

    /// The same method, for which later requests of its connection wait.
    public func holdingConnection() -> Method {
        var copy = self
        copy.holdsConnection = true
        return copy
    }

    /// The name of the parameter whose list is too long for one turn, if there is one.
    package func longListGiven(in params: JSON.Object) -> String? {
        longList.flatMap { params[$0]?.array?.count ?? 0 > Limits.itemsPerTurn ? $0 : nil }
    }

    /// The same method, for gateways only.
    public func forGateways() -> Method {
        var copy = self
        copy.isPublic = false
        return copy
    }

    /// The same method, whose body over HTTP may be an array that stands for a parameter.
    public func takingList(as parameter: String) -> Method {
        var copy = self
        copy.listBody = parameter
        return copy
    }

    /// The same method, one parameter of which is base64 of so many bytes and may come as a file.
    /// `mediaTypes`: those of the file; `nil`: those of pictures.
    package func takingParcel(as parameter: String, bytesMax: Int, mediaTypes: [String]? = nil) -> Method {
        var copy = self
        copy.parcel = Parcel.Place(
            parameter: parameter, charactersMax: (bytesMax + 2) / 3 * 4, mediaTypes: mediaTypes)
        return copy
    }

    /// The same method, of which an upload is judged as it begins: what its other parameters name may take no file.
    package func judgingUploads(
        by mayBegin: @escaping @Sendable (Act, Params) throws(Rejection) -> Void
    ) -> Method {
        var copy = self
        copy.mayBegin = mayBegin
        return copy
    }

    /// The same method, which is carried out while the disk is full, too: it deletes, hides, or leads to a method that
    /// does. What it writes itself fits into the ballast thousands of times.
    public func freeingRoom(when freesRoom: @escaping @Sendable (Params) -> Bool = { _ in true }) -> Method {
        var copy = self
        copy.freesRoom = freesRoom
        return copy
    }

    /// The same method, which over HTTP answers bytes of one of these media types instead of JSON.
    public func answering(_ mediaTypes: [String]) -> Method {
        var copy = self
        copy.mediaTypes = mediaTypes
        return copy
    }

    /// The same method, which changes this blob of what its parameters name: `If-Match` means the blob's validator.
    package func changing(blob: @escaping @Sendable (Act, Params) throws(Rejection) -> String?) -> Method {
        var copy = self
        copy.blob = blob
        return copy
    }

    /// The same method, which app passwords of these scopes may call.
    public func scoped(_ scopes: Scope...) -> Method {
        var copy = self
        copy.scopes = scopes
        return copy
    }

    /// The same method, closed to waiting sessions: it shows where somebody is or was, or shows more to somebody. Where
    /// that depends on the parameters, `needsIt` judges them.
    public func forOwnWord(when needsIt: @escaping @Sendable (Params) -> Bool = { _ in true }) -> Method {
        var copy = self
        copy.needsOwnWord = needsIt
        return copy
    }

    /// The same query, which lists things that events keep up to date. Its answer has the cursor at which it is true.
    /// On a connection that follows, the answer stands at its place in the stream.
    package func listing() -> Method {
        guard sort == .query, !isSlow, case .object(let fields) = result else {
            preconditionFailure("\(name) is no list that is true at one cursor")
        }
        var copy = self
        copy.tellsCursor = true
        copy.result = .object(
            fields + [
                .required("cursor", .cursor, "Where in the log the answer is true; good as `since` of live.follow.")
            ])
        return copy
    }

    /// The same query, carried out in another way where its parameters ask for much.
    func carriedOut(
        when isLong: @escaping @Sendable (Params) -> Bool,
        by long: @escaping @Sendable (Act, Params) throws(Rejection) -> Outcome
    ) -> Method {
        let short = apply
        var copy = self
        copy.isLong = isLong
        copy.apply = { (act, params) throws(Rejection) in
            isLong(params) ? try long(act, params) : try short(act, params)
        }
        return copy
    }

    /// The parameters without secrets, as they may be remembered. The key of remembered operations is stored beside
    /// their digests. So a digest over a password would be a fast hash of it, on which guesses are quick to try.
    package func withoutSecrets(_ params: JSON.Object) -> JSON.Object {
        var kept = params
        for field in parameters where field.shape.isSecret { kept[field.name] = nil }
        return kept
    }

    /// The parameters that a repeat must have again: without secrets, and with a long text replaced by its name,
    /// however it came.
    package func digestible(_ request: Request) -> JSON.Object {
        var params = withoutSecrets(request.params)
        if let parcel, request.parcel == nil, let text = params[parcel.parameter]?.string,
            text.utf8.count > Limits.parcelBlockBytes
        {
            params[parcel.parameter] = .string(Parcel.name(of: text))
        }
        return params
    }

    /// A method that only reads.
    public static func query(
        _ name: String, _ summary: String, access: Access, note: String = "", _ parameters: [Field] = [],
        result: Shape = .any, route: Route? = nil, isSlow: Bool = false,
        apply: @escaping @Sendable (Act, Params) throws(Rejection) -> Outcome
    ) -> Method {
        Method(
            name, summary, sort: .query, access: access, note: note, parameters: parameters, result: result,
            route: route, events: [], isSlow: isSlow, again: nil, apply: apply)
    }

    /// A method that changes something. `again` makes the answer to a repeat from identifiers alone, and shows what the
    /// caller may see now.
    public static func command(
        _ name: String, _ summary: String, access: Access, note: String = "", _ parameters: [Field] = [],
        result: Shape = .any, route: Route? = nil, events: [any EventDeclaration], isSlow: Bool = false,
        again: @escaping @Sendable (Act, [Identifier]) throws(Rejection) -> JSON = { (_, _) throws(Rejection) in [:] },
        apply: @escaping @Sendable (Act, Params) throws(Rejection) -> Outcome
    ) -> Method {
        Method(
            name, summary, sort: .command, access: access, note: note, parameters: parameters, result: result,
            route: route, events: events, isSlow: isSlow, again: again, apply: apply)
    }

    /// A method that changes something and carries or returns a secret.
    public static func secretCommand(
        _ name: String, _ summary: String, access: Access, note: String = "", _ parameters: [Field] = [],
        result: Shape = .any, route: Route? = nil, events: [any EventDeclaration], isSlow: Bool = false,
        apply: @escaping @Sendable (Act, Params) throws(Rejection) -> Outcome
    ) -> Method {
        Method(
            name, summary, sort: .secretCommand, access: access, note: note, parameters: parameters, result: result,
            route: route, events: events, isSlow: isSlow, again: nil, apply: apply)
    }
}

/// A route of HTTP. Path segments in braces are parameters. The other parameters come from the query (GET, DELETE) or
/// the JSON body (other verbs).
public struct Route: Sendable {
    /// GET, POST, PUT, PATCH or DELETE.
    public let verb: String
    /// The path, such as `/api/members/{member}`.
    public let path: String
    /// 200, or 201 where something is made.
    public let status: Int

    /// A route by verb and path.
    public init(_ verb: String, _ path: String, status: Int = 200) {
        self.verb = verb
        self.path = path
        self.status = status
    }
}

/// The roles that may call a method. Every role is listed and none is implied: the table is meant to be read.
public struct Access: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int
    /// From bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Not signed in.
    public static let nobody = Access(rawValue: 1)
    /// Signed in as a guest.
    public static let guest = Access(rawValue: 2)
    /// Signed in as a member.
    public static let member = Access(rawValue: 4)
    /// Signed in as a head of a household.
    public static let head = Access(rawValue: 8)
    /// Signed in as an admin.
    public static let admin = Access(rawValue: 16)
    /// At the machine, over the Unix socket, as root or the daemon's own user, and as no member.
    public static let machine = Access(rawValue: 32)
    /// A screen on a wall.
    public static let wall = Access(rawValue: 64)

    /// Everybody who is signed in.
    public static let signedIn: Access = [.guest, .member, .head, .admin]
    /// Everybody who is signed in, and screens on walls.
    public static let following: Access = [.guest, .member, .head, .admin, .wall]
    /// Everybody who is signed in and no guest.
    public static let family: Access = [.member, .head, .admin]
    /// Admins, and the machine.
    public static let admins: Access = [.admin, .machine]
    /// Everybody.
    public static let everybody: Access = [.nobody, .guest, .member, .head, .admin, .machine]

    /// The bit of a role.
    public static func role(_ role: Role) -> Access {
        switch role {
        case .admin: .admin
        case .head: .head
        case .member: .member
        case .guest: .guest
        }
    }
}
