import Glibc
import KinLoop

/// Hours of mixed load with floods and restarts, and the growth meanwhile. The daemon rests between two rounds, so that only
/// lasting memory is measured, and none of requests under way.
enum Soak {
    /// What is looked at after a minute.
    private struct Look {
        let minute: Int
        let resident: Int
        let descriptors: Int
        let threads: Int
        let database: Int
        let wal: Int
        let pictures: Int
        let all: Int

        init(_ house: House, minute: Int) {
            self.minute = minute
            house.child.drain()
            resident = house.child.number("VmRSS", in: "status")
            threads = house.child.number("Threads", in: "status")
            descriptors = Folder.entries("/proc/\(house.child.process)/fd").count
            database = KinLoop.Files.size(of: house.directory + "/kinwire.db") ?? 0
            wal = KinLoop.Files.size(of: house.directory + "/kinwire.db-wal") ?? 0
            pictures = Folder.bytes(house.directory + "/blobs")
            all = Folder.bytes(house.directory)
        }

        static let heading = "minute  resident kB  descriptors  threads  database kB  WAL kB  pictures kB  folder kB"

        var line: String {
            zip(
                [minute, resident, descriptors, threads, database >> 10, wal >> 10, pictures >> 10, all >> 10],
                [6, 13, 13, 9, 13, 8, 13, 11]
            ).map { value, width in
                let text = "\(value)"
                return String(repeating: " ", count: max(1, width - text.count)) + text
            }.joined()
        }
    }

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        var house = try House(place.path + "/data", options)
        try house.found()
        var load = try MixedLoad(house)
        let minutes = options.minutes
        let began = Clock.microseconds
        var looks: [Look] = []
        var floods: Burst.Statuses = [:]
        var restarts = 0
        tell(Look.heading)
        for minute in 1...minutes {
            try load.announce(5)
            let cursor = try load.cursor()
            try load.announce(20)
            try load.visit(20)
            try load.comeBack(3, since: cursor)
            _ = load.signIns(4)
            _ = load.pictures(1)
            _ = load.exports(2)
            try load.tidyUp()
            if minute % 3 == 0 {
                for part in [load.flood(300), load.signIns(24), load.pictures(4)] {
                    floods.merge(part, uniquingKeysWith: +)
                }
                try load.tidyUp()
            }
            if minute % 5 == 0 {
                // In turns politely and without a goodbye.
                if restarts % 2 == 1 { kill(house.child.process, SIGKILL) } else { house.child.end() }
                house = try House(place.path + "/data", options)
                load = try MixedLoad(house)
                restarts += 1
            }
            // The rest of the minute is rest.
            let left = Double(minute) * 60e6 - (Clock.microseconds - began)
            if left > 0 { usleep(UInt32(left)) }
            looks.append(Look(house, minute: minute))
            tell(looks[looks.count - 1].line)
        }
        return judge(looks, restarts, floods)
    }

    /// A line that is there at once, wherever it goes.
    private static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }

    /// The first quarter's middle beside the last one's.
    private static func judge(_ looks: [Look], _ restarts: Int, _ floods: Burst.Statuses) -> Report {
        var report = Report("soak, \(looks.count) minutes, \(restarts) restarts")
        report.add("answers to floods", Storm.told(floods))
        let quarter = max(1, looks.count / 4)
        func middle(_ looks: ArraySlice<Look>, _ value: (Look) -> Int) -> Double {
            looks.map { Double(value($0)) }.median
        }
        for (name, value) in [
            ("resident, kB", \Look.resident), ("descriptors", \.descriptors), ("threads", \.threads),
            ("database, bytes", \.database), ("WAL, bytes", \.wal), ("pictures, bytes", \.pictures),
            ("folder, bytes", \.all),
        ] {
            let first = middle(looks.prefix(quarter)) { $0[keyPath: value] }
            let last = middle(looks.suffix(quarter)) { $0[keyPath: value] }
            let most = looks.map { $0[keyPath: value] }.max() ?? 0
            report.add(
                name, "\(Int(last))", floor: "first quarter \(Int(first)), most \(most)",
                verdict: first > 0 ? "\((last / first).rounded(2)) x" : "")
        }
        return report
    }
}

/// What lies in a folder.
enum Folder {
    static func entries(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Bytes of all files in it and below.
    static func bytes(_ path: String) -> Int {
        entries(path).reduce(0) { sum, name in
            let child = path + "/" + name
            return sum + (KinLoop.Files.isDirectory(child) ? bytes(child) : KinLoop.Files.size(of: child) ?? 0)
        }
    }
}
