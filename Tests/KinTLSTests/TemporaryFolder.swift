import Glibc

/// A folder that goes with its last reference.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/kintls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("a temporary folder can be made") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    var names: [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix(while: { $0 != 0 }), as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func read(_ name: String) -> [UInt8] {
        guard let file = fopen(path + "/" + name, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    func write(_ name: String, _ bytes: [UInt8]) {
        unlink(path + "/" + name)
        guard let file = fopen(path + "/" + name, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat(path + "/" + name, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
