import Testing

@testable import KinStore

@Suite struct SideTests {
    @Test func `a side file is made once, read after that, and half of one is none`() throws {
        let folder = Folder()
        let store = try Store(directory: folder.path + "/data", migrations: Family.area, now: Family.start)
        let source = store.source
        var made = 0
        try store.files.system.touch(folder.path + "/data/side-before.db")
        func count() throws -> Int64? {
            let side = try source.side("side.db", insteadOf: "side-before.db") { (database) throws(StoreFailure) in
                made += 1
                try database.run("CREATE TABLE things (name TEXT) STRICT")
                try database.run("INSERT INTO things (name) VALUES ('one')")
                if made == 1 { throw .corrupt("the lights went out") }
            }
            return try side.first("SELECT count(*) FROM things") { row in row.int(0) }
        }
        #expect(throws: StoreFailure.self) { try count() }
        #expect(store.files.system.exists(folder.path + "/data/side-before.db"))
        #expect(try count() == 1)
        #expect(try count() == 1)
        #expect(made == 2)
        let names = try store.files.system.list(folder.path + "/data")
        #expect(names.filter { $0.hasPrefix("side") } == ["side.db"])
    }
}
