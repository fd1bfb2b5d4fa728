import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

@Suite struct OwnTracksTests {
    private let password = "kw-3ZxA9_p0Qm7Lr5Tn8Vb2Yc6Wd4Xe1Uf"

    private func read(_ text: String, named: [String?] = []) -> OwnTracks.Reading {
        OwnTracks.read(Array(text.utf8), named: named, password: password)
    }

    private func publication(_ reading: OwnTracks.Reading) throws -> OwnTracks.Publication {
        guard case .publish(let publication) = reading else { throw Unexpected(reading: reading) }
        return publication
    }

    private struct Unexpected: Error { let reading: OwnTracks.Reading }

    @Test(arguments: ["", " ", "\r\n\t "]) func `an empty body is ignored`(text: String) {
        #expect(read(text) == .ignore)
    }

    @Test func `a message goes on as it is, the last of a name twice written counting`() throws {
        let publication = try publication(read(#"{"_type":"location","lat":1,"lat":2,"new":{"a":[1]}}"#))
        #expect(publication.message == ["_type": "location", "lat": 2, "new": ["a": [1]]])
        #expect(publication.device == "")
        #expect(!publication.isEncrypted)
        #expect(publication.params == ["message": publication.message, "device": ""])
    }

    @Test(arguments: [
        "[]", #"[{"_type":"location"}]"#, "7", "\"text\"", "null", "{", "{}}", "\u{0}", "{\"lat\":NaN}",
        #"{"tst":99999999999999999999}"#, String(repeating: "[", count: 100_000),
        String(repeating: #"{"a":"#, count: 5000) + "1" + String(repeating: "}", count: 5000),
        #"{"_type":"encrypted"}"#, #"{"_type":"encrypted","data":7}"#, #"{"_type":"encrypted","data":"!"}"#,
        #"{"_type":"encrypted","data":""}"#, #"{"_type":"encrypted","data":"AAAA"}"#,
    ])
    func `a body nobody can use is no reason to refuse`(text: String) {
        guard case .unusable(let why) = read(text) else {
            Issue.record("\(text.prefix(40)) was taken for a message")
            return
        }
        #expect(why.hasSuffix("."))
    }

    @Test func `bytes that are no UTF-8 are unusable`() {
        let reading = OwnTracks.read([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], password: password)
        guard case .unusable = reading else {
            Issue.record("taken")
            return
        }
    }

    @Test func `the device is named by header, then query, then topic`() throws {
        let topic = #"{"_type":"location","topic":"owntracks/ada/pixel/event"}"#
        #expect(try publication(read(topic, named: ["watch", "tablet"])).device == "watch")
        #expect(try publication(read(topic, named: [nil, "tablet"])).device == "tablet")
        #expect(try publication(read(topic, named: ["", " "])).device == "pixel")
        #expect(try publication(read(#"{"_type":"lwt","topic":"owntracks/ada"}"#)).device == "")
        #expect(try publication(read(#"{"_type":"lwt","topic":7}"#)).device == "")
    }

    @Test func `a device's name is cleaned and cut, never refused`() throws {
        let name = "Ada\u{0}s\u{202E} phone\n" + String(repeating: "x\u{301}", count: 500)
        let device = try publication(read("{}", named: [name])).device
        #expect(device.hasPrefix("Adas phonex"))
        #expect(device.unicodeScalars.count == 64)
        #expect(try publication(read("{}", named: ["\u{301}\u{0}"])).device == "")
    }

    @Test func `an encrypted message is opened with the app password and answered in the same way`() throws {
        let inner = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1700000000}"#
        let box = SecretBox.seal(Array(inner.utf8), key: Array(password.utf8))
        let outer: JSON = ["_type": "encrypted", "data": .string(Base64.encode(box)), "topic": "owntracks/ada/pixel"]
        let publication = try publication(OwnTracks.read(outer.bytes, password: password))
        #expect(publication.isEncrypted)
        #expect(publication.message["lat"]?.double == 52.5)
        #expect(publication.device == "pixel")
        let result: JSON = [["_type": "card", "tid": "BB"]]
        let answer = try JSON.parse(OwnTracks.answer(result, encryptedWith: password))
        #expect(answer["_type"] == "encrypted")
        let data = try #require(answer["data"]?.string.flatMap { Base64.decode($0) })
        let opened = try #require(SecretBox.open(data, key: Array(password.utf8)))
        #expect(try JSON.parse(opened) == result)
        guard case .unusable = OwnTracks.read(outer.bytes, password: "another") else {
            Issue.record("opened with another key")
            return
        }
    }

    @Test func `an open answer is the result's own bytes`() {
        #expect(OwnTracks.answer([["a": 1]]) == Array(#"[{"a":1}]"#.utf8))
        #expect(OwnTracks.nothing == OwnTracks.answer([]))
    }

    @Test func `commands come as texts behind the rest, and go out as objects`() {
        let result: JSON = [["_type": "card", "name": "x\"]"], "{\"_type\":\"cmd\",\"action\":\"dump\"}", "{", "no"]
        #expect(
            String(decoding: OwnTracks.answer(result), as: UTF8.self)
                == #"[{"_type":"card","name":"x\"]"},{"_type":"cmd","action":"dump"}]"#)
        #expect(OwnTracks.answer(["["]) == Array("[]".utf8))
    }

    @Test func `the set-up link carries the app's configuration`() throws {
        let link = OwnTracks.setUpLink(
            url: "https://mill.local:5469/owntracks", username: "ada", password: password, device: "pixel", tid: "AM")
        let start = "owntracks:///config?inline="
        #expect(link.hasPrefix(start))
        #expect(!link.contains("+"))
        let text = link.dropFirst(start.count).split(separator: "%2B", omittingEmptySubsequences: false)
            .joined(separator: "+")
        let bytes = try #require(Base64.decode(text))
        #expect(
            try JSON.parse(bytes) == [
                "_type": "configuration", "mode": 3, "cmd": true, "url": "https://mill.local:5469/owntracks",
                "username": "ada",
                "password": .string(password), "deviceId": "pixel", "tid": "AM",
            ])
    }
}
