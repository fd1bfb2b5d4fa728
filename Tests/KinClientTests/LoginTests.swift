import Glibc
import KinClient
import KinModel
import Testing

@Suite struct LoginTests {
    @Test func `a sign-in is kept for its user alone, and read again as it was`() throws {
        var template = Array("/tmp/kin-login-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = "\(folder)/a/kinwire/login.json"
        #expect(try Login.saved(at: path) == nil)
        #expect(try Login.saved(at: nil) == nil)
        let login = Login(
            address: try Address("https://kin.local:5469"), pin: Fingerprint(bytes: [UInt8](repeating: 1, count: 32)),
            token: "secret", username: "ada")
        try login.save(at: path)
        #expect(try Login.saved(at: path) == login)
        #expect(login.trust == .pinned(try #require(login.pin)))
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)

        chmod(path, 0o644)
        #expect {
            try Login.saved(at: path)
        } throws: { error in
            (error as? ClientFailure)?.sentence.contains("chmod 600") == true
        }
        chmod(path, 0o600)
        let file = open(path, O_WRONLY | O_TRUNC)
        #expect(write(file, "{", 1) == 1)
        close(file)
        #expect {
            try Login.saved(at: path)
        } throws: { error in
            (error as? ClientFailure)?.sentence.contains("damaged") == true
        }
        try Login.forget(at: path)
        #expect(try Login.saved(at: path) == nil)
        for made in ["\(folder)/a/kinwire", "\(folder)/a", folder] { rmdir(made) }
    }

    @Test func `a device remembers what it is known by for each family and member, after signing out too`() throws {
        var template = Array("/tmp/kin-login-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = "\(folder)/kinwire/known-device.json"
        let (home, other) = (try Address("https://kin.local:5469"), try Address("https://oak.local:5469"))
        #expect(KnownDevice.secret(of: "ada", at: home, in: path) == nil)
        try KnownDevice.keep("one", of: "ada", at: home, in: path)
        try KnownDevice.keep("two", of: "ben", at: home, in: path)
        try KnownDevice.keep("three", of: "ada", at: home, in: path)
        #expect(KnownDevice.secret(of: "ada", at: home, in: path) == "three")
        #expect(KnownDevice.secret(of: "ben", at: home, in: path) == "two")
        #expect(KnownDevice.secret(of: "ada", at: other, in: path) == nil)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        // Of many families the oldest goes.
        for number in 0..<8 {
            try KnownDevice.keep("x", of: "ada", at: try Address("https://h\(number).local:5469"), in: path)
        }
        #expect(KnownDevice.secret(of: "ada", at: home, in: path) == nil)
        // What others may read, or nobody can, is none: the sign-in goes on.
        chmod(path, 0o644)
        #expect(KnownDevice.secret(of: "ada", at: try Address("https://h7.local:5469"), in: path) == nil)
        unlink(path)
        for made in ["\(folder)/kinwire", folder] { rmdir(made) }
    }

    @Test func `a pin that was changed into nonsense is no sign-in without a pin`() {
        #expect(Login(["url": "https://h:1", "token": "t", "username": "u"])?.pin == nil)
        #expect(Login(["url": "https://h:1", "token": "t", "username": "u", "rootSHA256": "zz"]) == nil)
        #expect(Login(["url": "nonsense://", "token": "t", "username": "u"]) == nil)
    }
}
