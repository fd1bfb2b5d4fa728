package import KinKeeper
package import KinModel
package import KinStore

/// Work the loop hands to a worker: it owns nothing and sees only these values.
package enum Job: Sendable {
    /// A request's slow part; the request goes back to the keeper with the result.
    case slow(Request, any SlowWork)
    /// A member's snapshot, encoded.
    case snapshot(for: StreamReading, member: Identifier, view: View)
    /// The log after a position, for one member.
    case read(for: StreamReading, after: Int64, member: Int32)
    /// A blob's bytes, for the answer to a request.
    case blob(Ticket, name: String, type: String)
    /// A door's work, for the answer to a request.
    case door(Ticket, any DoorWork)
    /// The next piece of a long body, with its reader.
    case take(Ticket, Intake, [UInt8])
    /// A body that nobody waits for any more. Its file is removed with the last reference to it.
    case letGo(Intake)
    /// The daemon ends: the worker's thread too.
    case stop
}

/// The result of a job.
package enum JobDone: Sendable {
    /// The slow part, of that sort, is done.
    case slow(Request, WorkSort, SlowResult)
    /// The snapshot at a position; `nil` when the member is gone.
    case snapshot(for: StreamReading, Result<SnapshotMade?, StoreFailure>)
    /// Rows, and the position up to which they are whole.
    case read(for: StreamReading, Result<LogRead, StoreFailure>)
    /// The bytes, `nil` when the blob is gone.
    case blob(Ticket, BlobRead, type: String)
    /// The result of a door's work.
    case door(Ticket, any Sendable)
    /// The piece is written, or the body is not taken.
    case piece(Ticket, Result<Intake, Intake.Refusal>)
    /// The body was released.
    case letGone
    /// The worker ended.
    case stopped
}

/// The reader of a job: one follow of a connection. The follow may be over when the result comes.
package struct StreamReading: Sendable, Hashable {
    let connection: UInt64
    let follow: UInt64
}

/// A piece of the log.
package struct LogRead: Sendable {
    package let rows: [LogRow]
    package let through: Int64
    /// Whether nothing that the member could have seen after the position asked for has been removed for its age.
    package let isWhole: Bool
    /// Whether the member's view was built anew somewhere after it.
    package let isRebuilt: Bool

    package init(rows: [LogRow], through: Int64, isWhole: Bool = true, isRebuilt: Bool = false) {
        self.rows = rows
        self.through = through
        self.isWhole = isWhole
        self.isRebuilt = isRebuilt
    }
}

/// A message to the keeper.
package enum KeeperMail: Sendable {
    /// A request.
    case request(Request)
    /// Work may be due.
    case tick
    /// The watchdog asks for a sign of life.
    case beat
    /// A storm is over: memory that was kept for it can be given back.
    case rest
    /// The daemon ends: the keeper's thread too.
    case stop
}

/// A message to the loop from another thread.
package enum LoopMail: Sendable {
    /// The keeper's turn is on disk, or refused.
    case commit(Commit)
    /// A worker is done.
    case done(JobDone)
    /// A thread cannot go on; the sentence says why.
    case failed(String)
}

/// A blob's content for a message.
package enum BlobRead: Sendable {
    case whole([UInt8])
    /// It is there no longer.
    case gone
    /// It is too long for a message.
    case tooLong
}
