import KinFuzz
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// What fuzzing found worth keeping is tried again with every test run. One target after the other: they share a family.
@Suite(.serialized) struct CorpusTests {
    private static let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/")

    private static func files(of target: FuzzTarget) -> [String] {
        let path = "\(folder)/Corpus/\(target.name)"
        guard let entries = opendir(path) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append("\(path)/\(name)") }
        }
        return names.sorted()
    }

    private static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte >= 0 { bytes.append(UInt8(byte)) }
        return bytes
    }

    @Test(arguments: FuzzTarget.all) func `the corpus brings nothing to light`(target: FuzzTarget) {
        let files = Self.files(of: target)
        #expect(files.count >= 5, "\(target.name) has a corpus")
        for file in files { target.run(Self.bytes(file)) }
    }

    @Test(arguments: FuzzTarget.all) func `nothing at all is an input too`(target: FuzzTarget) {
        target.run([])
    }
}
