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

@testable import KinKeeper
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Which of the daemon's threads give way to the others.
@Suite struct PriorityTests {
    /// Tells the priority of the thread that does it.
    private struct Look: SlowWork {
        let sort: WorkSort
        func run(at place: borrowing Workplace) -> SlowResult {
            .made(Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)))
        }
    }

    @Test func `a password gives way to nobody: a member may keep the loop and the keeper busy`() throws {
        let disk = FaultVFS.register(name: "priority", seed: 1)
        defer { disk.unregister() }
        let files = Files.memory(disk)
        let store = try Store(
            directory: "/family", migrations: Registry.family.migrations, now: Instant(milliseconds: 1_790_000_000_000),
            files: files)
        let source = StoreReader.Source(
            database: store.source, blobs: store.blobs, directory: "/family", files: files)
        let mailboxes = try Mailboxes(loop: try Wakeup())
        let workers = try Daemon.startWorkers(mailboxes, source)
        let lines: [(WorkSort, JobLine)] = [
            (.password, mailboxes.toPasswords), (.picture, mailboxes.toPictures), (.long, mailboxes.toSlow),
            (.read, mailboxes.toReader), (.outside, mailboxes.toOutside),
        ]
        var seen: [WorkSort: Set<Int>] = [:]
        // One after the other, twice as often as there are workers of passwords, so that each of them may be met.
        for (sort, line) in lines {
            for number in 0..<UInt64(2 * Limits.passwordsAtOnce) {
                let ticket = Ticket(connection: 1, sequence: number)
                line.post(
                    .slow(Request(ticket: ticket, credential: .none, method: "look", params: [:]), Look(sort: sort)),
                    of: .machine)
            }
            for _ in 0..<2 * Limits.passwordsAtOnce {
                guard case .done(.slow(_, _, let result)) = try next(mailboxes) else {
                    Issue.record("a worker failed")
                    continue
                }
                seen[sort, default: []].insert(try #require(result.made(Int.self)))
            }
        }
        for (sort, line) in lines {
            for _ in 0..<(sort == .password ? Limits.passwordsAtOnce : 1) { line.post(.stop, of: .machine) }
        }
        mailboxes.toDisk.post(.stop, of: .machine)
        for worker in workers { worker.join() }
        // As everybody who is started by this thread, unless told otherwise.
        let own = Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
        #expect(seen[.password] == [own])
        for sort in [WorkSort.picture, .long, .read, .outside] { #expect(seen[sort] == [min(own + 10, 19)], "\(sort)") }
    }

    private func next(_ mailboxes: Mailboxes) throws -> LoopMail {
        while true {
            if let letter = mailboxes.toLoop.take() { return letter }
            try #require(mailboxes.toLoop.wait(timeoutMilliseconds: 60_000), "no worker answers")
        }
    }
}
