import KinModel
import Testing

@testable import KinStore

@Suite struct BackupTests {
    func family() throws -> (disk: FaultVFS, store: Store, blob: String) {
        let disk = Family.disk()
        let store = try Family.store(disk)
        let blob = try store.blobs.put(Array(repeating: 9, count: 3_000))
        try store.turn { store throws(StoreFailure) in
            try store.append("kept")
            try store.database.run("INSERT INTO notes (text, picture) VALUES ('a', ?)", .text(blob))
        }
        return (disk, store, blob)
    }

    @Test func `A backup made while a turn is open holds what was committed, and unpacks to it`() throws {
        let (disk, store, blob) = try family()
        try store.beginTurn()
        try store.append("not yet")
        let written = try Backup.write(store.source, blobs: store.blobs, to: "/backup.tar", now: Family.start)
        try store.commitTurn()
        #expect(written.position == 1 && written.migration == 1 && written.blobs == 1 && written.at == Family.start)

        #expect(try Backup.verify("/backup.tar", scratch: "/scratch", files: .memory(disk)).position == 1)
        #expect(disk.paths.filter { $0.hasPrefix("/scratch") || $0.hasPrefix("/backup.tar.") } == [])

        let summary = try Backup.extract("/backup.tar", into: "/restored", files: .memory(disk))
        #expect(summary.at == Family.start && summary.blobs == 1)
        let restored = try Family.store(disk, directory: "/restored")
        #expect(try restored.seen().map(\.text) == ["kept"])
        #expect(try restored.blobs.get(blob) == Array(repeating: 9, count: 3_000))
        #expect(try Integrity.check(restored.database) == [])
    }

    @Test func `A backup with any one byte of a part changed, or cut anywhere, is refused and leaves nothing`() throws {
        let (disk, store, _) = try family()
        try Backup.write(store.source, blobs: store.blobs, to: "/backup.tar", now: Family.start)
        let whole = try #require(disk.bytes("/backup.tar"))
        for place in stride(from: 0, to: whole.count - 1_024, by: 1_511) {
            var changed = whole
            changed[place] ^= 0x55
            disk.place("/changed.tar", changed)
            // Padding after a part and unused bytes of a header may differ without harm; what counts is what comes out.
            if (try? Backup.extract("/changed.tar", into: "/out", files: .memory(disk))) == nil {
                #expect(disk.paths.filter { $0.hasPrefix("/out/") } == [])
            } else {
                #expect(disk.bytes("/out/kinwire.db") == disk.bytes("/out/kinwire.db"))
                for path in disk.paths.filter({ $0.hasPrefix("/out/") }) { try disk.remove(path) }
            }
            disk.place("/cut.tar", Array(whole.prefix(place)))
            // It says that the end is missing, and not that the database is damaged.
            #expect(throws: StoreFailure.backupCutOff) {
                try Backup.extract("/cut.tar", into: "/cut", files: .memory(disk))
            }
        }
    }

    @Test func `A changed byte in the database of a backup is found`() throws {
        let (disk, store, _) = try family()
        try Backup.write(store.source, blobs: store.blobs, to: "/backup.tar", now: Family.start)
        var bytes = try #require(disk.bytes("/backup.tar"))
        let start = try #require(bytes.firstRange(of: Array("SQLite format 3".utf8))).lowerBound
        bytes[start + 5_000] ^= 1
        disk.place("/backup.tar", bytes)
        #expect(throws: StoreFailure.badBackup("its part 2 does not match its sum")) {
            try Backup.extract("/backup.tar", into: "/out", files: .memory(disk))
        }
    }

    @Test func `A part whose name leads elsewhere is refused`() throws {
        let disk = Family.disk()
        for name in ["../evil", "/etc/passwd", "blobs/../../x", "kinwire.db-wal", "blobs/short"] {
            disk.place("/evil.tar", Tar.header(name, size: 0, seconds: 0) + [UInt8](repeating: 0, count: 1_024))
            #expect(throws: StoreFailure.badBackup("it holds something that does not belong there")) {
                try Backup.extract("/evil.tar", into: "/out", files: .memory(disk))
            }
        }
    }

    @Test func `A full disk leaves the backup before as it was`() throws {
        let (disk, store, _) = try family()
        try Backup.write(store.source, blobs: store.blobs, to: "/backup.tar", now: Family.start)
        let before = disk.bytes("/backup.tar")
        let operations = disk.operationCount
        try Backup.write(store.source, blobs: store.blobs, to: "/other.tar", now: Family.start)
        let count = disk.operationCount - operations
        for n in 1...count {
            disk.failAt(n, nil, n.isMultiple(of: 2) ? .full : .ioError)
            if (try? Backup.write(store.source, blobs: store.blobs, to: "/backup.tar", now: Family.start)) == nil {
                let now = disk.bytes("/backup.tar")
                #expect(now == before || n == count, "operation \(n)")
            }
            disk.heal()
        }
        #expect(try Backup.verify("/backup.tar", scratch: "/scratch", files: .memory(disk)).position == 1)
    }

    @Test func `Nothing is removed while a backup reads, and it is afterwards`() throws {
        let (_, store, blob) = try family()
        store.blobs.holds.begin()
        try store.turn { store throws(StoreFailure) in
            try store.database.run("DELETE FROM notes")
            store.removeAfterCommit(blob: blob)
        }
        #expect(try store.blobs.get(blob) != nil)
        store.blobs.holds.end()
        store.afterTurn(idle: true, now: Family.start)
        #expect(try store.blobs.get(blob) == nil)
    }

    @Test func `Any tar and sha256sum can open a backup`() throws {
        let folder = Folder()
        let store = try Store(directory: folder.path + "/data", migrations: Family.area, now: Family.start)
        _ = try store.blobs.put([1, 2, 3])
        let path = folder.path + "/backup.tar"
        try Backup.write(store.source, blobs: store.blobs, to: path, now: Family.start)
        let bytes = try DiskFiles().read(path, offset: 0, count: try DiskFiles().size(path))
        #expect(bytes.count % 512 == 0 && Array(bytes[257..<262]) == Array("ustar".utf8))
        #expect(try Backup.verify(path, scratch: folder.path + "/scratch").blobs == 1)
        #expect(!DiskFiles().exists(folder.path + "/scratch"))
    }
}

