internal import KinCrypto
public import KinModel
import KinStore

/// The import of a file with many entries, such as vCards. A worker reads the file. Then the method takes some of its
/// entries in each turn of the keeper, so that a long file holds nobody up. Each entry is taken by itself, whole or not
/// at all, and the report has a line for each.
public struct FileImport: Sendable {
    /// The fate of an entry.
    public enum Outcome: String, CaseIterable, Sendable {
        case added, changed, same, refused
    }

    /// The parameter with the file.
    private let parameter: String
    /// The words for an entry in the file and here, such as `event` and `entry`. The latter is a name in the report
    /// too.
    private let (outside, inside): (String, String)
    private let bytesMax: Int
    private let linesMax: Int
    private let remarksMax: Int
    /// The day of an entry, where the file is one of days.
    private let date: Field?

    /// - Parameters:
    ///   - parameter: The parameter with the file, in base64 where it comes within JSON.
    ///   - outside: What one entry of the file is called.
    ///   - inside: What it is once it was taken.
    ///   - bytesMax: Bytes of the file.
    ///   - linesMax: Entries of the file, and so lines of the report.
    ///   - remarksMax: Remarks about one entry.
    ///   - date: The report's field `date` of an entry; `nil`: entries have no day.
    public init(
        _ parameter: String, of outside: String, as inside: String, bytesMax: Int, linesMax: Int, remarksMax: Int,
        date: Field? = nil
    ) {
        self.parameter = parameter
        self.outside = outside
        self.inside = inside
        self.bytesMax = bytesMax
        self.linesMax = linesMax
        self.remarksMax = remarksMax
        self.date = date
    }

    // MARK: What the method declares

    /// The parameter.
    public func field(_ summary: String) -> Field {
        .required(parameter, .token(max: (bytesMax + 2) / 3 * 4), summary)
    }

    /// The shape of the report, with the area's own fields.
    public func result(_ more: Field...) -> Shape {
        let fields: [Field] = [
            .required("number", .integer(1...Int64(linesMax)), "The \(outside)'s place in the file."),
            .required("name", .text(max: 64), "What it calls itself, shortened."),
            .required(
                "outcome", .oneOf(Outcome.allCases.map(\.rawValue)),
                "same: it was there already; refused: nothing of it was taken."),
            .optional(inside, .id, "The \(inside) it is now."),
            .required(
                "remarks", .list(.text(max: 400), max: remarksMax),
                "What was not taken as it is, and why: a sentence each."),
        ]
        let line = Shape.object(fields + [date].compactMap(\.self))
        return .object(
            [
                .required(
                    "taken", .integer(0...Int64(linesMax)),
                    "How many were taken, those that were there already among them."
                ),
                .required(
                    "entries", .list(line, max: linesMax),
                    "A line for each \(outside), in their order; none where the same op is repeated."),
            ] + more)
    }

    /// The answer where the same op is repeated.
    public func again(_ ids: [Identifier]) -> JSON { ["taken": .int(Int64(ids.count)), "entries": []] }

    // MARK: What the method does

    /// Carries it out, this turn's part of it.
    ///
    /// - Parameters:
    ///   - read: Reads a file, on a worker: ``SlowResult/made(_:)`` with a `File`, or ``SlowResult/refused(_:)``.
    ///   - keeping: Keeps a file of more than one turn until all of it is taken; `nil`: nothing does.
    ///   - take: Takes one entry. It may add remarks, and answers which thing the entry is now.
    public func carryOut<File: ImportedFile>(
        _ file: File.Type, _ act: Act, _ params: Params, read: @escaping @Sendable ([UInt8]) -> SlowResult,
        keeping: Keeping? = nil, take: (File.Item, inout [String]) throws(Rejection) -> (Outcome, Identifier?)
    ) throws(Rejection) -> KinKeeper.Outcome {
        try carryOut(
            file, act,
            by: { () throws(Rejection) in
                Reading(source: try source(params, act), isKept: keeping != nil, read: read)
            }, keeping: keeping, take: take)
    }

