// An echo endpoint on the daemon's own server stack, for conformance suites.

import Glibc
import KinLoop
import KinServer

let help = """
    kinwire-echo – echoes every WebSocket message on any path, compression on

    usage: kinwire-echo [--port P] [--listen ADDR:PORT] [--tls]
      --port P              listens on 127.0.0.1:P; 0 takes a free port (default: 9001)
      --listen ADDR:PORT    where to listen instead; may be repeated
      --tls                 also speaks TLS, with a certificate for loopback that nobody signed
    A message may have 64 MiB. Where it listens is said on the standard error.
    """

func say(_ text: String) {
    let line = Array("kinwire-echo: \(text)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

var listen: [SocketAddress] = []
var port = "9001"
var isTLS = false
var arguments = Machine.arguments.dropFirst()
do throws(LoopFailure) {
    while let argument = arguments.popFirst() {
        switch (argument, arguments.first) {
        case ("--tls", _): isTLS = true
        case ("--port", let value?) where UInt16(value) != nil:
            port = value
            arguments = arguments.dropFirst()
        case ("--listen", let value?):
            listen += try SocketAddress.parse(value)
            arguments = arguments.dropFirst()
        default:
            print(help)
            exit(argument == "--help" ? 0 : 2)
        }
    }
    if listen.isEmpty { listen = try SocketAddress.parse("127.0.0.1:\(port)") }
} catch {
    say(error.sentence)
    exit(2)
}
do throws(Daemon.StartFailure) {
    let sentence = try Echo.run(listen: listen, isTLS: isTLS) { addresses in
        for address in addresses { say("Listening on \(address).") }
    }
    if let sentence { say(sentence) }
    exit(sentence == nil ? 0 : 1)
} catch {
    say(error.sentence)
    exit(1)
}
