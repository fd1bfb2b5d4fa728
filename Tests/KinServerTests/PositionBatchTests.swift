import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Many points at once, by whatever way they come.
@Suite struct PositionBatchTests {
    @Test(arguments: ["lines", "webSocket", "list", "object"])
    func `a batch comes in whole over sockets and REST`(way: String) throws {
        let box = try Box.family()
        let ada = try box.person("ada")
        let bearer = "Authorization: Bearer \(ada.token)"
        let now = Instant(milliseconds: box.time.wallMilliseconds())
        let points: [JSON] = (1...300).map { index in
            [
                "lat": .double(50 + Double(index) / 10_000), "lon": 13.4,
                "at": .time(now.adding(seconds: -3000 + Int64(index) * 10)),
            ]
        }
        switch way {
        case "lines": _ = try box.line("ada").result("position.report", ["positions": .array(points)])
        case "webSocket":
            let client = box.connect()
            #expect(try client.openWebSocket([bearer]).status == 101)
            _ = try client.result("position.report", ["positions": .array(points)])
        default:
            let body: JSON = way == "list" ? .array(points) : ["positions": .array(points)]
            let answer = try box.connect().ask(
                "POST /api/positions", [bearer, "Content-Type: application/json"], body.text)
            #expect(answer.status == 200 && answer.json?["position"]?["lat"] == 50.03)
        }
        let from = now.adding(days: -1)
        let page = try box.line("ada").result(
            "position.history", ["member": .id(ada.id), "from": .time(from), "to": .time(now)])
        #expect(page["positions"]?.array?.compactMap { $0["lat"]?.double } == points.compactMap { $0["lat"]?.double })
    }
}
