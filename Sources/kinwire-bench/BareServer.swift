import KinCodec
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
                options.clients ?? 1, event(bytes: options.count ?? 1), options.manner, in: options.directory
            ) { port in say("\(port)") }
        }
    }

    /// A frame of that length that followers take for an event, so that they have as much to do as with a daemon's.
    private static func event(bytes: Int) -> [UInt8] {
        var frame: [UInt8] = []
        WebSocketFrame.writeHeader(.text, length: max(0, bytes - 4), to: &frame)
        frame += Flock.event
        return frame + [UInt8](repeating: 0x78, count: max(0, bytes - frame.count))
    }
}
