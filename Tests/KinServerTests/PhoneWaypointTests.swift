import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Places as a phone with OwnTracks gets them, byte for byte.
@Suite struct PhoneWaypointTests {
    @Test func `the list rides on the answer to a post, and what is gone with the next`() throws {
        let phone = try PhoneAtDoor()
        let ada = try phone.box.line("ada")
        let second = phone.second
        let made = try ada.result(
            "place.add", ["name": "School \"North\"", "lat": 52.5163, "lon": 13.3777, "radius": 80])
        let id = try #require(made["place"]?["id"]?.string)
        func posted(_ mark: String) throws -> String {
            let body = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(phone.second),"_id":"\#(mark)"}"#
            return try phone.send(
                "POST /owntracks HTTP/1.1\r\nX-Limit-D: pixel\r\nAuthorization: \(phone.basic)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nHost: box.local\r\n\r\n"
                    + body)
        }
        func answer(_ body: String) -> String {
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
                + "Date: \(phone.date)\r\nContent-Length: \(body.utf8.count)\r\n" + PhoneAtDoor.safety + "\r\n" + body
        }
        func command(_ list: String) -> String {
            #"[{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[\#(list)]}}]"#
        }
        let school =
            #"{"_type":"waypoint","desc":"School \"North\"","lat":52.5163,"lon":13.3777,"rad":80,"tst":\#(second),"rid":"\#(id)"}"#
        #expect(try posted("a") == answer(command(school)))
        #expect(try posted("a") == answer(command(school)))
        #expect(try posted("b") == answer("[]"))
        _ = try ada.result("place.remove", ["place": .string(id)])
        let gone =
            #"{"_type":"waypoint","desc":"","lat":-1000000,"lon":-1000000,"rad":0,"tst":\#(second),"rid":"\#(id)"}"#
        #expect(try posted("c") == answer(command(gone)))
        #expect(try posted("d") == answer("[]"))
    }
}
