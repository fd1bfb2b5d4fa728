import KinClient
import KinCodec

/// How a simulated follower talks to the daemon: one of the four transports.
struct Talk {
    /// The transports of following.
    enum Transport: String, CaseIterable {
        case webSocket, lines, serverSentEvents, httpLines

        /// Whether anything can be asked beside the stream.
        var takesRequests: Bool { self == .webSocket || self == .lines }
    }

    /// What bytes brought: messages, what is to be sent back at once, and a close frame.
    typealias Arrival = (messages: [[UInt8]], answer: [UInt8], closing: Closing?)

    private enum Way {
        case framing(Framing)
        case stream(EventStream)
    }

    private var way: Way
    /// To be sent first.
    let opening: [UInt8]

    init(_ transport: Transport, nonce: [UInt8]) {
        switch transport {
        case .webSocket, .lines:
            let envelope = transport == .lines ? Address.Envelope.lines : .webSocket
            let framing = Framing(
                .tcp(host: "127.0.0.1", port: 5469, isTLS: false, envelope: envelope), nonce: nonce)
            way = .framing(framing)
            opening = framing.opening
        case .serverSentEvents, .httpLines:
            way = .stream(EventStream(isServerSent: transport == .serverSentEvents))
            opening = []
        }
    }

    /// Whether messages may be sent.
    var isOpen: Bool { if case .framing(let framing) = way { framing.isOpen } else { true } }

    /// A message's bytes on the network, and what it is answered without the network.
    mutating func send(_ message: [UInt8], mask: UInt32) -> (bytes: [UInt8], answer: [UInt8]?) {
        switch way {
        case .framing(let framing): return (framing.enveloped(message, mask: mask), nil)
        case .stream(var stream):
            defer { way = .stream(stream) }
            return stream.send(message)
        }
    }

    /// Takes what was received; `nil` when a handshake was refused.
    mutating func received(_ bytes: [UInt8], _ username: String) throws(Finding) -> Arrival? {
        switch way {
        case .framing(var framing):
            do throws(ClientFailure) {
                let arrival = try framing.received(bytes, mask: 7)
                way = .framing(framing)
                return (arrival.messages, arrival.answer, arrival.closing)
            } catch {
                // A handshake may be refused (too slow, restarting); what comes after it must be understood.
                guard framing.isOpen else { return nil }
                throw Finding(checker: "protocol", what: "\(username) was sent what nobody understands: \(error)")
            }
        case .stream(var stream):
            defer { way = .stream(stream) }
            return (try stream.received(bytes, username), [], nil)
        }
    }
}
