import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Requests as phones send them, byte for byte but for the password and the time, and what each is answered, byte for
/// byte.
@Suite struct PhoneReplayTests {
    private let phone: PhoneAtDoor

    init() throws { phone = try PhoneAtDoor() }

    private var at: Int64 { phone.second }

    private func answered(_ body: String, _ type: String? = "application/json") -> String {
        "HTTP/1.1 200 OK\r\n" + (type.map { "Content-Type: \($0)\r\n" } ?? "") + "Cache-Control: no-store\r\n"
            + "Date: \(phone.date)\r\nContent-Length: \(body.utf8.count)\r\n" + PhoneAtDoor.safety + "\r\n" + body
    }

    // MARK: OwnTracks

    @Test func `OwnTracks on Android posts a location, encrypted or not`() throws {
        let body =
            #"{"_type":"location","BSSID":"c0:ff:ee:00:00:01","SSID":"Mill","_id":"a1b2c3d4","acc":12,"alt":154,"batt":71,"bs":2,"cog":90,"conn":"w","created_at":\#(at),"lat":52.5163,"lon":13.3777,"m":1,"motionactivities":["STILL"],"t":"p","tid":"ad","tst":\#(at),"vac":3,"vel":36,"inregions":["Home"],"inrids":["8e4b9f"],"p":101.3}"#
        let said = try phone.send(
            "POST /owntracks HTTP/1.1\r\nX-Limit-U: ada\r\nX-Limit-D: pixel\r\nAuthorization: \(phone.basic)\r\n"
                + "Content-Type: application/json; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Host: box.local\r\nConnection: Keep-Alive\r\nAccept-Encoding: gzip\r\n"
                + "User-Agent: Owntracks-Android/gms/420504100\r\n\r\n" + body)
        #expect(said == answered("[]"))
        let dot = try phone.dot()
        #expect(
            dot["lat"]?.double == 52.5163 && dot["lon"]?.double == 13.3777 && dot["speed"]?.double == 10
                && dot["battery"]?.double == 71)
        #expect(dot["accuracy"]?.double == 12 && dot["altitude"]?.double == 154 && dot["course"]?.double == 90)
    }

    @Test func `OwnTracks on an iPhone posts a location with what it does not know`() throws {
        let body =
            #"{"tst":\#(at),"acc":4,"_type":"location","alt":33,"lon":13.3777,"vel":-1,"vac":3,"bs":1,"p":100.9,"lat":52.5163,"topic":"owntracks/ada/iPhone","t":"t","conn":"m","m":2,"tid":"AM","batt":100,"cog":-1,"_id":"5f6e"}"#
        let said = try phone.send(
            "POST / HTTP/1.1\r\nHost: box.local\r\nContent-Type: application/json\r\nConnection: keep-alive\r\n"
                + "x-limit-d: iPhone\r\nx-limit-u: ada\r\nAccept: */*\r\nUser-Agent: OwnTracks/18.4.5\r\n"
                + "Accept-Language: de-DE\r\nAuthorization: \(phone.basic)\r\nAccept-Encoding: gzip, deflate\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        #expect(said == answered("[]"))
        #expect(try phone.dot()["speed"] == nil && phone.dot()["course"] == nil && phone.number("battery") == 100)
        let empty = try phone.send(
            "POST / HTTP/1.1\r\nHost: box.local\r\nAuthorization: \(phone.basic)\r\nContent-Length: 0\r\n\r\n")
        #expect(empty == answered("[]"))
    }

    // MARK: Traccar Client

    @Test func `Traccar Client up to version 8 posts a query`() throws {
        let said = try phone.send(
            "POST /osmand?id=\(phone.password)&timestamp=\(at)&lat=52.5163&lon=13.3777&speed=19.43844492440605&bearing=270.0"
                + "&altitude=34.5&accuracy=6.0&batt=71.0&charge=true HTTP/1.1\r\n"
                + "User-Agent: Dalvik/2.1.0 (Linux; U; Android 14; Pixel 7 Build/UQ1A.240205.002)\r\nHost: box.local\r\n"
                + "Connection: Keep-Alive\r\nAccept-Encoding: gzip\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n\r\n")
        #expect(said == answered("", nil))
        let dot = try phone.dot()
        #expect(
            dot["lat"]?.double == 52.5163 && dot["lon"]?.double == 13.3777 && dot["course"]?.double == 270
                && dot["battery"]?.double == 71)
        // 19.438… knots are ten metres per second.
        #expect(abs((dot["speed"]?.double ?? 0) - 10) < 0.000_001)
        #expect(dot["altitude"]?.double == 34.5 && dot["accuracy"]?.double == 6)
    }

    @Test func `OsmAnd itself asks with GET, others send a form`() throws {
        let query = "lat=52.5&lon=13.25&timestamp=\(at)123&hdop=6.0&altitude=224.0&speed=0.0&heading=359.6"
        let got = try phone.send("GET /osmand/?deviceid=\(phone.password)&\(query) HTTP/1.1\r\nHost: box.local\r\n\r\n")
        #expect(got == answered("", nil))
        #expect(try phone.number("lat") == 52.5 && phone.number("speed") == 0 && phone.number("course") == 359.6)
        let form =
            "id=\(phone.password)&timestamp=2026-09-21%2014%3A13%3A25&location=52.5001%2C13.25&valid=1&ignition=true"
        let posted = try phone.send(
            "POST /osmand HTTP/1.1\r\nHost: box.local\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(form.utf8.count)\r\n\r\n" + form)
        #expect(posted == answered("", nil))
        #expect(try phone.number("lat") == 52.5001 && phone.dot()["at"] == "2026-09-21T14:13:25.000Z")
    }

    @Test func `Traccar Client from version 9 posts JSON, on Android and on an iPhone`() throws {
        let android =
            #"{"location":{"event":"motionchange","is_moving":false,"uuid":"0e9a2473-a9a7-4c00-997b-fb97d2154e75","timestamp":"\#(phone.time(-60))","odometer":0,"coords":{"latitude":52.5163,"longitude":13.3777,"accuracy":3.8,"speed":18.67,"speed_accuracy":0.26,"heading":63,"heading_accuracy":0.28,"altitude":35.7,"altitude_accuracy":3.8},"activity":{"type":"still","confidence":100},"battery":{"is_charging":false,"level":0.79},"extras":{},"_":"&id=\#(phone.password)&lat=52.5163&lon=13.3777&timestamp=\#(phone.time(-60))&"},"device_id":"\#(phone.password)"}"#
        let said = try phone.send(
            "POST /osmand HTTP/1.1\r\nContent-Type: application/json; charset=utf-8\r\n"
                + "Content-Length: \(android.utf8.count)\r\nHost: box.local\r\nConnection: Keep-Alive\r\n"
                + "Accept-Encoding: gzip\r\nUser-Agent: okhttp/4.12.0\r\n\r\n" + android)
        #expect(said == answered("", nil))
        #expect(try phone.number("speed") == 18.67 && phone.number("battery") == 79 && phone.number("course") == 63)
        let apple =
            #"{"location":{"extras":{},"mock":true,"coords":{"speed_accuracy":-1,"speed":-1,"longitude":13.3777,"ellipsoidal_altitude":0,"floor":null,"heading_accuracy":-1,"latitude":52.516300000000001,"accuracy":5,"altitude_accuracy":-1,"altitude":0,"heading":-1},"is_moving":false,"age":188,"odometer":0,"uuid":"2FB04C65-99CF-42AB-8DD3-EBCB4B108BF8","event":"motionchange","battery":{"level":-1,"is_charging":false},"activity":{"type":"unknown","confidence":100},"timestamp":"\#(phone.time())"},"device_id":"\#(phone.password)"}"#
        let second = try phone.send(
            "POST /osmand HTTP/1.1\r\nHost: box.local\r\nContent-Type: application/json\r\nAccept: */*\r\n"
                + "User-Agent: Traccar%20Client/9.7.5 CFNetwork/1568.100.1 Darwin/24.0.0\r\n"
                + "Content-Length: \(apple.utf8.count)\r\n\r\n" + apple)
        #expect(second == answered("", nil))
        let dot = try phone.dot()
        #expect(
            dot["lon"]?.double == 13.3777 && dot["speed"] == nil && dot["course"] == nil && dot["battery"] == nil)
    }

    // MARK: Overland

    @Test func `Overland on an iPhone posts a batch`() throws {
        let body =
            #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.3777,52.5163]},"properties":{"speed":4,"battery_state":"charging","motion":["driving","stationary"],"timestamp":"\#(phone.time(-30))","battery_level":0.89,"vertical_accuracy":3,"pauses":false,"horizontal_accuracy":5,"wifi":"Mill","deferred":0,"significant_change":0,"locations_in_payload":1,"activity":0,"device_id":"iPhone","altitude":41,"desired_accuracy":-2,"course":180,"speed_accuracy":1,"course_accuracy":2,"unique_id":"F1"}},{"type":"Feature","geometry":{"type":"Point","coordinates":[13.3790,52.5170]},"properties":{"timestamp":"2026-09-21T08:13:05-0600","altitude":0,"speed":-1,"course":-1,"horizontal_accuracy":30,"vertical_accuracy":-1,"motion":[],"battery_state":"unknown","battery_level":-1,"wifi":"","device_id":"iPhone"}}],"current":{"type":"Feature","geometry":{"type":"Point","coordinates":[13.38,52.52]},"properties":{"timestamp":"\#(phone.time())","horizontal_accuracy":5,"battery_level":0.5,"battery_state":"unplugged","motion":["walking"],"device_id":"iPhone"}},"trip":{"distance":10,"mode":"car"}}"#
        let said = try phone.send(
            "POST /overland HTTP/1.1\r\nHost: box.local\r\nContent-Type: application/json\r\nAccept: */*\r\n"
                + "Authorization: Bearer \(phone.password)\r\nAccept-Language: en;q=1\r\nAccept-Encoding: gzip, deflate\r\n"
                + "User-Agent: Overland/1.4 (iPhone; iOS 18.1; Scale/3.00)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body)
        #expect(said == answered(#"{"result":"ok"}"#))
        #expect(try phone.number("lat") == 52.52 && phone.number("battery") == 50)
        #expect(try phone.history() == [52.5163, 52.517, 52.52])
    }

    @Test func `Overland on Android posts what it has gathered`() throws {
        let body =
            #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.1276,51.5072]},"properties":{"timestamp":"\#(phone.time())","altitude":11.5,"speed":0,"horizontal_accuracy":12.5,"vertical_accuracy":1.5,"motion":["stationary"],"battery_state":"unplugged","battery_level":0.419999,"wifi":"Mill","device_id":"pixel"}}]}"#
        let said = try phone.send(
            "POST /overland HTTP/1.1\r\nauthorization: Bearer \(phone.password)\r\ncontent-type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\nHost: box.local\r\nConnection: Keep-Alive\r\n"
                + "Accept-Encoding: gzip\r\nUser-Agent: okhttp/3.12.1\r\n\r\n" + body)
        #expect(said == answered(#"{"result":"ok"}"#))
        #expect(try phone.number("lon") == -0.1276 && phone.number("accuracy") == 12.5)
        #expect(abs((try phone.dot()["battery"]?.double ?? 0) - 41.9999) < 0.001)
    }
}
