import KinModel
import Testing

@testable import KinCodec

@Suite struct JSONTests {
    @Test func `any kind of value can stand at the top`() throws {
        #expect(try JSON.parse("null") == .null)
        #expect(try JSON.parse(" true\n") == .bool(true))
        #expect(try JSON.parse("-12") == .int(-12))
        #expect(try JSON.parse("1.5e3") == .double(1500))
        #expect(try JSON.parse("\"\\u00e9\\ud83d\\ude00é\"") == .string("é😀é"))
        #expect(try JSON.parse("[]") == .array([]))
    }

    @Test func `members keep their order and text comes back as it was`() throws {
        let text = #"{"z":1,"a":[1,2.5,"x",{"y":null}],"":true,"b\"":"\\"}"#
        #expect(try JSON.parse(text).text == text)
    }

    @Test func `the ends of Int64 are exact and one past them is an error`() throws {
        #expect(try JSON.parse("9223372036854775807") == .int(.max))
        #expect(try JSON.parse("-9223372036854775808") == .int(.min))
        #expect(kind("9223372036854775808") == .number)
        #expect(kind("-9223372036854775809") == .number)
        #expect(kind("[1e999]") == .number)
        #expect(try JSON.parse("1e-999") == .double(0))
    }

    @Test func `a name that stands twice is named, however it was written`() throws {
        #expect(kind(#"{"a":1,"b":{"a":2},"a":3}"#) == .duplicate("a"))
        #expect(kind(#"{"q\"\\":1, "q\"\\" :3}"#) == .duplicate("q\"\\"))
        #expect(kind(#"{"a":1,"\u0061":3}"#) == .duplicate("a"))
        #expect(kind(#"{"":1,"":3}"#) == .duplicate(""))
        let long = String(repeating: "n", count: 300)
        #expect(kind("{\"\(long)\":1,\"\(long)\":2}") == .duplicate(long))
    }

    @Test func `phones may repeat a name and the last value counts`() throws {
        #expect(try JSON.parse(#"{"a":1,"b":2,"a":3}"#, duplicates: .lastWins).text == #"{"a":3,"b":2}"#)
    }

    @Test func `names that only look alike are different names`() throws {
        // U+00E9 and its decomposed form are equal as Swift strings.
        let both = try #require(try JSON.parse("{\"\u{E9}\":1,\"e\u{301}\":2}").object)
        #expect(both.members.count == 2)
        #expect(both["\u{E9}"] == 1)
        #expect(both["e\u{301}"] == 2)
    }

    @Test func `depth is counted outside strings only`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSON.parse(nested(32)) }
        #expect(kind(nested(33)) == .tooDeep)
        #expect(kind(String(repeating: "{\"a\":", count: 100_000)) == .tooDeep)
        #expect(throws: Never.self) { try JSON.parse("\"\(String(repeating: "[\\\"{", count: 100))\"") }
        #expect(throws: Never.self) { try JSON.parse(nested(1024), depthMax: 5000) }
        #expect(throws: JSONFailure.self) { try JSON.parse(nested(1025), depthMax: 5000) }
        #expect(throws: JSONFailure.self) { try JSON.parse("[]", depthMax: 0) }
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "01", "+1", "1.", ".5", "0x10", "NaN", "Infinity", "nul",
        "[1] 2", "\u{FEFF}1", "\"\\x\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\u0000\"", "{\"\\u0000\":1}",
        "\"a\nb\"", "// c\n1", "\"\u{0}\"", "{\"a\":1 \"b\":2}",
    ])
    func `what is not JSON is refused`(text: String) {
        #expect(kind(text) == .syntax, "\(text.debugDescription)")
    }

    @Test(arguments: [
        [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xFF], [0xE2, 0x82],
    ])
    func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
        #expect(kind([0x22] + bytes + [0x22]) == .utf8)
        #expect(kind([0x7B, 0x22] + bytes + [0x22, 0x3A, 0x31, 0x7D]) == .utf8)
    }

    @Test func `the offset points into the text`() {
        let failure = #expect(throws: JSONFailure.self) { try JSON.parse("[1, x]") }
        #expect((4...5).contains(failure?.offset ?? -1))
    }

    @Test(arguments: 0..<8) func `a long text is read in pieces, and says what a short one says`(shift: Int) throws {
        // Letters of up to four bytes at every place of a piece's border.
        let shifted = String(repeating: " ", count: shift)
        let names = (0..<4_000).map { "é€😀\($0)" }
        let text = shifted + JSON.array(names.map { .string($0) }).text
        #expect(text.utf8.count > JSON.pausesBeyondBytes)
        #expect(try JSON.parse(text).array?.compactMap(\.string) == names)

        let late = text.utf8.count - 1
        let unfinished = #expect(throws: JSONFailure.self) { try JSON.parse(String(text.dropLast())) }
        #expect((late - 1...late + 1).contains(unfinished?.offset ?? -1))
        #expect(kind(text + " x") == .syntax)
        #expect(kind(Array(text.utf8.dropLast(2)) + [0xFF, 0x22, 0x5D]) == .utf8)
        #expect(kind("{\"a\":" + text + ",\"a\":1}") == .duplicate("a"))
        #expect(kind(text + "\u{0}") == .syntax)
    }

    @Test func `random bytes never trap, and what parses is written and read back the same`() throws {
        var random = Seeded(1)
        let pieces = Array(
            #"{ } [ ] , : " \ "a" "b" 1 -2 3.5 1e9 true false null \u00e9 \ud83d\ude00 é "#.utf8.split(separator: 0x20))
        for _ in 0..<30_000 {
            var bytes: [UInt8] = []
            for _ in 0..<random.below(12) {
                bytes += random.below(8) == 0 ? [random.byte()] : Array(pieces[random.below(pieces.count)])
            }
            if let value = try? JSON.parse(bytes) {
                #expect(try JSON.parse(value.bytes) == value)
            }
        }
    }

    private func kind(_ text: String) -> JSONFailure.Kind? { kind(Array(text.utf8)) }
    private func kind(_ bytes: [UInt8]) -> JSONFailure.Kind? {
        do throws(JSONFailure) {
            _ = try JSON.parse(bytes)
            return nil
        } catch { return error.kind }
    }
}