extension BackupTests {
    @Test func `A backup is put into an empty folder only, and the sentence says what to do`() throws {
        let (disk, store, _) = try family()
        try Backup.write(store.source, blobs: store.blobs, to: "/backup.tar", now: Family.start)
        disk.place("/there/something", [1])
        #expect(throws: StoreFailure.notEmpty(path: "/there")) {
            try Backup.extract("/backup.tar", into: "/there", files: .memory(disk))
        }
        #expect(disk.bytes("/there/something") == [1])
        let sentence = StoreFailure.notEmpty(path: "/there").sentence
        #expect(sentence.contains("/there is not empty") && !sentence.contains("kinwired"))
    }

    @Test(arguments: [true, false])
    func `Backups made while turns commit are whole, and each is of one moment`(onDisk: Bool) async throws {
        let folder = Folder()
        let files = onDisk ? Files.disk : .memory(Family.disk())
        let store = try Store(
            directory: folder.path + "/data", migrations: Family.area, now: Family.start, files: files)
        let (source, blobs, path) = (store.source, store.blobs, folder.path + "/backup")
        let backups = Task.detached {
            var made: [BackupSummary] = []
            for number in 0..<6 {
                let archive = "\(path)-\(number).tar"
                made.append(try Backup.write(source, blobs: blobs, to: archive, now: Family.start))
            }
            return made
        }
        // Each turn adds one row to the log and one note; each note names a picture.
        for number in 0..<120 {
            let picture = try store.blobs.put([UInt8(number), 1, 2, 3])
            try store.turn { store throws(StoreFailure) in
                try store.append(about: "note/\(number)")
                try store.database.run(
                    "INSERT INTO notes (text, picture) VALUES (?, ?)", .text(String(repeating: "x", count: 9_000)),
                    .text(picture))
            }
            store.afterTurn(idle: true, now: Family.start)
        }
        let made = try await backups.value
        #expect(made.count == 6)
        for (number, summary) in made.enumerated() {
            let directory = "\(path)-\(number)"
            try Backup.extract(directory + ".tar", into: directory, files: files)
            let restored = try Store(directory: directory, migrations: Family.area, now: Family.start, files: files)
            let pictures = try restored.database.rows("SELECT picture FROM notes") { $0.text(0) }
            #expect(Int64(pictures.count) == summary.position)
            #expect(try Log.position(restored.database) == summary.position)
            #expect(try Integrity.check(restored.database) == [])
            for picture in pictures { #expect(try restored.blobs.get(picture) != nil) }
        }
        #expect(zip(made, made.dropFirst()).allSatisfy { $0.position <= $1.position })
    }
}
