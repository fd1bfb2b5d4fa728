/// A column of a row: by its name in the result (the column's own, or the one given with `AS`), or by its place, from
/// 0. A single column is read as 0. With three or more columns each is named, so that inserting one shifts none.
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
