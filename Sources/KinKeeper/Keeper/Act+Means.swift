public import KinModel
package import KinStore

/// The means of the keeper that areas may use, each under a name of its own.
extension Act {
    // MARK: What falls due

    /// Plans work of an area for a moment; `nil` takes it back. There is one entry for each kind and thing.
    public func plan(_ kind: String, about: String, at: Instant?) throws(Rejection) {
        guard let at else { return try unplan(kind, about: about) }
        do throws(StoreFailure) { try keeper.store.due.add(at: at, kind: kind, about: about) } catch {
            throw failed(error)
        }
    }

    /// The moment at which planned work falls due; `nil` where none is planned.
    package func planned(_ kind: String, about: String) throws(Rejection) -> Instant? {
        try first("SELECT at FROM due WHERE kind = ? AND about = ?", .text(kind), .text(about)) { row in
            row.instant(0)
        }
    }

    /// Whether work is planned.
    package func isPlanned(_ kind: String, about: String) throws(Rejection) -> Bool {
        try planned(kind, about: about) != nil
    }

    /// Whether work is planned about something under a thing.
    package func isPlanned(_ kind: String, under about: String) throws(Rejection) -> Bool {
        try first(
            "SELECT 1 FROM due WHERE kind = ?1 AND about >= ?2 || '/' AND about < ?2 || '0'", .text(kind), .text(about)
        ) { _ in true } ?? false
    }

    /// Takes back planned work.
    public func unplan(_ kind: String, about: String) throws(Rejection) {
        do throws(StoreFailure) { try keeper.store.due.remove(kind: kind, about: about) } catch { throw failed(error) }
    }

    /// Takes back all planned work about a thing.
    public func unplan(about: String) throws(Rejection) {
        do throws(StoreFailure) { try keeper.store.due.remove(about: about) } catch { throw failed(error) }
    }

