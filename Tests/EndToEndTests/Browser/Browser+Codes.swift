import Glibc
import KinModel
import Testing

/// What a camera reads in the codes that pages show: the pixels of the screen are read, and not what they were drawn from.
extension Browser {
    /// Debian's `zbar-tools` reads them; `deploy/test` installs it where it can.
    static let readsCodes = access("/usr/bin/zbarimg", X_OK) == 0

    /// What the code says that an element shows; nothing where nobody is here to read it, and the test says so.
    func code(in selector: String, _ stage: Stage, _ location: SourceLocation = #_sourceLocation) throws -> String? {
        try wait("the code to be drawn", location) {
            try self.run("return document.querySelector(arguments[0])?.naturalWidth > 0", .string(selector)).bool
                == true
        }
        guard Self.readsCodes else {
            print("zbar-tools is not installed: the code in \(selector) is read by nobody.")
            return nil
        }
        let file = stage.folder + "/code.png"
        let stream = try #require(fopen(file, "w"), "\(file)")
        let picture = try picture(of: selector)
        #expect(fwrite(picture, 1, picture.count, stream) == picture.count, sourceLocation: location)
        fclose(stream)
        let reader = try stage.run(
            "/usr/bin/zbarimg", "--quiet", "--nodbus", "--raw", "-Sdisable", "-Sqrcode.enable", file, exits: nil,
            location)
        #expect(reader.status == 0, "a code is found\n\(reader.said)", sourceLocation: location)
        let text: String = try #require(reader.lines.first, sourceLocation: location)
        return text
    }
}
