import Glibc
import KinLoop
import KinModel
import KinWords

/// The work folder in which an extract of OpenStreetMap becomes tiles. It lies beside the file, because a system's
/// folder for temporary files may be in memory, and it is removed at the end.
struct Kitchen {
    private let folder: String

    /// The number of times that references are checked at most: an object that was dropped may be referenced by another
    /// one.
    private static let roundsMax = 8

    init(beside path: String) throws(Problem) {
        let base = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        for place in [base.isEmpty ? "/" : base, Machine.environment("TMPDIR") ?? "/var/tmp"] {
            var template = Array("\(place)/kin-map-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return
        }
        throw .failed(phrase("backup.no-temporary", ["folder": base]))
    }

    func clear() {
        for name in Files.names(in: folder) { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    /// Makes the tiles, and calls `began` with each step. Answers the path of the tiles.
    func tiles(of extract: String, began: (String) -> Void) throws(Problem) -> String {
        began(phrase("map.step-check"))
        let whole = try withoutBroken(extract)
        began(phrase("map.step-tiles"))
        for (name, content) in [
            ("process.lua", PackageResources.basemap_lua), ("config.json", PackageResources.basemap_json),
        ] {
            do throws(LoopFailure) {
                try Files.write(content, to: "\(folder)/\(name)", mode: 0o600, isDurable: false)
            } catch {
                throw .failed(error.sentence)
            }
        }
        let tiles = "\(folder)/tiles.mbtiles"
        let status = try Tool.run(
            "tilemaker",
            [
                "--input", whole, "--output", tiles, "--process", "\(folder)/process.lua", "--config",
                "\(folder)/config.json",
            ] + bounds(extract), .file("\(folder)/tilemaker.log"))
        guard status == 0, access(tiles, R_OK) == 0 else {
            throw .failed(phrase("map.no-tiles", ["reason": lastLine("tilemaker.log")]))
        }
        began(phrase("map.step-install"))
        return tiles
    }

    /// An extract that was cut out of a larger one has references to missing objects, at which tilemaker 2.2 stops.
    /// Objects with such references are dropped: ways at the edge, and relations that reach beyond it.
    private func withoutBroken(_ extract: String) throws(Problem) -> String {
        var current = extract
        if !extract.hasSuffix(".pbf") {
            // tilemaker reads this form only.
            current = "\(folder)/extract.osm.pbf"
            let status = try Tool.run(
                "osmium", ["cat", "--no-progress", "-o", current, extract], .file("\(folder)/osmium.log"))
            guard status == 0 else { throw .failed(phrase("map.unreadable", ["reason": lastLine("osmium.log")])) }
        }
        for round in 0..<Self.roundsMax {
            let list = "\(folder)/missing.txt"
            // The status is 1 if something is missing.
            let status = try Tool.run("osmium", ["check-refs", "-r", "-i", "--no-progress", current], .file(list))
            guard status <= 1 else { throw .failed(phrase("map.unreadable", ["reason": lastLine("missing.txt")])) }
            let broken = try Self.broken(in: list)
            guard !broken.isEmpty else { return current }
            let names = "\(folder)/broken.txt"
            do throws(LoopFailure) {
                try Files.write(
                    Array((broken.sorted().joined(separator: "\n") + "\n").utf8), to: names, mode: 0o600,
                    isDurable: false)
            } catch { throw .failed(error.sentence) }
            let next = "\(folder)/whole-\(round % 2).osm.pbf"
            let removed = try Tool.run(
                "osmium", ["removeid", "-O", "--no-progress", "-i", names, "-o", next, current],
                .file("\(folder)/osmium.log"))
            guard removed == 0 else { throw .failed(phrase("map.unreadable", ["reason": lastLine("osmium.log")])) }
            current = next
        }
        return current
    }

    /// The objects with references to missing ones: the `w12` of `n34 in w12`.
    static func broken(in list: String) throws(Problem) -> Set<String> {
        guard let file = fopen(list, "r") else {
            throw .failed(phrase("file.unreadable", ["path": list, "reason": ""]))
        }
        defer { fclose(file) }
        var broken: Set<String> = []
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, file) > 0, let line {
            let words = String(cString: line).split { $0 == " " || $0 == "\n" }
            guard words.count == 3, words[1] == "in", let kind = words[2].first, "nwr".contains(kind),
                words[2].dropFirst().allSatisfy(\.isNumber)
            else { continue }
            broken.insert(String(words[2]))
        }
        return broken
    }

    /// The extract's box, for tilemaker, where its head names none.
    private func bounds(_ extract: String) throws(Problem) -> [String] {
        func told(_ key: String) throws(Problem) -> String {
            let file = "\(folder)/bounds.txt"
            guard try Tool.run("osmium", ["fileinfo", "-e", "--no-progress", "-g", key, extract], .file(file)) == 0
            else {
                return ""
            }
            return lastLine("bounds.txt")
        }
        guard try told("header.boxes").isEmpty else { return [] }
        let box = try told("data.bbox").filter { $0 != "(" && $0 != ")" }
        return box.isEmpty ? [] : ["--bbox", box]
    }

    private func lastLine(_ name: String) -> String {
        guard let bytes = try? Files.read("\(folder)/\(name)", max: 64 << 20) else { return "" }
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
        return Plain.line(String(decoding: lines.last ?? [], as: UTF8.self))
    }
}
