import Glibc
import KinFamily
import KinKeeper
import KinLoop
import KinModel
import KinServer
import KinStore

/// dlvsym(3), which Glibc's module leaves out.
@_silgen_name("dlvsym") private func symbol(
    _ library: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>
) -> UnsafeMutableRawPointer?

/// The daemon inside this program, so that its syncs can be counted: it answers each line on its standard input with the
/// number of syncs so far. From the line `trace` on the C library writes what it allocates to the file that
/// `MALLOC_TRACE` names (mtrace(3)); at `flush` all of it is there.
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
                while let line = readLine() {
                    if !line.isEmpty { trace(line == "trace") }
                    say("syncs \(store.fsyncCount)")
                }
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

    /// Begins with it, or writes out what is still held back. It is never ended: threads that are allocating just then
    /// would not live through it.
    private static func trace(_ begins: Bool) {
        guard begins else {
            fflush(nil)
            return
        }
        // Named with its version, since the C library itself has a stub of the same name.
        guard let library = dlopen("libc_malloc_debug.so.0", RTLD_NOW | RTLD_NOLOAD),
            let begin = symbol(library, "mtrace", "GLIBC_2.2.5")
        else { return }
        unsafeBitCast(begin, to: (@convention(c) () -> Void).self)()
    }
}
