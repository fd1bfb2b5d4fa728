import Glibc
import KinCodec
import KinLoop
import Testing

@testable import KinServer
@testable import KinServerBox

/// `kin` for other machines: what a package put into a folder, as laptops fetch it and as the page offers it.
@Suite struct ClientDoorTests {
    private final class Folder {
        let path: String

        init() throws {
            var template = Array("/tmp/kinclient.XXXXXX".utf8CString)
            path = try #require(mkdtemp(&template).map { String(cString: $0) })
        }

        deinit {
            for name in KinLoop.Files.names(in: path) { unlink(path + "/" + name) }
            unlink(path + "/.hidden")
            rmdir(path + "/folder")
            rmdir(path)
        }

        func put(_ name: String, _ bytes: [UInt8]) throws {
            try KinLoop.Files.write(bytes, to: "\(path)/\(name)", mode: 0o644, isDurable: false)
        }
    }

    private static let archive = "kin_amd64.tar.gz"
    private let folder: Folder
    private let box: Box
    /// Longer than two pieces, and no piece is equal to another.
    private let content: [UInt8] = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0 >> 11) }

    init() throws {
        folder = try Folder()
        try folder.put(Self.archive, content)
        var setting = Box.Setting()
        setting.client = folder.path
        box = try Box.family(setting)
    }

    private func ask(_ line: String, _ headers: String...) throws -> BoxResponse {
        try box.connect().ask(line, headers)
    }

    @Test func `whoever is not signed in gets the whole file`() throws {
        try folder.put("kinwire-client_amd64.deb", [1, 2, 3])
        let shown = try ask("GET /kin/\(Self.archive)")
        #expect(shown.status == 200)
        #expect(shown.body == content)
        #expect(shown["Content-Type"] == "application/gzip")
        #expect(shown["Content-Length"] == "400000")
        #expect(shown["Content-Disposition"] == "attachment; filename=\"kin_amd64.tar.gz\"")
        #expect(shown["X-Content-Type-Options"] == "nosniff")
        #expect(shown["Accept-Ranges"] == "bytes")
        let package = try ask("GET /kin/kinwire-client_amd64.deb")
        #expect(package["Content-Type"] == "application/vnd.debian.binary-package")
        #expect(package.body == [1, 2, 3])
    }

    @Test func `a download goes on where it ended, and what one has is not sent again`() throws {
        let etag = try #require(try ask("GET /kin/\(Self.archive)")["ETag"])
        let rest = try ask("GET /kin/\(Self.archive)", "Range: bytes=150000-", "If-Range: \(etag)")
        #expect(rest.status == 206 && rest["Content-Range"] == "bytes 150000-399999/400000")
        #expect(rest.body == Array(content[150_000...]))
        #expect(try ask("GET /kin/\(Self.archive)", "If-None-Match: \(etag)").status == 304)
        #expect(try ask("GET /kin/\(Self.archive)", "Range: bytes=400000-").status == 416)
        // Another one takes its place, as long as the first.
        try folder.put(Self.archive, content.reversed())
        let anew = try ask("GET /kin/\(Self.archive)", "Range: bytes=150000-", "If-Range: \(etag)")
        #expect(anew.status == 200 && anew.body == content.reversed() && anew["ETag"] != etag)
    }

    @Test func `nothing is of two versions`() throws {
        let file = InstalledFile(path: "\(folder.path)/\(Self.archive)")
        let look = try #require(file.look())
        #expect(file.read(look.digest, from: 399_998, count: 9) == Array(content[399_998...]))
        try folder.put(Self.archive, content.reversed())
        #expect(file.read(look.digest, from: 0, count: 9) == nil)
    }

    @Test(arguments: [
        "..", ".hidden", "%2e%2e%2fetc%2fpasswd", "..%2F..%2Fetc%2Fpasswd", "a%00b", "folder", "link", "missing.deb",
        "", "a%20b", "-rf",
    ])
    func `nothing but plain files has an address`(name: String) throws {
        try folder.put(".hidden", [1])
        try folder.put("a b", [1])
        try folder.put("-rf", [1])
        mkdir(folder.path + "/folder", 0o755)
        symlink("/etc/passwd", folder.path + "/link")
        let shown = try ask("GET /kin/\(name)")
        #expect(shown.status == 404 || shown.status == 400, "\(shown.status)")
        #expect(shown["ETag"] == nil)
    }

    @Test func `without the package there is a sentence`() throws {
        let bare = try Box.family()
        let shown = try bare.connect().ask("GET /kin/\(Self.archive)", [])
        #expect(shown.status == 404)
        #expect(shown.text.contains("deploy/package"))
    }

    @Test func `what only asks for the head gets that`() throws {
        let shown = try box.connect().ask("HEAD /kin/\(Self.archive)", [])
        #expect(shown.status == 200 && shown.body.isEmpty && shown["Content-Length"] == "400000")
    }

    // MARK: The page

    private let cookie = "Cookie: __Host-kinwire=tok"

    @Test func `the page offers it with lines that believe the family's root alone`() throws {
        var walk = WebWalk.ada()
        walk.client = ["kin_amd64.tar.gz", "kinwire-client_amd64.deb"]
        walk.rootPEM = Array("-----BEGIN CERTIFICATE-----\nAAAA\nBB==\n-----END CERTIFICATE-----\n".utf8)
        var text = try walk.get("/phone", cookie).text
        for (written, meant) in [("&gt;", ">"), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.split(separator: written, omittingEmptySubsequences: false).joined(separator: meant)
        }
        #expect(text.contains("kin for this computer"))
        #expect(
            text.contains(
                "printf '%s\\n' '-----BEGIN CERTIFICATE-----' AAAA BB== '-----END CERTIFICATE-----' >kinwire-root.crt"))
        let fetch = "curl -fO --proto =https --cacert kinwire-root.crt --capath /dev/null https://kin.local:5469/kin/"
        let login = "kin login https://kin.local:5469#sha256=0f0f"
        #expect(
            text.contains(
                fetch + "kinwire-client_amd64.deb && sudo apt install ./kinwire-client_amd64.deb && " + login))
        #expect(text.contains(fetch + "kin_amd64.tar.gz && tar -xzf kin_amd64.tar.gz && ./kin_amd64/" + login))
        #expect(!text.contains("curl -k") && !text.contains("insecure"))
        #expect(try walk.get("/phone", cookie, "Accept-Language: de").text.contains("kin für diesen Rechner"))
    }

    @Test func `the page offers what is there`() throws {
        #expect(try !WebWalk.ada().get("/phone", cookie).text.contains("curl"))
        var walk = WebWalk.ada()
        walk.rootSHA256 = nil
        walk.client = ["kin_amd64.tar.gz"]
        let text = try walk.get("/phone", cookie).text
        #expect(text.contains("curl -fO --proto =https https://kin.local:5469/kin/kin_amd64.tar.gz"))
        #expect(!text.contains("cacert") && !text.contains(".deb") && !text.contains("kinwire-root.crt"))
    }
}
