import KinCodec
import KinCrypto
package import KinKeeper
package import KinLoop
import KinModel
package import KinStore

/// Does slow work and reads for the loop, with a reading connection of its own. Confined to one thread.
package final class Worker {
    private let registry: Registry
    private let store: StoreReader
    private let pieceBytesMax: Int
    private let time: any TimeSource
    private let deflater = Deflater()
    /// The snapshots made last: thousands of connections of one member ask for the same bytes.
    private var cache: [(member: Identifier, view: View, made: SnapshotMade)] = []
    private static let cacheMax = 8
    private static let cacheBytesMax = 1 << 20
    /// The most bytes of snapshots that were held at a time while one was made.
    private(set) var snapshotBytesHeldMax = 0

    /// `pieceBytesMax` are the bytes of a snapshot that leave at a time.
    package init(
        registry: Registry, store: StoreReader, pieceBytesMax: Int = ServerLimits().snapshotPieceBytesMax,
        time: any TimeSource = SystemTime()
    ) {
        self.registry = registry
        self.store = store
        self.pieceBytesMax = pieceBytesMax
        self.time = time
    }

    /// Frees what was kept for a next job, after a while without one.
    package func rest() {
        cache = []
        store.rest()
    }

    /// Does work that needs no database: a password, a picture, a letter, a file.
    package static func runAlone(_ job: Job, outside: (any OutsideDesk)? = nil, blobs: Blobs? = nil) -> JobDone {
        switch job {
        case .slow(var request, let work):
            let desk = outside.map { PermittedDesk($0, request.outsideHosts) }
            let result = work.run(at: Workplace(store: nil, outside: desk))
            request.openParcel()
            return .slow(request, work.sort, result)
        case .stop: return .stopped
        case .door(let ticket, let work):
            guard let blobs else { preconditionFailure("this worker has no files") }
            return .door(ticket, work.run(at: blobs))
        case .snapshot, .read, .blob, .take, .letGo: preconditionFailure("such a job is a reader's")
        }
    }

    package func run(_ job: Job) -> JobDone {
        switch job {
        case .slow(var request, let work):
            let result = work.run(at: Workplace(store: store, clock: time.monotonicNanoseconds))
            request.openParcel()
            return .slow(request, work.sort, result)
        case .snapshot(let reading, let member, let view):
            return .snapshot(
                for: reading,
                Result { () throws(StoreFailure) in
                    try self.reading { () throws(StoreFailure) in try snapshot(member, view) }
                })
        case .read(let reading, let after, let member):
            return .read(
                for: reading,
                Result { () throws(StoreFailure) in
                    try self.reading { () throws(StoreFailure) in try read(after: after, for: member) }
                })
        case .blob(let ticket, let name, let type):
            let size = ((try? store.blobs.size(name)) ?? nil) ?? 0
            guard size <= Limits.parcelInMessageBytesMax else { return .blob(ticket, .tooLong, type: type) }
            let bytes = (try? store.blobs.get(name)) ?? nil
            return .blob(ticket, bytes.map { .whole($0) } ?? .gone, type: type)
        case .door(let ticket, let work): return .door(ticket, work.run(at: store.blobs))
        case .take(let ticket, var intake, let bytes):
            do throws(Intake.Refusal) { try intake.take(bytes, store.blobs) } catch {
                return .piece(ticket, .failure(error))
            }
            return .piece(ticket, .success(intake))
        case .letGo: return .letGone
        case .stop: return .stopped
        }
    }

    /// Reads in one transaction, which ends after ``Limits/longReadMillisecondsMax`` with whatever statement is running
    /// then. Opens the connection anew after a failure.
    private func reading<Made>(_ body: () throws(StoreFailure) -> Made) throws(StoreFailure) -> Made {
        let (time, began) = (time, time.monotonicNanoseconds())
        store.database.interrupt(when: {
            time.monotonicNanoseconds() &- began >= Limits.longReadMillisecondsMax * 1_000_000
        })
        defer { store.database.interrupt(when: nil) }
        do throws(StoreFailure) { return try body() } catch {
            store.renew()
            throw error
        }
    }

    private func read(after: Int64, for member: Int32) throws(StoreFailure) -> LogRead {
        let database = store.database
        try database.begin()
        defer { database.rollback() }
        let page = try Log.read(
            database, after: after, through: nil, member: member, types: nil, bytesMax: Limits.replayBytesPerTurn)
        let isRebuilt = try Log.has(
            database, about: "family", type: Registry.resetType, for: member, after: after)
        return LogRead(rows: page.rows, through: page.through, isWhole: page.isWhole, isRebuilt: isRebuilt)
    }

    private func snapshot(_ member: Identifier, _ view: View) throws(StoreFailure) -> SnapshotMade? {
        if let index = cache.firstIndex(where: { $0.member == member && $0.view == view }) {
            if cache[index].made.position == (try Log.position(store.database)) { return cache[index].made }
            cache.remove(at: index)
        }
        var pieces = SnapshotPieces(bytesMax: pieceBytesMax, deflater)
        let summary = try registry.writeSnapshot(for: member, view: view, in: store.database) { pieces.take($0) }
        guard let summary else { return nil }
        let made = SnapshotMade(position: summary.position, pieces: pieces.end(), outgrown: summary.outgrown)
        snapshotBytesHeldMax = max(snapshotBytesHeldMax, pieces.bytesHeldMax)
        cache.append((member, view, made))
        while cache.count > Self.cacheMax || cache.reduce(0, { $0 + $1.made.bytesHeld }) > Self.cacheBytesMax {
            cache.removeFirst()
        }
        return made
    }
}
