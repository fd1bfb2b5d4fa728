import KinCodec
import Testing

@testable import KinServer

/// What a file is saved as: RFC 6266, with names by RFC 8187.
@Suite struct AttachmentNameTests {
    @Test(
        arguments: [
            (nil, "attachment"),
            ("positions.gpx", "attachment; filename=\"positions.gpx\""),
            ("School letter 2.pdf", "attachment; filename=\"School letter 2.pdf\""),
            (
                "Grüße.pdf",
                "attachment; filename=\"Gr__e.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf"
            ),
            (
                "a\";b.txt",
                "attachment; filename=\"a__b.txt\"; filename*=UTF-8''a%22%3Bb.txt"
            ),
            (
                "50%.txt",
                "attachment; filename=\"50_.txt\"; filename*=UTF-8''50%25.txt"
            ),
            (
                "a\r\nX: b",
                "attachment; filename=\"a__X_ b\"; filename*=UTF-8''a%0D%0AX%3A%20b"
            ),
            ("🥧", "attachment; filename=\"_\"; filename*=UTF-8''%F0%9F%A5%A7"),
        ] as [(String?, String)])
    func `a name stands whole in the field and never ends it`(name: String?, field: String) {
        #expect(AttachmentName.field(name) == field)
    }

    @Test func `a document leaves under its name, and is never shown`() {
        let saved = Representation(
            bytes: 3, etag: "\"e\"", type: .of("application/pdf"), fileName: "Grüße.pdf", cacheControl: "no-store")
        #expect(
            saved.headers().fields.map { "\($0.name): \($0.value)" } == [
                "Content-Type: application/pdf",
                "Content-Disposition: attachment; filename=\"Gr__e.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf",
                "Cache-Control: no-store", "ETag: \"e\"", "Accept-Ranges: bytes",
                "Content-Security-Policy: sandbox; default-src 'none'",
            ])
    }
}
