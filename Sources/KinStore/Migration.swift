/// One step forward of the schema. There is no step back: a copy of the file as it was is put aside first.
public struct Migration: Sendable {
    /// From 1 up, without gaps; never reused once shipped. (0 is the store's own tables.)
    public let number: Int
    /// A few words for the table of migrations.
    public let name: String
    /// One statement or several, separated by semicolons.
    public let sql: String
    /// What SQL alone cannot do; runs after `sql`, in the same transaction.
    public let step: (@Sendable (Database) throws(StoreFailure) -> Void)?

    /// A step forward.
    public init(
        number: Int, name: String, sql: String, step: (@Sendable (Database) throws(StoreFailure) -> Void)? = nil
    ) {
        self.number = number
        self.name = name
        self.sql = sql
        self.step = step
    }
}
