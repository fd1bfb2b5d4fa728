/// Which column of a row: by its name in the result (the column's own, or the one given with `AS`), or by its place,
/// from 0. One column alone is read as 0; of three and more each is named, so that a column put between them moves none.
public enum Column: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// By its name.
    case named(String)
    /// By its place, from 0.
    case at(Int32)

    /// A name written in the source.
    public init(stringLiteral name: String) { self = .named(name) }
    /// A place written in the source.
    public init(integerLiteral place: Int32) { self = .at(place) }
}
