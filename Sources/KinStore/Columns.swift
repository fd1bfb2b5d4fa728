public import KinModel

/// The columns in which a table keeps a wire value, made from the value's list of fields: the columns to select, how to
/// read a row, and the values to bind in a write. A column has the name of its field, in SQL's spelling: `openedAt` is
/// `opened_at`.
///
///     static let columns = Columns<Household>()
///     "SELECT \(columns.names) FROM households"      // id, name
///     "INSERT INTO households (\(columns.names), founded_at) VALUES (\(columns.placeholders), ?)"
///
/// It reads and writes by way of JSON. Where thousands of rows are read in a turn (positions, the log's envelope),
/// hand-written readers stay.
public struct Columns<Record: WireRecord>: Sendable {
    private struct One: Sendable {
        let field: String
        /// Where the field stands in the record's list.
        let place: Int
        let name: String
        /// The same name as statements know it again.
        let column: Column
        let kind: Kind
        let isRequired: Bool
    }

    private let all: [One]

    /// Columns for all fields.
    ///
    /// - Parameters:
    ///   - called: columns with another name than their field's, by the field's name.
    ///   - elsewhere: fields that are in no column of the table: lists, and fields that depend on the viewer.
    public init(called: [String: String] = [:], elsewhere: Set<String> = []) {
        let fields = Record.fields.list
        let known = Set(fields.map(\.name))
        precondition(known.isSuperset(of: elsewhere) && known.isSuperset(of: called.keys), "a field that is not there")
        all = fields.enumerated().filter { !elsewhere.contains($1.name) }.map { place, field in
            guard let kind = Kind(field.shape) else { preconditionFailure("\(field.name) fits in no column") }
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

    /// The values to bind, in the order of ``names``.
    public func values(of record: Record) -> [Value] {
        let fields = Record.fields
        return all.map { $0.kind.value(of: fields.part($0.place, of: record)) }
    }

    // MARK: Rows

    /// The value in a row; `others` are the fields that are stored elsewhere. Throws ``StoreFailure/corrupt(_:)`` where
    /// a required field is missing or of the wrong kind.
    public func read(_ row: borrowing Row, _ others: [String: JSON] = [:]) throws(StoreFailure) -> Record {
        var json = JSON.Object()
        for one in all {
            guard one.isRequired || !row.isNull(one.column) else { continue }
            let value = one.kind.read(row, one.column)
            // A required field that cannot be read fails below; an optional one would be left out.
            if !one.isRequired, case .word(let words) = one.kind, !words.contains(value.string ?? "") {
                throw .corrupt("the column \(one.name) holds an unknown word, not one of its own")
            }
            json[one.field] = value
        }
        for (field, value) in others { json[field] = value }
        guard let record = Record(.object(json)) else {
            throw .corrupt("a row does not hold a \(Record.self)")
        }
        return record
    }
}

/// How a field is stored.
private enum Kind: Sendable {
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

    func value(of json: JSON?) -> Value {
        guard let json else { return .null }
        return switch self {
        case .id: Value(json.identifier)
        case .time: Value(json.instant)
        case .bool: Value(json.bool)
        case .integer: Value(json.int)
        case .number: Value(json.double)
        case .text, .word: Value(json.string)
        }
    }

    func read(_ row: borrowing Row, _ column: Column) -> JSON {
        switch self {
        case .id: .id(row.identifier(column))
        case .time: .time(row.instant(column))
        case .bool: .bool(row.bool(column))
        case .integer: .int(row.int(column))
        case .number: .double(row.double(column))
        case .text, .word: .string(row.text(column))
        }
    }
}
