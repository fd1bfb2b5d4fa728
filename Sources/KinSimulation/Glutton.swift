import KinCodec
import KinLoop
import KinModel

/// A client that follows, asks and asks, and never takes a byte. Its cost for the daemon is bounded, and in the end its
/// connection is closed; then it comes again.
final class Glutton {
    private let tokenText: String
    private let transport: Talk.Transport
    private var token: Token?
    /// How often it was sent away.
    private(set) var sentAway = 0

    init(token: String, transport: Talk.Transport) {
        tokenText = token
        self.transport = transport
    }

    func step(_ world: World) {
        if let token, world.network.isOver(token) {
            sentAway += 1
            world.network.clientLeaves(token, isRude: true)
            self.token = nil
        }
        guard let token else { return begin(world) }
        guard transport == .lines else { return }
        for id in 3..<12 {
            world.network.clientSends(
                token, RPC.request(id: .int(Int64(id)), method: "member.list", params: [:]) + [0x0A])
        }
    }

    private func begin(_ world: World) {
        let token = world.network.clientConnects(from: .tcp(.loopbackV4, port: 41_000))
        self.token = token
        world.network.stall(token, true)
        let resume = RPC.request(id: 1, method: "session.resume", params: ["token": .string(tokenText)])
        let follow = RPC.request(id: 2, method: "live.follow", params: [:])
        guard transport != .lines else {
            return world.network.clientSends(token, resume + [0x0A] + follow + [0x0A])
        }
        var stream = EventStream(isServerSent: true)
        _ = stream.send(resume)
        world.network.clientSends(token, stream.send(follow).bytes)
    }
}
