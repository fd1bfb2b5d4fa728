import KinTLS

/// TLS on the loop: the context of new sessions, where their certificate comes from, and the connections whose
/// handshake has a step to take.
///
/// Confined to the loop's thread.
struct Handshakes {
    /// The context of new sessions; `nil` where none are taken. Sessions keep the one that they began with.
    var context: TLSContext?
    /// The source of the certificate; `nil` in a simulation.
    var certificates: (any CertificateSource)?
    /// The connections that wait for a step, in the order of their bytes.
    private var line: [Connection] = []
    /// How many of the line were taken in this turn.
    private var passed = 0

    init(_ context: TLSContext?) { self.context = context }

    /// How many wait for a step.
    var count: Int { line.count }
    var isEmpty: Bool { line.isEmpty }

    /// Puts a connection in line, once. Until its step nothing more is read of it.
    mutating func wait(_ connection: Connection) {
        guard !connection.life.isHandshakeWaiting else { return }
        connection.life.take(.handshakeWaits)
        line.append(connection)
    }

    /// Takes the next in line.
    mutating func next() -> Connection? {
        guard passed < line.count else { return nil }
        defer { passed += 1 }
        line[passed].life.take(.handshakeGoesOn)
        return line[passed]
    }

    /// The turn has taken its steps.
    mutating func endTurn() {
        line.removeFirst(passed)
        passed = 0
    }
}
