import KinModel
import Testing

@Suite struct StringBytesTests {
    @Test func `a letter and its parts are two, though Swift holds them for one`() {
        #expect("\u{E9}" == "e\u{301}")
        #expect(!"\u{E9}".hasSameBytes(as: "e\u{301}"))
        // As long as each other, and canonically the same.
        #expect("a\u{323}\u{307}" == "a\u{307}\u{323}")
        #expect(!"a\u{323}\u{307}".hasSameBytes(as: "a\u{307}\u{323}"))
        #expect("at".hasSameBytes(as: "at"))
        #expect(!"at".hasSameBytes(as: "At"))
        #expect("".hasSameBytes(as: ""))
    }

    @Test(arguments: [
        ("Mozilla/5.0 (iPhone; CPU)", "iPhone", true), ("iPhone", "iPhone", true), ("iPhon", "iPhone", false),
        ("", "iPhone", false), ("iiPhone", "iPhone", true), ("x", "", true),
    ])
    func `bytes are found wherever they stand`(_ text: String, _ part: String, _ isThere: Bool) {
        #expect(text.hasBytes(of: part) == isThere)
    }
}
