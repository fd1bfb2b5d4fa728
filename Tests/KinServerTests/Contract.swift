import Glibc

@testable import KinServerBox

/// What clients were promised: a line each.
///
/// - `place.add {name, note?} | POST /api/places | ..mha. | place.added`: a method with its parameters (`?`: may be left
///   out), its address, who (n nobody, g guest, m member, h head, a admin, x the machine), its events.
/// - `words place.add kind home|place`: the words that a parameter takes.
/// - `event place.added place`: a type of event, with what is always in its data.
/// - `latest position`: of such events only the latest is told.
/// - `hides place.hidden`: the event takes something out of sight.
/// - `cursor place.list`: the list answers the cursor at which it is true.
/// - `told place.added 1 {"place":…}`: an example for what people are told, by whom (`KinClientTests` read it).
struct Contract {
    private(set) var methods: [String] = []
    private(set) var words: [(method: String, parameter: String, words: String)] = []
    private(set) var events: [(name: String, data: String)] = []
    private(set) var latest: Set<String> = []
    private(set) var hiding: Set<String> = []
    private(set) var cursors: Set<String> = []

    /// Of the areas: `contract.txt` in the folder of each in `Tests/Areas`.
    static let areas: [Contract] = {
        let folder = Documentation.tree + "/Tests/Areas"
        return names(in: folder).map { Contract(text(of: folder + "/" + $0 + "/contract.txt")) }
    }()

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ").map { String($0) }
            switch parts[0] {
            case "words": words.append((parts[1], parts[2], parts[3]))
            case "event": events.append((parts[1], parts.dropFirst(2).joined(separator: " ")))
            case "latest": latest.insert(parts[1])
            case "hides": hiding.insert(parts[1])
            case "cursor": cursors.insert(parts[1])
            case "told": continue
            default: methods.append(String(line))
            }
        }
    }

    mutating func add(_ other: Contract) {
        methods += other.methods
        words += other.words
        events += other.events
        latest.formUnion(other.latest)
        hiding.formUnion(other.hiding)
        cursors.formUnion(other.cursors)
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
