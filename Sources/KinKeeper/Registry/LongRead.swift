public import KinModel
public import KinStore

/// The time of one pass of a long read. Its read transaction lasts little longer.
public struct ReadTime {
    private let deadline: UInt64
    private let clock: () -> UInt64

    /// A pass that begins now, by a clock of monotonic nanoseconds.
    init(milliseconds: UInt64, _ clock: @escaping () -> UInt64) {
        self.clock = clock
        deadline = clock() &+ milliseconds &* 1_000_000
    }

    /// Whether the pass has to end after the row it is at.
    public var isOver: Bool { clock() >= deadline }
}

/// A read that would hold the keeper up. A worker does it on a reading connection, as a function of the database and of
/// what was asked. It runs in passes, each in a read transaction of its own. Between them the keeper checks whether the
/// caller still sees as much.
struct LongRead<Asked: Sendable & Equatable, Found: Sendable>: SlowWork {
    /// Continues with what was found so far; answers whether that is all.
    typealias Read = @Sendable (Database, Asked, inout Found, ReadTime) throws(StoreFailure) -> Bool

    /// The result of a pass.
    struct Made: Sendable {
        let read: LongRead
        let isWhole: Bool
    }

    let asked: Asked
    var found: Found
    /// The keeper's turn in which it was admitted. Every pass sees what that turn and those before it did.
    let turn: UInt64
    /// How often it was begun anew.
    let tries: Int
    let read: Read

    var sort: WorkSort { .read }

    func run(at place: borrowing Workplace) -> SlowResult {
        guard let store = place.store else { return .failed("There is no store here to read.") }
        var next = self
        do throws(StoreFailure) {
            let database = store.database
            try database.begin()
            defer { database.rollback() }
            let time = ReadTime(milliseconds: Limits.longReadMilliseconds, place.clock)
            let end = ReadTime(milliseconds: Limits.longReadMillisecondsMax, place.clock)
            database.interrupt(when: { end.isOver })
            defer { database.interrupt(when: nil) }
            let isWhole = try read(database, asked, &next.found, time)
            return .made(Made(read: next, isWhole: isWhole))
        } catch {
            // It would take as long once more.
            if error == .overdue { return .refused(error.sentence) }
            store.renew()
            return .failed("This could not be read: \(error.sentence)")
        }
    }
}

extension Method {
    /// A query that reads for long: a search, an export, an archive.
    ///
    /// Later requests of its connection wait for it. It is answered only if nothing went out of the caller's sight
    /// since it was admitted. Otherwise it is read anew, a few times.
    ///
    /// - Parameters:
    ///   - admit: Judges, in a turn of the keeper, who asks and for what. It returns a value with everything that the
    ///     caller's sight depends on. It is called again after each pass, with the value it returned before. When it
    ///     returns another value, everything is read anew.
    ///   - begin: Nothing found yet.
    ///   - read: Continues with what was found, on a worker. It ends after the row at which the time is over, keeps the
    ///     key to continue from, and answers whether everything is found.
    ///   - answer: Makes the answer, in a turn of the keeper. What it notes, such as who looked, is on disk before the
    ///     answer is sent.
    public static func longRead<Asked: Sendable & Equatable, Found: Sendable>(
        _ name: String, _ summary: String, access: Access, note: String = "", _ parameters: [Field] = [],
        result: Shape = .any, route: Route? = nil,
        admit: @escaping @Sendable (Act, Params, _ before: Asked?) throws(Rejection) -> Asked,
        begin: @escaping @Sendable (Asked) -> Found,
        read: @escaping @Sendable (Database, Asked, inout Found, ReadTime) throws(StoreFailure) -> Bool,
        answer: @escaping @Sendable (Act, Params, Asked, Found) throws(Rejection) -> Outcome
    ) -> Method {
        query(
            name, summary, access: access, note: note, parameters, result: result, route: route, isSlow: true,
            apply: reading(admit, begin, read, answer))
    }

    /// The same query, which reads for long where its parameters ask for much, as a search does. `admit` and the others
    /// are those of ``longRead(_:_:access:note:_:result:route:admit:begin:read:answer:)``. A list stays true at the
    /// cursor of its answer if the value that `admit` returns counts the changes of the tables that are read
    /// (``Act/changes(of:)``).
    public func readingLong<Asked: Sendable & Equatable, Found: Sendable>(
        when isLong: @escaping @Sendable (Params) -> Bool,
        admit: @escaping @Sendable (Act, Params, _ before: Asked?) throws(Rejection) -> Asked,
        begin: @escaping @Sendable (Asked) -> Found,
        read: @escaping @Sendable (Database, Asked, inout Found, ReadTime) throws(StoreFailure) -> Bool,
        answer: @escaping @Sendable (Act, Params, Asked, Found) throws(Rejection) -> Outcome
    ) -> Method {
        precondition(sort == .query && !isSlow, "\(name) is no short query")
        return carriedOut(when: isLong, by: Self.reading(admit, begin, read, answer))
    }

    private static func reading<Asked: Sendable & Equatable, Found: Sendable>(
        _ admit: @escaping @Sendable (Act, Params, _ before: Asked?) throws(Rejection) -> Asked,
        _ begin: @escaping @Sendable (Asked) -> Found,
        _ read: @escaping @Sendable (Database, Asked, inout Found, ReadTime) throws(StoreFailure) -> Bool,
        _ answer: @escaping @Sendable (Act, Params, Asked, Found) throws(Rejection) -> Outcome
    ) -> @Sendable (Act, Params) throws(Rejection) -> Outcome {
        { (act, params) throws(Rejection) in
            if case .failed(let sentence)? = act.work { throw Rejection(.unavailable, sentence, retryAfter: 1) }
            if case .refused(let sentence)? = act.work { throw Rejection(.tooLarge, sentence) }
            let made = act.work?.made(LongRead<Asked, Found>.Made.self)
            let asked = try admit(act, params, made?.read.asked)
            guard let made else {
                return .later(
                    LongRead(asked: asked, found: begin(asked), turn: act.keeper.turnNumber, tries: 0, read: read))
            }
            if asked == made.read.asked, !act.hasLostSight(after: made.read.turn) {
                return made.isWhole ? try answer(act, params, asked, made.read.found) : .later(made.read)
            }
            guard made.read.tries < Limits.longReadTriesMax else {
                throw Rejection(
                    .unavailable, "What you may see changes while this is being read. Try again.", retryAfter: 1)
            }
            return .later(
                LongRead(
                    asked: asked, found: begin(asked), turn: act.keeper.turnNumber, tries: made.read.tries + 1,
                    read: read))
        }
    }
}

extension Act {
    /// The count of writes to these tables. As long as it is the same, whatever was read from them is still true.
    public func changes(of tables: [String]) -> Int { database.writes(to: TableSet(tables)) }

    /// Whether something may have gone out of the caller's sight after a turn of the keeper.
    fileprivate func hasLostSight(after turn: UInt64) -> Bool {
        switch caller {
        case .member(let member): keeper.sightLosses.concerns(member.number, after: turn)
        case .machine, .nobody: false
        }
    }
}
