import Testing

@testable import KinModel

@Suite struct JSONTests {
    @Test func `values are written compactly, on one line, members in order`() {
        let value: JSON = ["z": 1, "a": [nil, true, false, -2, 1.5, "x"], "o": [:], "e": []]
        #expect(value.text == #"{"z":1,"a":[null,true,false,-2,1.5,"x"],"o":{},"e":[]}"#)
    }

    @Test func `strings are escaped where JSON asks for it and nowhere else`() {
        #expect(JSON.string("a\"b\\c/é😀").text == #""a\"b\\c/é😀""#)
        #expect(JSON.string("\n\r\t\u{0}\u{1F}\u{7F}\u{8}").text == #""\n\r\t\u0000\u001f\u007f\u0008""#)
        #expect(JSON.string("\r\n").text == #""\r\n""#)
        #expect((["k\"\n": 1] as JSON).text == #"{"k\"\n":1}"#)
    }

    @Test func `numbers are exact, and what JSON cannot write is null`() {
        #expect(JSON.int(.max).text == "9223372036854775807")
        #expect(JSON.int(.min).text == "-9223372036854775808")
        #expect(JSON.double(0.1).text == "0.1")
        #expect(JSON.double(1e22).text == "1e+22")
        #expect(JSON.double(.leastNonzeroMagnitude).text == "5e-324")
        #expect(JSON.double(.nan).text == "null")
        #expect(JSON.double(-.infinity).text == "null")
    }

    @Test func `members stand in any order but are compared as bytes`() {
        #expect((["a": 1, "b": 2] as JSON) == ["b": 2, "a": 1])
        #expect((["a": 1, "b": 2] as JSON).hashValue == (["b": 2, "a": 1] as JSON).hashValue)
        #expect((["a": 1] as JSON) != ["a": 1, "b": 2])
        // Canonically equivalent, but other bytes.
        #expect(("\u{E9}" as JSON) != "e\u{301}")
        #expect((["\u{E9}": 1] as JSON) != ["e\u{301}": 1])
        #expect((["K": 1] as JSON)["\u{212A}"] == nil)
        #expect((1 as JSON) != 1.0)
        #expect((["a": nil] as JSON) != ["b": nil])
    }

    @Test func `members are read, replaced in place, added and removed`() {
        var object: JSON = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        object["none"] = nil
        #expect(object.text == #"{"a":3,"c":4}"#)
        var text: JSON = "x"
        text["a"] = 1
        #expect(text.text == #"{"a":1}"#)
    }

    @Test func `values are read as what they are only`() {
        #expect((1.0 as JSON).int == 1)
        #expect((1.5 as JSON).int == nil)
        #expect((1e300 as JSON).int == nil)
        #expect(JSON.double(.nan).int == nil)
        #expect(JSON.double(9.3e18).int == nil)
        #expect((2 as JSON).double == 2)
        #expect(("1" as JSON).int == nil)
        #expect((true as JSON).int == nil)
        #expect((1 as JSON).bool == nil)
        #expect(JSON.null.isNull)
        #expect(JSON.null["a"] == nil)
    }

    @Test func `optional members are left out`() {
        let none: JSON? = nil
        #expect(JSON.object(leavingOut: ["a": 1, "b": none, "c": .null]).text == #"{"a":1,"c":null}"#)
    }
}
