import KinClient
import KinCrypto
import KinLoop
import KinModel
import Synchronization

/// Sixty-four connections that send as fast as they are answered, from a thread of their own. Two that page through a
/// thousand points do it fifty times a second.
final class Flood {
    enum Kind: String, CaseIterable {
        case signIns = "made-up sign-ins"
        case teenager = "a teenager's device"
        case pictures = "pictures of 50 megapixels"
        case openedPictures = "pictures of 14 megapixels"
        case connections = "64 connections"
        case points
        case paging = "two who page through their history"
    }

    /// Who floods.
    struct Guest: Sendable {
        let id: Identifier
        let token: String
        /// What the guest's device is known by.
        let knownDevice: JSON
    }

    private let thread: ThreadHandle
    private let state = State()

    /// What both threads know.
    private final class State: Sendable {
        let isOver = Atomic(false)
        let sent = Atomic(0)
    }

    /// Begins. Without a guest the other side has no family, and is sent the same.
    init(_ kind: Kind, port: UInt16, guest: Guest?) throws(Trouble) {
        let state = state
        thread = try attempt {
            try startThread(name: "flood") {
                var clients: [LeanClient] = []
                var number = 0
                while !state.isOver.load(ordering: .relaxed) {
                    while clients.count < kind.connections {
                        guard let client = try? Self.connect(kind, port, guest?.token) else { break }
                        clients.append(client)
                        for _ in 0..<kind.window { Self.send(kind, client, guest, &number, state) }
                    }
                    let ready = waitForAny(clients.map(\.descriptor), timeoutMilliseconds: 100)
                    var gone: [Int] = []
                    for index in clients.indices where ready.indices.contains(index) && ready[index] {
                        guard let answers = try? clients[index].messages() else {
                            gone.append(index)
                            continue
                        }
                        for _ in answers { Self.send(kind, clients[index], guest, &number, state) }
                    }
                    for index in gone.reversed() { clients.remove(at: index) }
                    // Fifty rounds a second: nothing is waited for.
                    if kind == .paging { waitForAny([], timeoutMilliseconds: 20) }
                }
            }
        }
    }

    /// Ends; answers how many messages were sent.
    func end() -> Int {
        state.isOver.store(true, ordering: .relaxed)
        thread.join()
        return state.sent.load(ordering: .relaxed)
    }

    private static func connect(_ kind: Kind, _ port: UInt16, _ token: String?) throws(Trouble) -> LeanClient {
        let client = try LeanClient(port: port, .webSocket)
        try client.open()
        // Strangers have no token.
        if !kind.isOfStrangers, let token { try client.ask("session.resume", ["token": .string(token)]) }
        return client
    }

    private static func send(
        _ kind: Kind, _ client: LeanClient, _ guest: Guest?, _ number: inout Int, _ state: State
    ) {
        number += 1
        let request: [UInt8] =
            switch kind {
            case .signIns:
                client.request(
                    "session.open", ["username": .string("nobody\(number)"), "password": "twelve apples on a plate"])
            case .teenager:
                // At home, where everybody has one address, on a device that is known as somebody else's.
                client.request(
                    "session.open",
                    ["username": "ben", "password": "is it this one", "knownDevice": guest?.knownDevice ?? "none"])
            case .pictures: client.request("member.setPicture", setPicture(guest, picture))
            case .openedPictures: client.request("member.setPicture", setPicture(guest, openedPicture))
            case .connections: client.request("family.show", [:])
            case .points: client.request("position.report", ["positions": .array(points())])
            // First there are some.
            case .paging where number == 1: client.request("position.report", ["positions": .array(points())])
            case .paging: client.request("position.history", page(guest))
            }
        // A connection that is gone is noticed where it is read.
        try? client.write(request)
        state.sent.add(1, ordering: .relaxed)
    }

    private static let nobody = Identifier(high: 1, low: 2)

    private static func points() -> [JSON] {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        return (0..<1000).map { index in
            [
                "lat": 52.5, "lon": .double(13.4 + Double(index) / 10_000),
                "at": .time(now.adding(seconds: -Int64(index))),
            ]
        }
    }

    /// The last hour of the guest.
    private static func page(_ guest: Guest?) -> JSON {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        return [
            "member": .id(guest?.id ?? nobody), "from": .time(now.adding(seconds: -3600)), "to": .time(now),
        ]
    }

    private static func setPicture(_ guest: Guest?, _ picture: String) -> JSON {
        ["member": .id(guest?.id ?? nobody), "picture": .string(picture)]
    }

    /// A black picture of 50 megapixels in base64, and few bytes: more than is opened here.
    private static let picture = Base64.encode(BlackPicture.png(side: 7072))
    /// One of 14 megapixels: as much as is opened at all.
    private static let openedPicture = Base64.encode(BlackPicture.png(side: 3800))
}

extension Flood.Kind {
    /// How many connections.
    fileprivate var connections: Int { self == .paging ? 2 : 64 }

    /// Messages under way on one connection.
    fileprivate var window: Int { self == .connections ? 32 : 1 }

    /// Nobody is signed in on their connections.
    fileprivate var isOfStrangers: Bool { self == .signIns || self == .teenager }
}
