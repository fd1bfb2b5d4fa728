public import KinModel

/// The columns in which a table keeps a wire value, made from the value's list of fields: the columns to select, how to
/// read a row, and the values to bind in a write. A column has the name of its field, in SQL's spelling: `openedAt` is
/// `opened_at`.
///
///     static let columns = Columns<Household>()
///     "SELECT \(columns.names) FROM households"      // id, name
///     "INSERT INTO households (\(columns.names), founded_at) VALUES (\(columns.placeholders), ?)"
///
/// A value that has a value inside it, such as a place, stands in columns of both: each has its own list of them.
///
/// Identifiers and moments go as they are; each other part is JSON for a moment, and no object is made of them. Where
/// thousands of rows are read in a turn (positions,
/// the log's envelope), hand-written readers stay.
public struct Columns<Record: WireRecord>: Sendable {
    @usableFromInline
    struct One: Sendable {
        let field: String
        /// Where the field stands in the list.
        @usableFromInline let place: Int
        let name: String
        /// The same name as statements know it again.
        let column: Column
        @usableFromInline let kind: ColumnKind
        let isRequired: Bool
    }

    @usableFromInline let fields: Fields<Record>
    @usableFromInline let all: [One]

    /// Columns for all fields.
    ///
    /// - Parameters:
    ///   - called: columns with another name than their field's, by the field's name.
    ///   - elsewhere: fields that are in no column of the table: lists, and fields that depend on the viewer.
    public init(called: [String: String] = [:], elsewhere: Set<String> = []) {
        fields = Record.fields
        let known = Set(fields.list.map(\.name))
        precondition(known.isSuperset(of: elsewhere) && known.isSuperset(of: called.keys), "a field that is not there")
        all = fields.list.enumerated().filter { !elsewhere.contains($0.element.name) }.map { (place, field) -> One in
            guard let kind = ColumnKind(field.shape) else { preconditionFailure("\(field.name) fits in no column") }
            let name = called[field.name] ?? Self.word(field.name)
            return One(
                field: field.name, place: place, name: name, column: .named(name), kind: kind,
                isRequired: field.isRequired)
        }
        names = all.map(\.name).joined(separator: ", ")
        placeholders = all.map { _ in "?" }.joined(separator: ", ")
        assignments = all.map { $0.name + " = ?" }.joined(separator: ", ")
    }

    /// `displayName` as SQL writes it.
    private static func word(_ name: String) -> String {
        name.reduce(into: "") { word, letter in word += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
        }
    }

    // MARK: Statements

    /// The columns to select: `id, display_name`.
    public let names: String
    /// The same of a table with a short name: `m.id, m.display_name`.
    public func names(of table: String) -> String { all.map { table + "." + $0.name }.joined(separator: ", ") }
    /// A question mark for each: `?, ?`.
    public let placeholders: String
    /// The assignments of an update: `id = ?, display_name = ?`.
    public let assignments: String

    /// The values to bind, in the order of ``names``; NULL for each where there is no record.
    @inlinable
    public func values(of record: Record?) -> [Value] {
        guard let record else { return Array(repeating: .null, count: all.count) }
        var values: [Value] = []
        values.reserveCapacity(all.count)
        for index in all.indices {
            values.append(all[index].kind.value(of: fields.part(all[index].place, of: record)))
        }
        return values
    }

    // MARK: Rows

    /// The value in a row; `others` are the fields that are stored elsewhere. Throws ``StoreFailure/corrupt(_:)`` where
    /// a required field is missing or of the wrong kind.
    public func read(_ row: borrowing Row, _ others: [String: JSON] = [:]) throws(StoreFailure) -> Record {
        // A row that is lent goes into no closure: it is its statement at this step, and is lent anew there.
        let statement = row.statement
        var next = 0
        var unknown: String?
        let record = fields.value { field in
            // Fields are asked for in the order of the columns; those between them are the others.
            guard next < all.count, all[next].field.hasSameBytes(as: field) else {
                return others[field].map(Scalar.json)
            }
            let one = all[next]
            next += 1
            let lent = Row(statement)
            guard one.isRequired || !lent.isNull(one.column) else { return nil }
            let value = one.kind.read(lent, one.column)
            // A field that can be left out would be, and a required one would say no more than that it is missing.
            if case .word(let words) = one.kind, !words.contains(value.json.string ?? "") {
                unknown = unknown ?? one.name
            }
            return value
        }
        if let unknown { throw .corrupt("the column \(unknown) holds an unknown word, not one of its own") }
        guard let record else { throw .corrupt("a row does not hold a \(Record.self)") }
        return record
    }

    /// The value in a row, or `nil` where each of its columns is NULL.
    public func readUnlessNull(_ row: borrowing Row) throws(StoreFailure) -> Record? {
        for one in all where !row.isNull(one.column) { return try read(row) }
        return nil
    }
}

/// How a field is stored.
@usableFromInline
enum ColumnKind: Sendable {
    case id, time, bool, integer, number, text
    /// One of these.
    case word([String])

    /// `nil` for lists and objects.
    init?(_ shape: Shape) {
        switch shape {
        case .id: self = .id
        case .time: self = .time
        case .bool: self = .bool
        case .integer: self = .integer
        case .number: self = .number
        case .line, .text, .secret, .token, .username: self = .text
        case .oneOf(let words): self = .word(words)
        case .named(_, let shape): self.init(shape)
        case .nullable, .list, .object, .either, .any: return nil
        }
    }

    @usableFromInline
    func value(of part: Scalar?) -> Value {
        switch part {
        case nil: .null
        case .id(let id): Value(id)
        case .time(let time): Value(time)
        case .json(let json): value(of: json)
        }
    }

    private func value(of json: JSON) -> Value {
        switch self {
        case .id: Value(json.identifier)
        case .time: Value(json.instant)
        case .bool: Value(json.bool)
        case .integer: Value(json.int)
        case .number: Value(json.double)
        case .text, .word: Value(json.string)
        }
    }

    func read(_ row: borrowing Row, _ column: Column) -> Scalar {
        switch self {
        case .id: .id(row.identifier(column))
        case .time: .time(row.instant(column))
        case .bool: .json(.bool(row.bool(column)))
        case .integer: .json(.int(row.int(column)))
        case .number: .json(.double(row.double(column)))
        case .text, .word: .json(.string(row.text(column)))
        }
    }
}
