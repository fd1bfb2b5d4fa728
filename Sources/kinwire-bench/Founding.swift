import KinFamily
import KinKeeper
import KinModel
import KinStore

/// A family founded without a daemon, through the keeper itself.
struct Founding {
    let member: Identifier
    let session: Identifier

    init(_ store: Store, now: Instant) throws(Trouble) {
        let keeper = try attempt { try Keeper(store: store, registry: .family) }
        _ = try Self.ask(
            keeper, now, .machine, "family.found",
            [
                "name": "Lovelace", "household": "Harbour", "username": .string(House.username),
                "password": .string(House.password), "displayName": "Ada",
            ])
        let opened = try Self.ask(
            keeper, now, .none, "session.open",
            ["username": .string(House.username), "password": .string(House.password)])
        guard case .signedIn(let identity) = opened.effect, let session = identity.session else {
            throw Trouble("The keeper opened no session.")
        }
        (member, self.session) = (identity.member, session)
    }

    /// One request, slow work and all.
    @discardableResult
    static func ask(
        _ keeper: Keeper, _ now: Instant, _ credential: Credential, _ method: String, _ params: JSON.Object
    ) throws(Trouble) -> Reply {
        var request = Request(
            ticket: Ticket(connection: 0, sequence: 0), credential: credential, method: method, params: params)
        while true {
            guard let reply = keeper.turn([request], clock: now).replies.first else {
                throw Trouble("The keeper does not answer.")
            }
            if case .failure(let rejection) = reply.result { throw Trouble(rejection.message) }
            guard case .later(let work) = reply.effect else { return reply }
            request.work = work.run()
        }
    }
}
