import Glibc
import KinLoop
import KinModel
import KinStore

/// Installs and removes tiles of a region for the family's map. Any user who may write the data directory can do so,
/// while the daemon runs or not.
public enum MapInstall {
    /// The most bytes that a name has, without its ending.
    private static let nameBytesMax = 60

    /// Checks a file of tiles and puts a copy of it in place, whole or not at all. Answers what to tell the person.
    public static func add(
        _ path: String, as name: String?, to directory: String
    ) throws(Daemon.StartFailure) -> String {
        let tiles = MBTiles(path: path)
        let look: MBTiles.Look
        do throws(MBTiles.NoMap) { look = try tiles.look() } catch {
            throw Daemon.StartFailure(sentence: error.sentence)
        }
        let name = try checked(name ?? Self.name(of: path))
        let folder = directory + "/maps"
        guard Files.isDirectory(directory) else {
            throw Daemon.StartFailure(sentence: "\(directory) is no data directory: name the daemon's with --data.")
        }
        do throws(LoopFailure) {
            try Files.makeDirectory(folder, mode: 0o700)
            let owner = Files.owner(of: directory)
            if let owner { try Files.give(folder, to: owner) }
            try Files.copy(path, to: "\(folder)/\(name).mbtiles", mode: 0o600, owner: owner)
        } catch { throw Daemon.StartFailure(sentence: error.sentence) }
        let zooms = "zooms \(look.zooms.lowerBound) to \(look.zooms.upperBound)"
        return "The region “\(name)” is beneath the map: \(look.format.rawValue) tiles, \(zooms)."
    }

    /// Takes a region away.
    public static func remove(_ name: String, from directory: String) throws(Daemon.StartFailure) -> String {
        let name = try checked(name)
        let path = "\(directory)/maps/\(name).mbtiles"
        guard Files.exists(path) else {
            throw Daemon.StartFailure(sentence: "There is no region “\(name)”. There are: \(names(in: directory)).")
        }
        do throws(LoopFailure) { try Files.remove(path) } catch { throw Daemon.StartFailure(sentence: error.sentence) }
        return "The region “\(name)” is gone."
    }

    /// A line for each region: its name, and how large it is.
    public static func list(_ directory: String) -> String {
        let files = Files.names(in: directory + "/maps").filter { $0.hasSuffix(".mbtiles") }
        guard !files.isEmpty else { return "There is no region beneath the map." }
        return files.map { file in
            let bytes = Files.size(of: "\(directory)/maps/\(file)") ?? 0
            return "\(file.dropLast(".mbtiles".count))  \(max(1, bytes >> 20)) MB"
        }.joined(separator: "\n")
    }

    private static func names(in directory: String) -> String {
        let all = Files.names(in: directory + "/maps").filter { $0.hasSuffix(".mbtiles") }.map { $0.dropLast(8) }
        return all.isEmpty ? "none" : all.joined(separator: ", ")
    }

    /// What a file is called, without its folder and ending.
    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? ""
        return file.hasSuffix(".mbtiles") ? String(file.dropLast(".mbtiles".count)) : file
    }

    private static func checked(_ name: String) throws(Daemon.StartFailure) -> String {
        let isGood =
            !name.isEmpty && name.utf8.count <= nameBytesMax && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        guard isGood else {
            throw Daemon.StartFailure(
                sentence: "A region's name has 1 to \(nameBytesMax) bytes, no blanks and no “/”: “\(name)” does not.")
        }
        return name
    }
}
