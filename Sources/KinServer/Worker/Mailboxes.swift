package import KinKeeper
package import KinLoop

/// The jobs of one sort, waiting for their workers; members and addresses take turns.
package typealias JobLine = FairMailbox<Party, Job>

/// The queues between the threads.
package struct Mailboxes {
    package let toKeeper: Mailbox<KeeperMail>
    package let toReader: JobLine
    package let toPasswords: JobLine
    package let toPictures: JobLine
    package let toSlow: JobLine
    package let toOutside: JobLine
    /// Jobs that sync the written part of uploads, while more of them is written.
    package let toDisk: JobLine
    package let toLoop: Mailbox<LoopMail>

    /// For a daemon that is driven by hand, or has no workers: nobody waits.
    package init(toLoop: Mailbox<LoopMail> = Mailbox()) {
        toKeeper = Mailbox()
        toReader = JobLine()
        toPasswords = JobLine()
        toPictures = JobLine()
        toSlow = JobLine()
        toOutside = JobLine()
        toDisk = JobLine()
        self.toLoop = toLoop
    }

    /// Between threads; each thread has its own wakeup.
    package init(loop: Wakeup) throws(LoopFailure) {
        toKeeper = Mailbox(wakeup: try Wakeup())
        toReader = JobLine(wakeup: try Wakeup())
        toPasswords = JobLine(wakeup: try Wakeup())
        toPictures = JobLine(wakeup: try Wakeup())
        toSlow = JobLine(wakeup: try Wakeup())
        toOutside = JobLine(wakeup: try Wakeup())
        toDisk = JobLine(wakeup: try Wakeup())
        toLoop = Mailbox(wakeup: loop)
    }

    /// The next job at the database or at files, for code that does the work by hand.
    package func takeReading(disk: Bool = true) -> Job? { toReader.take() ?? (disk ? toDisk.take() : nil) }

    /// The next job of any other sort, for code that does the work by hand.
    package func takeWork(pictures: Bool = true) -> Job? {
        toPasswords.take() ?? (pictures ? toPictures.take() : nil) ?? toSlow.take() ?? toOutside.take()
    }
}
