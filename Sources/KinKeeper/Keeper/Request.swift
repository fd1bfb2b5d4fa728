public import KinModel
public import KinStore

/// Names a request of a connection. The loop makes it; the keeper does not read it and puts it into the reply.
public struct Ticket: Sendable, Hashable {
    /// The connection's slot and generation.
    public let connection: UInt64
    /// The request's number on that connection.
    public let sequence: UInt64

    /// A ticket from its two numbers.
    public init(connection: UInt64, sequence: UInt64) {
        self.connection = connection
        self.sequence = sequence
    }
}

/// A client's proof of who it is. The keeper judges it inside the transaction, every time.
public enum Credential: Sendable, Hashable {
    /// Nothing.
    case none
    /// A connection that signed in before, as this session.
    case session(Identifier)
    /// A bearer token or a cookie.
    case token(String)
    /// A name and an app password, by Basic authentication. The name may be wrong and is not relied on.
    case appPassword(username: String?, password: String)
    /// A secret that permits one act of one member, and nothing else.
    case answer(String)
    /// The Unix socket's peer is root or the daemon's own user.
    case machine
    /// The same, acting as a member after `session.as`.
    case machineAs(Identifier)
}

/// The origin of a request: for slowing sign-ins, for the list of sessions, and for rules that exempt the machine
/// itself.
public struct Origin: Sendable, Hashable {
    /// The address that sign-ins are slowed by (IPv6: its /64); empty for the Unix socket.
    public let addressKey: String
    /// The client's name for itself, such as `Firefox` or `kin`; at most 200 bytes.
    public let agent: String

    /// An origin.
    public init(addressKey: String = "", agent: String = "") {
        self.addressKey = addressKey
        self.agent = agent
    }
}

/// The party that a request counts for, where members and addresses take turns.
public enum Party: Sendable, Hashable {
    /// Root or the daemon's own user.
    case machine
    /// A member, from any device. Before sign-in: a device that showed the secret of the member's earlier sign-in
    /// there.
    case member(Identifier)
    /// Anybody else, by address (IPv6: its /64).
    case address(String)

    /// Whether the family knows who it is. A known party gives way only after strangers do.
    public var isKnown: Bool { if case .address = self { false } else { true } }
}

/// One request on its way to the keeper.
public struct Request: Sendable {
    /// Finds the way back to the connection.
    public let ticket: Ticket
    /// What the client showed to say who it is.
    public let credential: Credential
    /// Where the request came from.
    public let origin: Origin
    /// The method's name.
    public let method: String
    /// Its parameters, unchecked.
    public let params: JSON.Object
    /// The idempotency key, if any: 1 to 64 characters of printable ASCII.
    public let op: String?
    /// The parameter that came as a file; the parameter holds its name.
    public private(set) var parcel: Parcel?
    /// Further methods to carry out with the first: all of them, or none. The answer is then the list of the results.
    public let also: [Step]
    /// The condition on which the first method is carried out.
    public var condition: Condition?
    /// A worker's result for the slow part; set on the second pass.
    public var work: SlowResult?
    /// The machines of the house that its work may ask; empty where its work asks nobody.
    public internal(set) var outsideHosts: [OutsideHost] = []
    /// The party whose share of the turn it takes. The loop fills in what it knows; the keeper puts in the member once it
    /// has resolved the credential.
    public internal(set) var party: Party

    /// A request; `member` is the member who asks, as far as that is known already.
    public init(
        ticket: Ticket, credential: Credential, origin: Origin = Origin(), method: String, params: JSON.Object,
        op: String? = nil, parcel: Parcel? = nil, also: [Step] = [], member: Identifier? = nil
    ) {
        self.ticket = ticket
        self.credential = credential
        self.origin = origin
        self.method = method
        self.params = params
        self.op = op
        self.parcel = parcel
        self.also = also
        party =
            switch (member, credential) {
            case (let member?, _), (nil, .machineAs(let member)): .member(member)
            case (nil, .machine): .machine
            default: .address(origin.addressKey)
            }
    }

    /// Whether it continues a long list, some items of which were done in earlier turns.
    public var goesOn: Bool { if case .rest? = work { true } else { false } }

    /// A further method of the same request. It must not be slow, and must not change the connection.
    public struct Step: Sendable {
        /// The method's name.
        public let method: String
        /// Its parameters, unchecked.
        public let params: JSON.Object
        /// The idempotency key, if any.
        public let op: String?

        /// A method with its parameters.
        public init(_ method: String, _ params: JSON.Object, op: String? = nil) {
            self.method = method
            self.params = params
            self.op = op
        }
    }

    /// The request with this method alone.
    func alone(_ step: Step) -> Request {
        var request = Request(
            ticket: ticket, credential: credential, origin: origin, method: step.method, params: step.params,
            op: step.op)
        request.party = party
        return request
    }

    /// Removes the file, which is no longer needed. Called on a worker's thread, so that no other thread has to remove
    /// it.
    public mutating func openParcel() { parcel?.open() }
}

/// What a method answers.
public struct Outcome: Sendable {
    /// The result.
    public let result: JSON
    /// The identifiers from which a repeat of the command is answered.
    public let ids: [Identifier]
    /// What the loop does besides sending the result.
    public let effect: Effect

