import Synchronization
import Testing

@testable import KinLoop

@Suite struct `A mailbox` {
    @Test func `loses nothing of what many threads post, and keeps each one's order`() throws {
        let mailbox = Mailbox<(thread: Int, number: Int)>(wakeup: try Wakeup())
        let threads = try (0..<8).map { thread in
            try startThread(name: "post-\(thread)") {
                for number in 0..<5_000 { mailbox.post((thread, number)) }
            }
        }
        var next = [Int](repeating: 0, count: 8)
        var batch: [(thread: Int, number: Int)] = []
        var received = 0
        while received < 40_000 {
            // Without end: a lost wake hangs here, and a lost message too.
            #expect(mailbox.wait(timeoutMilliseconds: nil))
            batch.removeAll(keepingCapacity: true)
            mailbox.drain(into: &batch)
            for message in batch {
                if next[message.thread] != message.number { Issue.record("out of order: \(message)") }
                next[message.thread] += 1
            }
            received += batch.count
        }
        for thread in threads { thread.join() }
        #expect(received == 40_000)
        #expect(mailbox.count == 0)
    }

    @Test func `wakes its reader once for a burst`() throws {
        let wakeup = try Wakeup()
        let mailbox = Mailbox<Int>(wakeup: wakeup)
        for number in 0..<10 { mailbox.post(number) }
        mailbox.post(contentsOf: [10, 11])
        mailbox.post(contentsOf: [])
        #expect(wakeup.drain() == 1)
        var taken = [-1]
        mailbox.drain(into: &taken)
        #expect(taken == Array(-1..<12))
        #expect(wakeup.drain() == 0)
        mailbox.post(12)
        #expect(wakeup.drain() == 1)
    }

    @Test func `without a reader to wake never waits`() {
        let mailbox = Mailbox<String>()
        #expect(!mailbox.wait(timeoutMilliseconds: nil))
        mailbox.post("hello")
        #expect(mailbox.wait(timeoutMilliseconds: nil))
        #expect(mailbox.take() == "hello")
        #expect(mailbox.take() == nil)
    }

    @Test func `gives up waiting when the time is over`() throws {
        let mailbox = Mailbox<Int>(wakeup: try Wakeup())
        #expect(!mailbox.wait(timeoutMilliseconds: 0))
        #expect(!mailbox.wait(timeoutMilliseconds: 1))
        #expect(!mailbox.wait(timeoutMilliseconds: -5))
    }

    @Test func `read by several workers gives each message to one of them`() throws {
        let mailbox = Mailbox<Int>(wakeup: try Wakeup())
        let sums = Mutex<[Int]>([])
        let workers = try (0..<4).map { worker in
            try startThread(name: "worker-\(worker)") {
                while true {
                    guard let number = mailbox.take() else {
                        _ = mailbox.wait(timeoutMilliseconds: nil)
                        continue
                    }
                    if number < 0 { return }
                    sums.withLock { $0.append(number) }
                }
            }
        }
        for number in 0..<1_000 { mailbox.post(number) }
        mailbox.post(contentsOf: [-1, -1, -1, -1])
        for worker in workers { worker.join() }
        #expect(sums.withLock { $0.sorted() } == Array(0..<1_000))
    }
}

@Suite struct `A thread` {
    @Test func `runs its body once and can be waited for`() throws {
        let runs = Atomic<Int>(0)
        let thread = try startThread(name: "a name far longer than fifteen bytes", stackBytes: 1) {
            runs.add(1, ordering: .relaxed)
        }
        thread.join()
        thread.join()
        #expect(runs.load(ordering: .relaxed) == 1)
    }
}
