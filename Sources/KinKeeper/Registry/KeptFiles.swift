public import KinModel
public import KinStore

/// The place of the long files that an area takes in over many turns (``FileImport``). A file is kept whole before
/// anything of it is taken, and until all of it is. So an import that a crash interrupts is finished after the crash.
/// Of a file that had not come whole, nothing is taken.
public struct KeptFiles<Memory: KeptFileMemory>: Sendable {
    /// Seconds without a turn after which the end of an interrupted import counts as interrupted again.
    private static var restSeconds: Int64 { 60 }

    private let files: String
    private let parts: String
    private let finish: String

    /// - Parameters:
    ///   - files: The table of the files, with `number`, `member` (whose file it is; NULL: the machine's), `is_whole`
    ///     and columns of the area's own.
    ///   - parts: The table of their parts, with `import`, `part` and `bytes`. They go with their file.
    ///   - finish: The method that takes what is left of a file. The daemon calls it as who gave the file.
    public init(in files: String, parts: String, finishedBy finish: String) {
        self.files = files
        self.parts = parts
        self.finish = finish
    }

    /// Keeps a file of the caller's, with values for the area's own columns.
    public func keeping(_ own: [(column: String, value: Value)] = []) -> FileImport.Keeping {
        FileImport.Keeping(
            begin: { (act) throws(Rejection) in
                let columns = ["member"] + own.map { $0.column }
                let places = columns.map { _ in "?" }.joined(separator: ", ")
                try act.run(
                    "INSERT INTO \(files) (\(columns.joined(separator: ", "))) VALUES (\(places))",
                    values: [Value(giver(act))] + own.map { $0.value })
                return try act.first("SELECT last_insert_rowid()") { row in row.int(0) } ?? 0
            },
            add: { (act, number, bytes, isLast) throws(Rejection) in
                try act.run(
                    """
                    INSERT INTO \(parts) (import, part, bytes)
                    VALUES (?1, (SELECT count(*) FROM \(parts) WHERE import = ?1), ?2)
                    """, .int(number), .blob(bytes))
                if isLast { try act.run("UPDATE \(files) SET is_whole = 1 WHERE number = ?", .int(number)) }
            },
            goesOn: { act, number, request in
                act.memory(Memory.self).filesUnderWay[number] = FileUnderWay(request)
            },
            end: { (act, number) throws(Rejection) in try end(number, act) })
    }

    /// Some more of one that was interrupted is being taken.
    public func goesOn(_ number: Int64, _ act: Act) {
        act.memory(Memory.self).filesUnderWay[number] = FileUnderWay(at: act.uptime)
    }

    /// All of one is taken, or the rest of it never will be.
    public func end(_ number: Int64, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM \(files) WHERE number = ?", .int(number))
        act.memory(Memory.self).filesUnderWay[number] = nil
        act.truncateSoon()
    }

    /// Has what was interrupted be gone on with, or forgets it: where it had not come whole, and so nothing of it was
    /// taken, and where whoever gave it may not give any more.
    public func lookAfter(
        _ act: Act, mayGive: (Identifier?) throws(Rejection) -> Bool = { (_) throws(Rejection) in true }
    ) throws(Rejection) {
        let all = try act.rows("SELECT number, member, is_whole FROM \(files) ORDER BY number") { row in
            (number: row.int("number"), member: row.optionalIdentifier("member"), isWhole: row.bool("is_whole"))
        }
        for one in all where !isUnderWay(one.number, act) {
            if one.isWhole, try mayGive(one.member) {
                act.callOwn(finish, as: one.member)
            } else {
                try end(one.number, act)
            }
        }
    }

    /// The caller's first one that was interrupted, to be read again on a worker; `nil` where there is none.
    public func interrupted(
        _ act: Act, read: @escaping @Sendable (_ bytes: [UInt8], _ number: Int64) -> SlowResult
    ) throws(Rejection) -> (any SlowWork)? {
        let all = try act.rows(
            "SELECT number FROM \(files) WHERE member IS ? AND is_whole ORDER BY number", Value(giver(act))
        ) { row in row.int(0) }
        guard let number = all.first(where: { !isUnderWay($0, act) }) else { return nil }
        goesOn(number, act)
        return Rereading(parts: parts, number: number, read: read)
    }

    /// One is finished, and there may be another of the caller's.
    public func finishNext(_ act: Act) { act.callOwn(finish, as: giver(act)) }

    private func isUnderWay(_ number: Int64, _ act: Act) -> Bool {
        guard let file = act.memory(Memory.self).filesUnderWay[number] else { return false }
        if let last = file.last { return act.uptime.milliseconds(since: last) < Self.restSeconds * 1000 }
        return file.request != nil
    }

    /// Whose files the caller's are; `nil`: the machine's.
    private func giver(_ act: Act) -> Identifier? {
        if case .member(let member) = act.caller { member.id } else { nil }
    }
}

/// An area's memory of the kept files that are being taken.
public protocol KeptFileMemory: AreaMemory {
    /// Those that are being taken, by their numbers.
    var filesUnderWay: [Int64: FileUnderWay] { get set }
}

/// A kept file that is being taken.
public struct FileUnderWay {
    /// The request that gives it, as long as that lives: it is under way, however long the next turn is in coming.
    fileprivate private(set) weak var request: FileRequest?
    /// Of one that the daemon finishes after an interruption, when that last went on, by ``Act/uptime``.
    fileprivate let last: Instant?

    fileprivate init(_ request: FileRequest) {
        self.request = request
        last = nil
    }

    fileprivate init(at last: Instant) {
        self.last = last
    }
}

/// Stands for a request that gives a file. It is carried along from turn to turn, and goes with the request.
final class FileRequest: Sendable {}

/// Reads a kept file again.
private struct Rereading: SlowWork {
    let parts: String
    let number: Int64
    let read: @Sendable ([UInt8], Int64) -> SlowResult

    var sort: WorkSort { .read }

    func run(at place: borrowing Workplace) -> SlowResult {
        guard let store = place.store else { return .failed("There is no store.") }
        do throws(StoreFailure) {
            let found = try store.database.rows(
                "SELECT bytes FROM \(parts) WHERE import = ? ORDER BY part", values: [.int(number)]
            ) { (row) throws(StoreFailure) in row.blob(0) }
            return read(Array(found.joined()), number)
        } catch { return .failed(error.sentence) }
    }
}
