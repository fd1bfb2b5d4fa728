import Glibc
import KinFamily
import KinLoop
import KinModel
import KinServer
import KinStore

/// The daemon inside this program, so that its syncs can be counted: it answers each line on its standard input with the
/// number of syncs so far.
enum CountedDaemon {
    static func run(_ options: Options) throws(Trouble) -> Report? {
        // Before the first thread, so that none of them takes a signal that is meant for the loop.
        Signal.block([.terminate, .interrupt, .hangup])
        let place = try Place(in: "/tmp")
        let path = place.path
        _ = try attempt {
            try startThread(name: "counter") {
                // Syncs are counted for the whole process; any store says how many there were.
                guard
                    let store = try? Store(
                        directory: path, migrations: Registry.family.migrations,
                        now: Instant(milliseconds: Clock.wallMilliseconds))
                else { return }
                while readLine() != nil { say("syncs \(store.fsyncCount)") }
                // Whoever asked is gone.
                kill(getpid(), SIGTERM)
            }
        }
        var daemon = DaemonOptions(directory: options.directory)
        daemon.listen = try attempt { try SocketAddress.parse("127.0.0.1:0") }
        daemon.unixPath = options.keep
        let sentence: String?
        do {
            sentence = try Daemon.run(
                daemon, note: { _, sentence in say(sentence) },
                started: { for address in $0.addresses { say("Listening on \(address).") } })
        } catch { throw Trouble(error.sentence) }
        if let sentence { throw Trouble(sentence) }
        return nil
    }
}