    /// Takes back planned work of a kind about things that begin and end so, whatever stands between:
    /// `entry/…/member`. Neither part has a sign of LIKE.
    package func unplan(_ kind: String, from beginning: String, to end: String) throws(Rejection) {
        precondition(!(beginning + end).utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "_") })
        try run("DELETE FROM due WHERE kind = ? AND about LIKE ?", .text(kind), .text(beginning + "%" + end))
        replanned()
    }

    /// Moves planned work of some kinds forward, to a moment at the latest.
    public func replan(_ kinds: [String], noLaterThan latest: Instant) throws(Rejection) {
        for kind in kinds { try run("UPDATE due SET at = ?1 WHERE kind = ?2 AND at > ?1", .time(latest), .text(kind)) }
        replanned()
    }

    /// Postpones planned work of a kind that falls due after a moment by so many milliseconds.
    public func replan(_ kind: String, after moment: Instant, by milliseconds: Int64) throws(Rejection) {
        try run(
            "UPDATE due SET at = at + ?1 WHERE kind = ?3 AND at > ?2", .int(milliseconds), .time(moment), .text(kind))
        replanned()
    }

    /// Says that the mechanism's own statements changed the planned work.
    package func replanned() { keeper.store.due.forget() }

    // MARK: The log

    /// The position of the newest event.
    public var logPosition: Int64 { keeper.store.log.position }

    /// The position that a cursor stands for; `nil` where the cursor is not of this family.
    public func position(of cursor: String) -> Int64? { keeper.store.epochs.position(of: cursor) }

    /// A cursor that stands for a position.
    public func cursor(at position: Int64) -> String {
        keeper.store.epochs.cursor(position: position, salt: keeper.randomNumber())
    }

    /// A cursor that stands for a position, the same each time for the same thing.
    public func cursor(at position: Int64, of thing: Identifier) -> String {
        keeper.store.epochs.cursor(position: position, salt: thing.low)
    }

    /// The log's rows of some types about a thing and what is under it: their positions and payloads. With `words` only
    /// those in whose payloads they stand.
    package func logged(
        about: String, types: [any EventDeclaration], containing words: String = ""
    ) throws(Rejection) -> [(position: Int64, payload: [UInt8])] {
        let found = try rows(
            """
            SELECT position, payload, type FROM log
            WHERE about >= ?1 AND about < ?1 || char(1114111) AND (?2 = '' OR instr(payload, CAST(?2 AS BLOB)) > 0)
            """, .text(about), .text(words)
        ) { row in (position: row.int("position"), payload: row.blob("payload"), type: row.text("type")) }
        let names = types.map(\.name)
        return found.filter { names.contains($0.type) }.map { ($0.position, $0.payload) }
    }

    /// The payload of the newest event of a key.
    package func logged(key: String) throws(Rejection) -> [UInt8]? {
        try first("SELECT payload FROM log WHERE key = ?", .text(key)) { row in row.blob(0) }
    }

    /// Says that something was deleted whose text is still in the write-ahead log, so that the log is truncated soon.
    public func truncateSoon() {
        keeper.store.requestTruncate(by: now.adding(seconds: Limits.truncateAfterDeletionSeconds))
    }

    // MARK: Others

    /// Whether a command of the caller is remembered by this `op`, so that its repeat changes nothing.
    func remembers(op: String) throws(Rejection) -> Bool {
        try keeper.remembers(op: op, of: try member.id, self)
    }

    /// 64 random bits.
    public func randomNumber() -> UInt64 { keeper.randomNumber() }

    /// Puts a file into the blobs, and answers its name. When the folder takes no file, only this command fails. A file of
    /// a member's counts among the member's (`putBlob(_:of:)`).
    package func putBlob(_ bytes: [UInt8]) throws(Rejection) -> String {
        do throws(StoreFailure) {
            let name = try keeper.store.blobs.put(bytes)
            keeper.store.removeUnlessCommitted(blob: name)
            return name
        } catch { throw Rejection(.unavailable, error.sentence) }
    }

    /// Counts something for the daemon's metrics.
    public func count(_ counter: Counter, _ amount: Int = 1) { keeper.counters.own[counter.name, default: 0] += amount }

    /// An area's memory across turns, as the area declared it.
    public func memory<Memory: AreaMemory>(_ type: Memory.Type) -> Memory {
        guard let memory = keeper.memories[ObjectIdentifier(type)] as? Memory else {
            broken(.memoriesAreDeclared)
        }
        memory.turn(Turn(now: now, rollbacks: keeper.store.database.rollbacks))
        return memory
    }

    /// Where files are, for a worker that reads some.
    package var blobs: Blobs { keeper.store.blobs }

    // These are for the house, which is the mechanism's own area.
    package var store: Store { keeper.store }
    package var counters: KeeperCounters { keeper.counters }
    package var clock: TrustedClock? { keeper.clock }
    package var sums: [FamilySum] { keeper.registry.sums }
    package var registry: Registry { keeper.registry }
    package func vouchForClock() { keeper.vouchForClock() }

    /// Forgets the `op`s of a member who is removed.
    public func forgetOperations(of member: Identifier) throws(Rejection) {
        do throws(StoreFailure) { try keeper.forgetOperations(of: member) } catch { throw failed(error) }
    }

    /// Questions of one area to another, asked through the mechanism.
    public var hooks: Registry.Hooks { keeper.registry.hooks }

    /// The words that a view can be made of.
    package var views: View.Words { keeper.registry.views }

    /// The kinds of lines that inboxes know.
    public var inboxKinds: InboxKinds { keeper.registry.inboxKinds }

    /// The areas of this keeper, for acts that concern all of them: a member leaves, everything is deleted.
    public var areas: [Area] { keeper.registry.areas }
}

/// A value that an area keeps in memory across turns. It saves look-ups, and may be lost at any time.
public protocol AreaMemory: AnyObject, SendableMetatype {
    /// An empty memory.
    init()
    /// Called before each use. The memory forgets what belongs to another day, and what was rolled back.
    func turn(_ turn: Turn)
    /// Called when everything was deleted.
    func forget()
    /// When what it keeps is worth a transaction, by the clock that nobody can set (``Act/uptime``). The area's due work
    /// `memory` then has to change this moment.
    var due: Instant? { get }
}

extension AreaMemory {
    /// Most memories only save look-ups.
    public var due: Instant? { nil }
}

/// What a memory needs to know of the turn it is used in.
public struct Turn: Sendable {
    /// The moment of the turn.
    public let now: Instant
    /// How often something was rolled back since the start.
    public let rollbacks: Int
}

/// Something that is counted since the start, for metrics.
public struct Counter: Sendable, Hashable {
    /// Its name there, without `kinwire_` and `_total`.
    public let name: String
    /// What is counted.
    public let summary: String

    /// A counter.
    public init(_ name: String, _ summary: String) {
        self.name = name
        self.summary = summary
    }
}