    /// A result; for commands, with the identifiers from which a repeat is answered.
    public static func done(_ result: JSON, ids: [Identifier] = [], effect: Effect = .none) -> Outcome {
        Outcome(result: result, ids: ids, effect: effect)
    }

    /// Slow work has to be done first. The method is then applied again, with the result in ``Act/work``.
    public static func later(_ work: any SlowWork) -> Outcome {
        Outcome(result: .null, ids: [], effect: .later(work))
    }

    /// The rest of a long list waits until other parties had their turn.
    public static func later(_ next: NextTurn) -> Outcome { later(next as any SlowWork) }
}

/// What a reply does to its connection.
public enum Effect: Sendable {
    /// Nothing.
    case none
    /// The connection is now this session's.
    case signedIn(Identity)
    /// The connection is nobody's now.
    case signedOut
    /// The connection follows the log from here; the result is made by the loop.
    case follow(Follow)
    /// The connection follows no longer.
    case unfollow
    /// From here on the caller may listen to what these members are told. Each identity has, in the place of a session,
    /// the member's device whose secret was shown. When that device is revoked, the right to listen ends.
    case listen([Identity])
    /// The answer is a blob's bytes of this media type; where it is called something, it is saved under that name.
    case blob(name: String, type: String, called: String? = nil)
    /// The answer is a piece of a file.
    case piece(FilePiece)
    /// Slow work first; the request comes back with its result.
    case later(any SlowWork)
    /// The loop makes the result, from this and from what it knows itself.
    case status(KeeperStatus)
    /// The same in the format of Prometheus.
    case metrics(KeeperStatus)
    /// Those who follow now, and ask for what passes, are told something.
    case pass(Passing)
}

/// A type of thing that is so for a moment. An area declares it, and it belongs to the area's view.
public struct PassingType: Sendable {
    /// Its name, such as `message.typing`.
    public let name: String

    /// A type by its name.
    public init(_ name: String) { self.name = name }
}

/// Something that is so for a moment, such as that somebody types. Nothing keeps it, and it has no cursor: whoever is away
/// has missed nothing.
public struct Passing: Sendable {
    /// What it is, named like an event.
    public let type: String
    /// The views that it belongs to.
    public let place: View.Place
    /// Who does it.
    public let by: Identifier
    /// Whether it is done at the machine in that member's name.
    public let isAtMachine: Bool
    /// What it is about.
    public let about: String
    /// When.
    public let at: Instant
    /// Who may know.
    public let audience: Audience

    /// Something that the caller of an act does, which is a member.
    public init(_ type: PassingType, about: String, to audience: Audience, _ act: Act) throws(Rejection) {
        guard let place = act.registry.passing[type.name] else { broken(.eventsAreDeclared) }
        self.type = type.name
        self.place = place
        by = try act.member.id
        isAtMachine = act.isAtMachineAsMember
        self.about = about
        at = act.now
        self.audience = audience
    }
}

/// The owner of a connection, as far as the loop needs to know.
public struct Identity: Sendable, Hashable {
    /// The member.
    public let member: Identifier
    /// The member's number in audiences.
    public let number: Int32
    /// The session; `nil` over the Unix socket and for app passwords.
    public let session: Identifier?

    /// An identity.
    public init(member: Identifier, number: Int32, session: Identifier?) {
        self.member = member
        self.number = number
        self.session = session
    }
}

/// A permitted `live.follow`.
public struct Follow: Sendable, Hashable {
    /// Who follows.
    public let identity: Identity
    /// The cursor to go on from, `nil` for a snapshot.
    public let since: String?
    /// What the member asked to see.
    public let view: View
    /// Whether the client's view has changed, so that its cursor does not count.
    public let isViewChanged: Bool
    /// Types or prefixes of types; `nil` for all.
    public let types: [String]?
    /// Whether it is told what passes, too.
    public let takesPassing: Bool
}

/// One answer.
public struct Reply: Sendable {
    /// The request it answers.
    public let ticket: Ticket
    /// The result as JSON bytes, or the refusal.
    public let result: Result<[UInt8], Rejection>
    /// What it does to its connection.
    public let effect: Effect
    /// The request itself when its effect is ``Effect/later(_:)``: it comes back with the worker's result.
    public let request: Request?
    /// The member who asked, where the loop does not know it and the keeper found it out.
    public let member: Identifier?
    /// The log's position when the reply was made. The reply is sent after the events up to there, and before those
    /// that follow. `nil`: after all events of its commit.
    public let position: Int64?
    /// Whether it lists the state at that position.
    public let isList: Bool

    package init(
        ticket: Ticket, result: Result<[UInt8], Rejection>, effect: Effect, request: Request? = nil,
        member: Identifier? = nil, position: Int64? = nil, isList: Bool = false
    ) {
        self.ticket = ticket
        self.result = result
        self.effect = effect
        self.request = request
        self.member = member
        self.position = position
        self.isList = isList
    }

    /// The same with another result: for faults that are planted on purpose.
    package func with(_ bytes: [UInt8]) -> Reply {
        Reply(
            ticket: ticket, result: .success(bytes), effect: effect, request: request, member: member,
            position: position, isList: isList)
    }

    /// The same at another place in the stream.
    package func placed(at position: Int64) -> Reply {
        Reply(
            ticket: ticket, result: result, effect: effect, request: request, member: member, position: position,
            isList: isList)
    }
}
