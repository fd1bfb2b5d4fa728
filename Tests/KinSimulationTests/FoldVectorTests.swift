import Glibc
import KinCodec
import KinFamily
import KinKeeper
import KinModel
import KinSimulation
import Testing

@testable import KinKeeper

/// The files that any client's fold can be held against: recorded from families in a box, and true of our own fold.
@Suite(.serialized) struct FoldVectorTests {
    /// A file beside these tests.
    struct File {
        private static let folder =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/Vectors"

        let name: String
        private var path: String { "\(Self.folder)/\(name).json" }

        /// The names of all that lie there.
        static var names: Set<String> {
            guard let folder = opendir(Self.folder) else { return [] }
            defer { closedir(folder) }
            var names: Set<String> = []
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name.hasSuffix(".json") { names.insert(String(name.dropLast(".json".count))) }
            }
            return names
        }

        var text: String {
            get throws {
                let file = try #require(fopen(path, "r"), "there is no \(path)")
                defer { fclose(file) }
                var bytes = [UInt8](repeating: 0, count: 1 << 20)
                return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
            }
        }

        /// The steps it has.
        var steps: [JSON] {
            get throws { try #require(try JSON.parse(Array(text.utf8))["steps"]?.array) }
        }

        func write(_ text: String) throws {
            let file = try #require(fopen(path, "w"))
            fputs(text, file)
            fclose(file)
        }
    }

    static let names = FoldStory.all.map(\.name)

    /// Swift's hash tables are laid out by address unless told otherwise; then a family in a box is another each time.
    @Test(.enabled(if: WorldTests.isRepeatable), arguments: FoldStory.all.indices)
    func `a vector is what its story brings about`(index: Int) throws {
        let story = FoldStory.all[index]
        let text = try story.recorded()
        if getenv("KINWIRE_WRITE_DOCS") != nil { try File(name: story.name).write(text) }
        let isSame = try File(name: story.name).text == text
        #expect(isSame, "Vectors/\(story.name).json is out of date; KINWIRE_WRITE_DOCS=1 writes it")
    }

    /// A file whose story is gone would go on being tested by those who write clients, and by nobody here.
    @Test func `each file has its story`() { #expect(File.names == Set(Self.names)) }

    /// What a client does with a stream: begins anew where it is told to, folds, and has what a fresh snapshot says.
    @Test(arguments: names) func `our fold makes of each stream what a fresh snapshot says`(name: String) throws {
        var snapshot = Snapshot()
        var compared = 0
        for (index, step) in try File(name: name).steps.enumerated() {
            if let begun = (step["answer"] ?? step["reset"])?["snapshot"], !begun.isNull {
                snapshot = try #require(Snapshot(begun))
            }
            if let event = step["event"] { snapshot.apply(try #require(Event(event))) }
            guard let fresh = step["snapshot"] else { continue }
            compared += 1
            #expect(snapshot == Snapshot(fresh), "step \(index) of \(name): \(snapshot.json.text)")
            #expect(snapshot.json == fresh, "step \(index) of \(name), written")
        }
        #expect(compared > 0)
    }

    /// Types of events that change a snapshot, as the vectors show it.
    private static func typesThatCount() throws -> Set<String> {
        var types: Set<String> = []
        for name in names where name != "unknown" {
            var snapshot = Snapshot()
            for step in try File(name: name).steps {
                if let begun = (step["answer"] ?? step["reset"])?["snapshot"], !begun.isNull {
                    snapshot = try #require(Snapshot(begun))
                }
                guard let event = step["event"].flatMap({ Event($0) }) else { continue }
                let before = snapshot
                snapshot.apply(event)
                if snapshot != before { types.insert(event.type) }
            }
        }
        return types
    }

    @Test func `the vectors have every type of event that changes a snapshot`() throws {
        // Those who follow a family are in it already.
        let types = try Self.typesThatCount().union(["family.founded"])
        #expect(types == Set(FoldPage.rules.filter { !$0.value.isEmpty }.keys))
    }

    @Test func `the page about folding has an entry for each type of event, and for no other`() throws {
        let types = Set(Registry.family.events.keys).subtracting([Registry.resetType])
        #expect(Set(FoldPage.rules.keys) == types)
    }

    @Test func `the page about folding names the fields that an event must have`() throws {
        for (type, fields) in FoldPage.rules where !fields.isEmpty {
            let declared = try #require(Registry.family.events[type])
            let wanted = Self.needed(declared.data).subtracting(["changed", "changes"])
            #expect(Set(fields) == wanted, "\(type)")
        }
    }

    private static func needed(_ shape: Shape) -> Set<String> {
        switch shape {
        case .named(_, let shape): needed(shape)
        case .either(let first, let second): needed(first).intersection(needed(second))
        case .object(let fields): Set(fields.filter(\.isRequired).map(\.name))
        default: []
        }
    }
}
