/// A column of a row: by its name in the result (the column's own, or the one given with `AS`), or by its place, from
/// 0. A single column is read as 0. With two or more columns each is named, so that inserting one shifts none.
///
/// A name is looked up once for each prepared statement. The statement then knows it again by where it stands in the
/// program, without a look at its letters.
public struct Column: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, Sendable {
    /// A name that is made while the program runs. It is known again as this object, so it is made once and kept.
    final class Name: Sendable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    enum Reference: Sendable {
        /// A name written in the source: an address that stays.
        case literal(StaticString)
        case named(Name)
        case at(Int32)
    }

    let reference: Reference

    /// A name written in the source.
    public init(stringLiteral name: StaticString) { reference = .literal(name) }
    /// A place written in the source.
    public init(integerLiteral place: Int32) { reference = .at(place) }

    private init(_ name: Name) { reference = .named(name) }

    /// By a name that is made while the program runs. For many rows, the column is made once and kept.
    public static func named(_ name: String) -> Column { Column(Name(name)) }

    /// The name; `nil` for a place.
    var name: String? {
        switch reference {
        case .literal(let name): name.description
        case .named(let name): name.text
        case .at: nil
        }
    }

    /// Whether the other is the same name at the same address. Equal names at two addresses are not, which costs a second
    /// look-up and nothing else.
    func isSameName(as other: Column) -> Bool {
        switch (reference, other.reference) {
        case (.literal(let one), .literal(let two)):
            // A name of one letter may be kept as that letter.
            guard one.hasPointerRepresentation, two.hasPointerRepresentation else {
                return one.description == two.description
            }
            // Both: the linker may let a short name begin at the address of a longer one.
            guard one.utf8CodeUnitCount == two.utf8CodeUnitCount else { return false }
            return unsafe one.utf8Start == two.utf8Start
        case (.named(let one), .named(let two)): return one === two
        default: return false
        }
    }
}
