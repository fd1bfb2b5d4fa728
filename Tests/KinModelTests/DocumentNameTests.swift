import KinModel
import Testing

@Suite struct DocumentNameTests {
    @Test(arguments: [
        ("Contract 2026.pdf", "Contract 2026.pdf"), ("Grüße, Oma.docx", "Grüße, Oma.docx"),
        ("../../etc/passwd", "passwd"), ("C:\\Users\\ada\\tax.ods", "tax.ods"), ("a/\u{308}b.txt", "\u{308}b.txt"),
        ("/", "document"), ("..", "document"), ("", "document"), (" . ", "document"), ("\u{200B}", "document"),
        (".bashrc", "bashrc"), ("a.txt. .", "a.txt"), ("a\nb\u{0}c.txt", "a b c.txt"),
        ("invoice\u{202E}fdp.exe", "invoicefdp.exe"), ("a\u{2028}b", "a b"), ("  a   b  ", "a b"),
        ("👩‍👧.png", "👩‍👧.png"),
    ])
    func `a name is one plain name, whatever was given`(given: String, kept: String) {
        #expect(DocumentName.cleaned(given).hasSameBytes(as: kept), "\(DocumentName.cleaned(given))")
        #expect(DocumentName.cleaned(kept).hasSameBytes(as: kept), "once more changes nothing")
    }

    @Test(arguments: ["x", "ß", "🥧", "e\u{301}"])
    func `a long name keeps its ending and stays within its bytes`(letter: String) {
        let name = DocumentName.cleaned(String(repeating: letter, count: 500) + ".pdf")
        #expect(name.utf8.count <= Limits.documentNameBytesMax && name.utf8.count > Limits.documentNameBytesMax - 8)
        #expect(name.hasSuffix(".pdf"))
        let endless = DocumentName.cleaned("a." + String(repeating: letter, count: 500))
        #expect(endless.utf8.count <= Limits.documentNameBytesMax)
    }

    @Test func `no more marks stand over a letter than anywhere else`() {
        let name = DocumentName.cleaned("a" + String(repeating: "\u{301}", count: 50) + ".txt")
        #expect(name.unicodeScalars.count { $0 == "\u{301}" } == 8)
    }

    @Test func `an ending is what stands behind the last point`() {
        #expect(DocumentName.ending(of: "a.tar.GZ") == "gz")
        #expect(DocumentName.ending(of: "README") == "" && DocumentName.ending(of: ".x") == "")
    }
}
