import KinModel
import Testing

@testable import KinServer

@Suite struct PhoneNumberTests {
    @Test(arguments: [
        ("1504763810", "2017-09-07T05:56:50.000Z"), ("1442068686579", "2015-09-12T14:38:06.579Z"),
        ("1504763810.25", "2017-09-07T05:56:50.250Z"), ("2016-01-27T18:55:47Z", "2016-01-27T18:55:47.000Z"),
        ("2015-10-01T08:00:00-0700", "2015-10-01T15:00:00.000Z"),
        ("2015-10-01T08:00:00+01", "2015-10-01T07:00:00.000Z"),
        ("2015-10-01T08:00:00.125+01:30", "2015-10-01T06:30:00.125Z"),
        ("2014-06-04 09:10:11", "2014-06-04T09:10:11.000Z"),
        ("2014-06-04T09:10:11", "2014-06-04T09:10:11.000Z"), ("2025-06-15T13:45:12.862z", "2025-06-15T13:45:12.862Z"),
    ])
    func `a moment is read in every way that apps write it`(text: String, moment: String) {
        #expect(PhoneNumber.moment(text)?.description == moment)
    }

    @Test(arguments: [
        "", " ", "soon", "T", "+", "-", "2014-06-04", "2014-06-04T", "2014-06-04T+0100", "2014-13-04T09:10:11Z",
        "1e400",
        "nan", "2014-06-04T09:10:11+", "2014-06-04T09:10:11+0", "９", "-T-----",
    ])
    func `what is no moment is none`(text: String) { #expect(PhoneNumber.moment(text) == nil) }

    @Test func `a number may stand in a text, and has to be finite`() {
        #expect(PhoneNumber.read(.string(" 52.5")) == 52.5 && PhoneNumber.read(.int(7)) == 7)
        for text in ["nan", "inf", "-inf", "1e999", "", "x", String(repeating: "1", count: 400)] {
            #expect(PhoneNumber.read(text) == nil, "\(text)")
        }
        #expect(
            PhoneNumber.truth("TRUE") == true && PhoneNumber.truth(.int(0)) == false && PhoneNumber.truth("2") == nil)
    }

    @Test func `an identifier is found in JSON that is none`() {
        func found(_ text: String) -> String? { OsmAnd.identifier(inBroken: Array(text.utf8)) }
        #expect(found(#"{"x":NaN,"device_id" : "abc-def"}"#) == "abc-def")
        #expect(found(#"{"a":"\"device_id\"","device_id":"abc","#) == "abc")
        for text in ["", #""device_id""#, #""device_id":"#, #""device_id":7}"#, #""device_id" "x""#] {
            #expect(found(text) == nil, "\(text)")
        }
        #expect(found(#"{"device_id":"abc"#) == "abc")
    }
}
