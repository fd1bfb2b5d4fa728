import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// A phone's shortcut raises an alarm by one request.
@Suite struct AlarmDoorTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func call(_ name: String, _ method: String, _ params: JSON) throws -> JSON {
        let line = try box.line(name)
        defer { line.leave() }
        return try line.result(method, params)
    }

    private func press(_ target: String) throws -> (status: Int, json: JSON?) {
        let answer = try box.connect().ask("POST \(target)", ["Content-Length: 0"])
        return (answer.status, answer.json)
    }

    @Test func `it is raised with where the phone says it is, and once`() throws {
        let made = try call("ben", "alarm.addShortcut", ["name": "Watch", "kind": "sos"])
        let target = "/alarm/" + (try #require(made["secret"]?.string))
        let first = try press(target + "?lat=52.5&lon=13.4&accuracy=20")
        #expect(first.status == 200 && first.json?["done"] == true && first.json?["called"]?.int ?? 0 > 0)
        let alarm = try #require(try call("ben", "alarm.list", [:])["alarms"]?.array?.first)
        #expect(
            alarm["kind"] == "sos" && alarm["position"]?["lat"] == 52.5 && alarm["position"]?["accuracy"]?.double == 20)
        #expect(try press(target).status == 200)
        #expect(try call("ben", "alarm.list", [:])["alarms"]?.array?.count == 1)
        _ = try call("ben", "alarm.removeShortcut", ["shortcut": made["shortcut"]?["id"] ?? .null])
        #expect(try press(target).status == 403)
    }

    @Test func `a phone that listens as it rings is one that it reached, and who called sees so`() throws {
        let topic = try #require(try call("ada", "notice.add", ["name": "Phone"])["topic"]?.string)
        let client = box.connect()
        client.post("GET /\(topic)/json HTTP/1.1\r\nHost: box.local\r\n\r\n")
        try box.settle()
        let ada = try box.person("ada").id
        let raised = try call("ben", "alarm.raise", ["kind": "come", "to": [.id(ada)]])
        #expect(raised["alarm"]?["called"]?.array?.first?["reached"] == nil)
        try box.settle()
        let listed = try call("ben", "alarm.list", [:])["alarms"]?.array?.first?["called"]?.array?.first
        #expect(listed?["member"] == .id(ada) && listed?["reached"] != nil, "\(String(describing: listed))")
    }

    @Test func `what is no position is passed over, and other verbs are told so`() throws {
        let made = try call("ben", "alarm.addShortcut", ["name": "Watch", "kind": "check"])
        let target = "/alarm/" + (try #require(made["secret"]?.string))
        #expect(try box.connect().ask("GET \(target)").status == 405)
        #expect(try press(target + "?lat=north&lon=1").status == 200)
        // A check shows nobody, and goes on already.
        let again = try press(target + "?lat=1&lon=1")
        #expect(again.status == 409)
        #expect(try press("/alarm/alarm-nothing").status == 403)
    }
}