    /// The same of a file that other work reads: ``SlowResult/made(_:)`` with a `File`, or ``SlowResult/refused(_:)``.
    public func carryOut<File: ImportedFile>(
        _ file: File.Type, _ act: Act, by work: () throws(Rejection) -> any SlowWork, keeping: Keeping? = nil,
        take: (File.Item, inout [String]) throws(Rejection) -> (Outcome, Identifier?)
    ) throws(Rejection) -> KinKeeper.Outcome {
        if act.isFirstWay { return .later(try work()) }
        var run: Run<File>
        if let carried = act.carried as? Run<File> {
            run = carried
        } else if let read = act.work?.made(Kept.self), let file = read.result.made(File.self) {
            run = Run(file: file)
            if file.items.count > Limits.itemsPerTurn { run.unkept = read.bytes[...] }
        } else {
            run = Run(file: try made(act.work?.made(Kept.self)?.result ?? act.work))
        }
        if let keeping, !run.unkept.isEmpty {
            let number: Int64
            if let known = run.number { number = known } else { number = try keeping.begin(act) }
            run.number = number
            let part = run.unkept.prefix(Limits.importPartBytes)
            run.unkept = run.unkept.dropFirst(part.count)
            try keeping.add(act, number, Array(part), run.unkept.isEmpty)
            keeping.goesOn(act, number, run.request)
            return .later(.rest(after: 0, carrying: run))
        }
        if let number = run.number { keeping?.goesOn(act, number, run.request) }
        for item in run.file.items[run.done...].prefix(Limits.itemsPerTurn) {
            var remarks = item.remarks
            let (outcome, id) = try take(item, &remarks)
            if let id { run.ids.append(id) }
            run.add(remarks.prefix(run.remarksBytes < Limits.importReportBytes ? remarksMax : 1)) { sentences in
                .object(leavingOut: [
                    "number": .int(Int64(item.number)), "name": .string(item.name),
                    "outcome": .string(outcome.rawValue), inside: id.map { .id($0) }, "remarks": sentences,
                    "date": date.flatMap { _ in item.date }.map { .string($0) },
                ])
            }
        }
        guard run.done == run.file.items.count else { return .later(.rest(after: run.done, carrying: run)) }
        if let number = run.number { try keeping?.end(act, number) }
        var report: JSON.Object = ["taken": .int(Int64(run.ids.count)), "entries": .array(run.lines)]
        for (name, value) in run.file.remarks { report[name] = value }
        return .done(.object(report), ids: run.ids)
    }

    /// Goes on with a file that was kept, after what interrupted it. Entries that were taken already are the same.
    public func goOn<File: ImportedFile>(
        _ file: File.Type, _ act: Act, from work: () throws(Rejection) -> (any SlowWork)?,
        take: (File.Item, File) throws(Rejection) -> Void, end: (File) throws(Rejection) -> Void
    ) throws(Rejection) -> KinKeeper.Outcome {
        if act.isFirstWay { return try work().map { .later($0) } ?? .done([:]) }
        guard var run = act.carried as? Run<File> ?? act.work?.made(File.self).map({ Run(file: $0) }) else {
            return .done([:])
        }
        for item in run.file.items[run.done...].prefix(Limits.itemsPerTurn) {
            do throws(Rejection) { try take(item, run.file) } catch {
                guard error.kind != .unavailable else { throw error }
                // Nobody may take the rest any more, and nobody is there to be told.
                try end(run.file)
                return .done([:])
            }
            run.done += 1
        }
        guard run.done == run.file.items.count else { return .later(.rest(after: run.done, carrying: run)) }
        try end(run.file)
        return .done([:])
    }

    /// The place of a long file while it is taken in. An import that a crash interrupts is finished from there.
    public struct Keeping {
        /// Begins to keep one, and answers its number.
        let begin: (Act) throws(Rejection) -> Int64
        /// Keeps the next part of it. Only with the last one it is there, and anything of it is taken.
        let add: (Act, Int64, [UInt8], _ isLast: Bool) throws(Rejection) -> Void
        /// It is under way as long as this request lives.
        let goesOn: (Act, Int64, FileRequest) -> Void
        /// All of it is taken.
        let end: (Act, Int64) throws(Rejection) -> Void

