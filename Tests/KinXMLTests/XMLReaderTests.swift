import KinXML
import Testing

/// Documents of strangers: read whole, or refused with bounded work.
@Suite struct XMLReaderTests {
    private func read(_ text: String) throws -> XMLElement { try XMLReader.read(Array(text.utf8)) }

    private func failure(_ text: String) -> XMLFailure? {
        do throws(XMLFailure) {
            _ = try XMLReader.read(Array(text.utf8))
            return nil
        } catch { return error }
    }

    @Test func `names are told apart by their namespaces, whatever the prefixes are`() throws {
        for text in [
            "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:getetag/></D:prop></D:propfind>",
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<propfind xmlns=\"DAV:\"><prop><x:getetag xmlns:x=\"DAV:\"/></prop></propfind>",
        ] {
            let root = try read(text)
            #expect(root.name == XMLName("DAV:", "propfind"))
            #expect(root.first(XMLName("DAV:", "prop"))?.children.map(\.name) == [XMLName("DAV:", "getetag")])
        }
    }

    @Test func `text is put together from its pieces, and attributes are unescaped`() throws {
        let root = try read("<a b=\"1 &lt; 2\" c='&quot;'> x<![CDATA[<&>]]>&amp;&#252;<d>no</d>y </a>")
        #expect(root.trimmedText == "x<&>&üy" && root["b"] == "1 < 2" && root["c"] == "\"")
        #expect(root.first(XMLName("", "d"))?.text == "no")
    }

    @Test(arguments: [
        "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>",
        // A billion laughs.
        "<!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]><l>&c;</l>",
    ])
    func `a document type is refused before anything of it is looked at`(text: String) {
        #expect(failure(text) == .documentType)
    }

    @Test func `an entity that nobody defined is an error and no empty text`() {
        guard case .damaged? = failure("<a>&nbsp;</a>") else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func `depth, elements, attributes and names have their bounds, and up to there all is well`() throws {
        let deep = XMLBound.depth.most
        let fine = String(repeating: "<a>", count: deep) + String(repeating: "</a>", count: deep)
        #expect(failure(fine) == nil)
        #expect(failure("<b>" + fine + "</b>") == .tooMuch(.depth))
        #expect(failure(String(repeating: "<a>", count: 100_000)) == .tooMuch(.depth))
        #expect(failure("<a>" + String(repeating: "<b/>", count: XMLBound.elements.most - 1) + "</a>") == nil)
        #expect(
            failure("<a>" + String(repeating: "<b/>", count: XMLBound.elements.most) + "</a>") == .tooMuch(.elements))
        let many = (0..<XMLBound.attributes.most).map { " a\($0)=\"\"" }.joined()
        #expect(failure("<a\(many)/>") == nil)
        #expect(failure("<a\(many) more=\"\"/>") == .tooMuch(.attributes))
        #expect(failure("<\(String(repeating: "n", count: 513))/>") == .tooMuch(.nameBytes))
        let space = String(repeating: "s", count: 600)
        #expect(failure("<x:a xmlns:x=\"\(space)\"/>") == .tooMuch(.nameBytes))
    }

    @Test(arguments: [
        "", " ", "<a>", "<a></b>", "<a b=\"1\" b=\"2\"/>", "<a/><b/>", "a", "<a>\u{1}</a>", "<x:a/>", "\u{FEFF}",
    ])
    func `what is not well-formed says in which line`(text: String) {
        guard case .damaged(let reason, let line)? = failure(text) else {
            Issue.record("taken: \(text)")
            return
        }
        #expect(!reason.isEmpty && line >= 1)
    }

    @Test func `bytes that are no UTF-8 are an error, and UTF-16 is read`() throws {
        #expect(throws: XMLFailure.self) { try XMLReader.read(Array("<a>".utf8) + [0xFF, 0xC0] + Array("</a>".utf8)) }
        let wide = Array("\u{FEFF}<a>ü</a>".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try XMLReader.read(wide).text == "ü")
    }

    @Test func `what is written comes back, but for what XML cannot hold`() throws {
        let text = "a<b>&\"c\"\r\n\tü€😀"
        #expect(try read("<a>" + XMLText.escaped(text) + "</a>").text == text)
        #expect(XMLText.escaped("a\u{0}\u{1F}\u{FFFE}b") == "ab")
        #expect(XMLText.escaped("Möbel") == "Möbel")
    }
}
