import KinCodec
import KinKeeper
import KinMap
import KinModel

/// Overland's batches of GeoJSON (its README, "API"). The token is the app password.
///
/// After any answer but `{"result":"ok"}` the app sends the batch again.
enum Overland {
    static let ok: [UInt8] = Array(#"{"result":"ok"}"#.utf8)

    /// What a request turned out to be.
    struct Reading: PhoneReading {
        var password: String?
        var params: JSON.Object = [:]
        var note: String?
    }

    static func read(_ post: PhonePost) -> Reading {
        var reading = Reading()
        reading.password = password(post.head)
        reading.params = params([])
        guard !post.isTooLong else {
            reading.note = "A phone with Overland sent more at once than is taken."
            return reading
        }
        if post.isEmpty { return reading }
        guard let batch = try? JSON.parse(post.body, duplicates: .lastWins), let all = batch["locations"]?.array else {
            reading.note = "A batch of Overland was passed over: it is no JSON object with locations."
            return reading
        }
        guard all.count <= Limits.positionsPerReportMax else {
            reading.note =
                "A batch of Overland was passed over: it has more than \(Limits.positionsPerReportMax) locations."
            return reading
        }
        // While many points wait to be sent, the app adds the newest one to each batch.
        let current =
            all.count < Limits.positionsPerReportMax ? batch["current"].flatMap { $0.object == nil ? nil : $0 } : nil
        let device = (all.last ?? current)?["properties"]?["device_id"]?.string.map(DeviceName.clean) ?? ""
        reading.params = params((all + (current.map { [$0] } ?? [])).filter(isPlace).map(read), device)
        return reading
    }

    private static func params(
        _ points: [Result<PhonePoint, PhonePoint.Fault>], _ device: String = ""
    ) -> JSON.Object {
        let good = points.compactMap { try? $0.get().json }
        return [
            "app": .string(PhoneApp.overland.rawValue), "device": .string(device), "points": .array(good),
            "unusable": .int(Int64(points.count - good.count)),
        ]
    }

    /// Whether a feature is a point: the record of a trip is not, and its points come by themselves.
    private static func isPlace(_ feature: JSON) -> Bool { feature["properties"]?["type"]?.string != "trip" }

    private static func read(_ feature: JSON) -> Result<PhonePoint, PhonePoint.Fault> {
        Result { () throws(PhonePoint.Fault) in
            let coordinates = feature["geometry"]?["coordinates"]?.array ?? []
            guard coordinates.count >= 2 else { throw .place }
            let properties = feature["properties"]
            // GeoJSON has the longitude first.
            var point = try PhonePoint(
                lat: PhoneNumber.read(coordinates[1]), lon: PhoneNumber.read(coordinates[0]),
                at: PhoneNumber.moment(properties?["timestamp"]))
            // Negative values mean unknown. They are left out, as are values out of bounds.
            point.put(.altitude, PhoneNumber.read(properties?["altitude"]))
            point.put(.speed, PhoneNumber.read(properties?["speed"]))
            point.put(.course, PhoneNumber.read(properties?["course"]))
            point.put(.accuracy, PhoneNumber.read(properties?["horizontal_accuracy"]))
            point.put(.battery, PhoneNumber.known(PhoneNumber.read(properties?["battery_level"])).map { $0 * 100 })
            point.isCharging = isCharging(properties?["battery_state"]?.string)
            point.isMoving = isMoving(properties?["motion"]?.array?.compactMap(\.string) ?? [])
            return point
        }
    }

    private static func isCharging(_ state: String?) -> Bool? {
        switch state {
        case "charging", "full": true
        case "unplugged": false
        default: nil
        }
    }

    /// Whether the phone moves. A phone at rest in a moving car reports both.
    private static func isMoving(_ motion: [String]) -> Bool? {
        if motion.contains(where: { ["walking", "running", "cycling", "driving"].contains($0) }) { return true }
        return motion.contains("stationary") ? false : nil
    }

    private static func password(_ head: HTTPRequestHead) -> String? {
        switch head.headers.credentials {
        case .bearer(let token): token
        case .basic(_, let password): password
        case nil: ["token", "access_token"].lazy.compactMap { head.query[$0] }.first
        }
    }
}

/// Overland's door.
final class OverlandDoor: PhoneDoor {
    static let app = PhoneApp.overland
    static let phoneVerbs = [HTTPMethod.post]
    static let method = "phone.publish"
    var reading: Overland.Reading?

    static func isAt(_ head: HTTPRequestHead) -> Bool { isAt("overland", head) }

    static func read(_ post: PhonePost) -> Overland.Reading { Overland.read(post) }

    static func answer(_ result: [UInt8], _ reading: Overland.Reading) -> HTTPAnswer { .json(200, Overland.ok) }

    static func refusal(_ reading: Overland.Reading) -> HTTPAnswer {
        var answer = HTTPAnswer.json(
            401, Array(#"{"error":"The access token is wrong: it has to be an app password for positions."}"#.utf8))
        answer.headers.append("WWW-Authenticate", "Bearer realm=\"kinwire\"")
        return answer
    }

    static func passwordShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> String? {
        isAt(head) ? read(PhonePost(head: head, body: body, isTooLong: false)).password : nil
    }
}