        /// A place with its deeds.
        init(
            begin: @escaping (Act) throws(Rejection) -> Int64,
            add: @escaping (Act, Int64, [UInt8], Bool) throws(Rejection) -> Void,
            goesOn: @escaping (Act, Int64, FileRequest) -> Void, end: @escaping (Act, Int64) throws(Rejection) -> Void
        ) {
            (self.begin, self.add, self.goesOn, self.end) = (begin, add, goesOn, end)
        }
    }

    /// An import on its way.
    private struct Run<File: ImportedFile>: Sendable {
        let file: File
        /// What of it is not kept yet.
        var unkept: ArraySlice<UInt8> = []
        /// The number by which it is kept.
        var number: Int64?
        /// The request itself, as long as it lives.
        let request = FileRequest()
        /// How many entries are done.
        var done = 0
        /// The things they are now.
        var ids: [Identifier] = []
        var lines: [JSON] = []
        /// Bytes of all remarks.
        var remarksBytes = 0

        mutating func add(_ remarks: some Sequence<String>, _ line: (JSON) -> JSON) {
            let sentences = Array(remarks)
            remarksBytes += sentences.reduce(0) { $0 + $1.utf8.count }
            lines.append(line(.array(sentences.map { .string($0) })))
            done += 1
        }
    }

    // MARK: The file

    private enum Source: Sendable {
        /// In the request.
        case bytes([UInt8])
        /// It came as a file.
        case parcel(Parcel)
    }

    /// What a worker made of a file, and the file.
    private struct Kept: Sendable {
        let result: SlowResult
        let bytes: [UInt8]
    }

    private func source(_ params: Params, _ act: Act) throws(Rejection) -> Source {
        let text = try params.string(parameter)
        if let parcel = act.parcel, parcel.name == text { return .parcel(parcel) }
        guard let bytes = Base64.decode(text), !bytes.isEmpty else {
            throw Rejection(.invalid, "\(parameter) must be base64 with padding.", field: parameter)
        }
        return .bytes(bytes)
    }

    /// Reads the file. The workers for pictures do it, because such files are as large as pictures.
    private struct Reading: SlowWork {
        let source: Source
        /// Whether the file is needed beyond reading.
        let isKept: Bool
        let read: @Sendable ([UInt8]) -> SlowResult

        var sort: WorkSort { .picture }

        func run(at place: borrowing Workplace) -> SlowResult {
            switch source {
            case .bytes(let bytes): return made(of: bytes)
            case .parcel(let parcel):
                guard let spool = parcel.spool else { return .failed("The file is no longer there; send it again.") }
                do throws(StoreFailure) { return made(of: try spool.read()) } catch { return .failed(error.sentence) }
            }
        }

        private func made(of bytes: [UInt8]) -> SlowResult {
            isKept ? .made(Kept(result: read(bytes), bytes: bytes)) : read(bytes)
        }
    }

    /// What a worker read.
    private func made<File>(_ work: SlowResult?) throws(Rejection) -> File {
        if let file = work?.made(File.self) { return file }
        switch work {
        case .refused(let sentence): throw Rejection(.invalid, sentence, field: parameter)
        case .failed(let sentence): throw Rejection(.unavailable, sentence)
        case .crowdedOut:
            throw Rejection(
                .slowDown, "Several of your files wait to be read already; send this one again in a minute.",
                retryAfter: 30)
        default: throw Rejection(.unavailable, "The file could not be read; try again.")
        }
    }
}

/// A file that was read.
public protocol ImportedFile: Sendable {
    associatedtype Item: ImportedItem
    /// Its entries, in their order.
    var items: [Item] { get }
    /// What the report says of the file as a whole, by name.
    var remarks: [(name: String, value: JSON)] { get }
}

extension ImportedFile {
    /// Nothing.
    public var remarks: [(name: String, value: JSON)] { [] }
}

/// One entry of a file that was read.
public protocol ImportedItem: Sendable {
    /// Its place in the file, from 1.
    var number: Int { get }
    /// The entry's own name, shortened.
    var name: String { get }
    /// What was left out or changed, and why: a sentence each.
    var remarks: [String] { get }
    /// The day of the entry, where the file is one of days.
    var date: String? { get }
}

extension ImportedItem {
    /// None.
    public var date: String? { nil }
}
