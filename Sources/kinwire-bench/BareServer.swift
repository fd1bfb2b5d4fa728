import KinLoop

/// The bare broadcaster as a process of its own, so that its CPU time is counted and its core is chosen as the daemon's.
final class BareServer {
    let child: Child
    let port: UInt16

    init(
        commandBytes: Int, eventBytes: Int, _ manner: Broadcaster.Manner, in directory: String
    ) throws(Trouble) {
        child = try Child(
            Place.program,
            [
                "bare", "--clients", "\(commandBytes)", "--count", "\(eventBytes)", "--manner", manner.rawValue,
                "--dir", directory,
            ])
        guard let line = child.line(), let port = UInt16(line.filter { $0.isNumber }) else {
            throw Trouble("The bare broadcaster did not start.")
        }
        self.port = port
    }

    /// What the process does.
    static func run(_ options: Options) throws(Trouble) {
        Signal.ignorePipe()
        try attempt {
            try Broadcaster.serve(
                options.clients ?? 1, [UInt8](repeating: 0x78, count: options.count ?? 1),
                options.manner, in: options.directory
            ) { port in say("\(port)") }
        }
    }
}
