import Glibc
import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

@Suite struct ReaderTests {
    @Test func `a reader that cannot open its database says so, and the daemon ends`() throws {
        let directory = "/tmp/kinwire-reader-\(UInt64.random(in: 0 ... .max))"
        let now = Instant(milliseconds: 1_790_000_000_000)
        let source = try { () throws in
            let store = try Store(directory: directory, migrations: Registry.family.migrations, now: now)
            return StoreReader.Source(
                database: store.source, blobs: store.blobs, directory: directory, files: .disk)
        }()
        for name in ["kinwire.db", "kinwire.db-wal", "kinwire.db-shm"] { unlink(directory + "/" + name) }
        let toLoop = Mailbox<LoopMail>(wakeup: try Wakeup())
        let thread = try Daemon.startWorker("reader", JobLine(wakeup: try Wakeup()), toLoop, source)
        thread.join()
        guard case .failed(let sentence)? = toLoop.take() else {
            Issue.record("the loop is not told")
            return
        }
        #expect(sentence.contains(directory))
        // What the loop makes of it: everybody is told to come back, and the daemon ends with the sentence.
        let box = try Box.family()
        let ben = try box.line("ben")
        box.server.inbox.post(.failed(sentence))
        try box.settle()
        #expect(try ben.heard().last?["params"]?["code"] == 1012)
        try box.advance(seconds: 6)
        #expect(box.server.isFinished)
        #expect(box.server.fatal == sentence)
    }
}
