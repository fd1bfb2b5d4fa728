import Testing

@testable import KinCodec

@Suite struct MultipartFormTests {
    let type = "multipart/form-data; boundary=\"--x y\""

    @Test func `fields and files are told apart, and content is left as it is`() throws {
        let form = try MultipartForm(
            body(
                "preamble¦----x y¦Content-Disposition: form-data; name=\"code\"¦¦¦a¦¦"
                    + "----x y  ¦content-disposition: form-data; name=picture; filename=\"C:\\%22me%22.png\"¦"
                    + "Content-Type: IMAGE/png; a=b¦¦\u{0}¦--¦----x¦----x y--¦epilogue"), contentType: type)
        #expect(form.parts.count == 2)
        #expect(form["code"]?.text == "\r\na\r\n")
        #expect(form["code"]?.fileName == nil)
        let picture = try #require(form["picture"])
        #expect(picture.fileName == "C:\\\"me\".png")
        #expect(picture.contentType == "image/png")
        #expect(picture.bytes == body("\u{0}¦--¦----x"))
        #expect(form["none"] == nil)
    }

    @Test func `an empty file is a part`() throws {
        let form = try MultipartForm(
            body("----x y¦Content-Disposition: form-data; name=a; filename=\"\"¦¦¦----x y--"), contentType: type)
        #expect(form["a"]?.bytes == [])
        #expect(form["a"]?.fileName == "")
    }

    @Test(arguments: [
        ("", 400), ("----x y", 400), ("----x y¦", 400), ("----x y¦¦a¦----x y--", 400), ("----x yz¦¦a¦----x y--", 400),
        ("----x y¦Content-Disposition: form-data¦¦a¦----x y--", 400),
        ("----x y¦Content-Disposition: attachment; name=a¦¦a¦----x y--", 400),
        ("----x y¦Content-Disposition: form-data; name=a¦a¦----x y--", 400),
        ("----x y¦Content-Disposition: form-data; name=a¦¦a", 400),
        ("----x y¦Content-Disposition : form-data; name=a¦¦a¦----x y--", 400),
        (String(repeating: "----x y¦Content-Disposition: form-data; name=a¦¦a¦", count: 33) + "----x y--", 413),
    ])
    func `what is no form is refused`(text: String, status: Int) {
        let failure = #expect(throws: HTTPFailure.self) { try MultipartForm(body(text), contentType: type) }
        #expect(failure?.status == status)
    }

    @Test func `the type must name a boundary`() {
        for (type, status) in [
            ("text/plain; boundary=x", 415), ("multipart/form-data", 400), ("multipart/form-data; boundary=\"\"", 400),
            ("multipart/form-data; boundary=" + String(repeating: "b", count: 71), 400), ("", 415),
        ] {
            let failure = #expect(throws: HTTPFailure.self) { try MultipartForm(body("--x--"), contentType: type) }
            #expect(failure?.status == status)
        }
    }

    @Test func `random bytes never trap`() {
        var random = Seeded(4)
        let parts = [
            "----x y", "¦", "--", "Content-Disposition: form-data; name=a", "; filename=\"b", "\"", "%22", ";", "=",
            ":",
        ].map(body)
        for _ in 0..<8_000 {
            var bytes: [UInt8] = []
            for _ in 0..<random.below(16) {
                bytes += random.below(8) == 0 ? random.bytes(2) : parts[random.below(parts.count)]
            }
            _ = try? MultipartForm(bytes, contentType: type)
            let text = String(decoding: bytes, as: UTF8.self)
            _ = MediaType(text)
            _ = HTTPCredentials("Basic " + text)
            let headers: HTTPHeaders = ["Accept": text, "Cookie": text]
            _ = headers.bestAccepted(of: ["a/b"])
            _ = headers.cookies("a")
            _ = FormFields(urlEncoded: bytes)
        }
    }

    private func body(_ text: String) -> [UInt8] { text.replacing("¦", with: "\r\n").bytes }
}
