import KinCodec
import KinKeeper
import KinLoop
import KinTLS

/// TLS handshakes: strangers can make the loop compute them. A signature costs as much as hundreds of deliveries. So a
/// turn takes only so many steps of handshakes, in their order of arrival, and followers never wait for more.
extension Server {
    /// The rest of what arrived, and all that follows, is ciphertext.
    func startTLS(_ connection: Connection, _ ciphertext: [UInt8]) {
        guard let context = handshakes.context, !connection.isUnix, connection.tls == nil else {
            let place = connection.tls == nil ? "plain text" : "the inside of TLS"
            let sentence = "This connection began with TLS where \(place) is expected: use http and no TLS here."
            tell(.connection, sentence)
            return respondWithoutExchange(connection, .problem(400, sentence))
        }
        do throws(TLSFailure) {
            let tls = try TLSSession(server: context)
            connection.tls = tls
            happened(.handshakeBegan, connection)
            tls.received(ciphertext)
            handshakes.wait(connection)
        } catch { close(connection) }
    }

    /// Takes the turn's steps.
    func shakeHands() {
        guard !handshakes.isEmpty else { return }
        var taken = 0
        while taken < limits.handshakeStepsPerTurnMax, let connection = handshakes.next() {
            guard !connection.isClosed, let tls = connection.tls else { continue }
            taken += 1
            pump(tls, connection)
        }
        counters.handshakeSteps &+= taken
        handshakes.endTurn()
        if !handshakes.isEmpty { hitLimit("handshake_steps") }
    }
}
