package import KinModel
package import KinStore

/// A desk with a reading connection and nothing else, for code that does a reader's work on another thread, such as a
/// simulation.
package struct ReadingDesk: StoreDesk {
    package let database: Database

    package init(_ database: Database) { self.database = database }

    package func desk(
        _ name: String, open: (ReaderSource) throws(StoreFailure) -> Database
    ) throws(StoreFailure) -> Database { throw StoreFailure.gone(path: "the desk") }

    package func backUp(as name: String, at: Instant) throws(StoreFailure) -> (path: String, bytes: Int64) {
        throw StoreFailure.gone(path: "the desk")
    }

    package func renew() {}
    package func reopen(_ name: String) {}
    package func problems() throws(StoreFailure) -> [String] { [] }
}
