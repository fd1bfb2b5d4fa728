import Glibc
import KinTLS

@testable import KinServerBox

/// Certificates of authorities made for a test.
enum TLSFixture {
    /// A context of an authority that nobody has seen before.
    static func renewed() throws -> TLSContext {
        var template = Array("/tmp/kinbox.XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else { throw TLSFailure.file("no folder") }
        defer { remove(folder) }
        let authority = try LocalAuthority.open(
            directory: folder, names: ["box.local"], addresses: [], now: Int64(time(nil)) * 1000)
        return try TLSContext(serverChainPEM: authority.chainPEM, keyPEM: authority.keyPEM)
    }

    private static func remove(_ folder: String) {
        if let entries = opendir(folder) {
            while let entry = readdir(entries) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink(folder + "/" + name)
            }
            closedir(entries)
        }
        rmdir(folder)
    }
}
