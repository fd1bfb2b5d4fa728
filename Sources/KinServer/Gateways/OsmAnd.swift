import KinCodec
import KinKeeper
import KinMap
import KinModel

/// The protocol of OsmAnd, which Traccar Client speaks (traccar.org/osmand): a query or a form, or since version 9 JSON.
/// The device's identifier is the app password.
///
/// Answers: 200 when it is taken; to a wrong identifier, 400 for a query or form and 404 for JSON.
enum OsmAnd {
    private static let identifiers = ["id", "deviceid", "device_id"]
    /// Metres per second in a knot.
    private static let knot = 1852.0 / 3600

    /// A request that was read.
    struct Reading: PhoneReading {
        var password: String?
        var params: JSON.Object = [:]
        var note: String?
        /// It came as JSON, and not as a query or form.
        var isJSON = false
        /// More bytes than are taken.
        var isTooLong = false
    }

    static func read(_ post: PhonePost) -> Reading {
        let head = post.head
        var reading = Reading()
        reading.isTooLong = post.isTooLong
        let type = head.headers["Content-Type"].flatMap { MediaType($0) }?.name ?? ""
        reading.isJSON =
            head.method == .post
            && (type == "application/json" || post.body.first { $0 > 0x20 } == UInt8(ascii: "{"))
        let json = reading.isJSON && !post.isTooLong ? try? JSON.parse(post.body, duplicates: .lastWins) : nil
        let form = reading.isJSON ? FormFields() : FormFields(urlEncoded: post.body)
        let fields = FormFields(head.query.fields + form.fields)
        reading.password =
            identifiers.lazy.compactMap { fields[$0] ?? json?[$0]?.string ?? json?[$0]?.int.map { "\($0)" } }.first
            ?? (reading.isJSON && json == nil ? identifier(inBroken: post.body) : nil) ?? password(head)
        guard !post.isTooLong else {
            reading.note = "A phone with Traccar Client sent more at once than is taken."
            reading.params = params([])
            return reading
        }
        let points: [Result<PhonePoint, PhonePoint.Fault>]
        if reading.isJSON {
            guard let location = json?["location"] else {
                reading.note = "A message of Traccar Client was passed over: it is no JSON object with a location."
                reading.params = params([])
                return reading
            }
            points = (location.array ?? [location]).prefix(Limits.positionsPerReportMax).map { read($0) }
        } else {
            points = [read(fields)]
        }
        reading.params = params(points)
        return reading
    }

    private static func params(_ points: [Result<PhonePoint, PhonePoint.Fault>]) -> JSON.Object {
        let good = points.compactMap { try? $0.get().json }
        return [
            "app": .string(PhoneApp.traccar.rawValue), "points": .array(good),
            "unusable": .int(Int64(points.count - good.count)),
        ]
    }

    /// A query or form.
    private static func read(_ fields: FormFields) -> Result<PhonePoint, PhonePoint.Fault> {
        Result { () throws(PhonePoint.Fault) in
            var lat = PhoneNumber.read(fields["lat"])
            var lon = PhoneNumber.read(fields["lon"])
            if let pair = fields["location"]?.split(separator: ","), pair.count == 2 {
                lat = lat ?? PhoneNumber.read(String(pair[0]))
                lon = lon ?? PhoneNumber.read(String(pair[1]))
            }
            // Without a fix the app says so, or sends 0 twice.
            guard PhoneNumber.truth(fields["valid"]) != false, lat != 0 || lon != 0 else { throw .place }
            var point = try PhonePoint(lat: lat, lon: lon, at: PhoneNumber.moment(fields["timestamp"]))
            point.put(.speed, PhoneNumber.read(fields["speed"]).map { $0 * knot })
            point.put(.course, PhoneNumber.read(fields["bearing"] ?? fields["heading"]))
            point.put(.altitude, PhoneNumber.read(fields["altitude"]))
            point.put(.accuracy, PhoneNumber.read(fields["accuracy"]))
            point.put(.battery, PhoneNumber.read(fields["batt"]))
            point.isCharging = PhoneNumber.truth(fields["charge"])
            return point
        }
    }

    /// A location in JSON.
    private static func read(_ location: JSON) -> Result<PhonePoint, PhonePoint.Fault> {
        Result { () throws(PhonePoint.Fault) in
            let coords = location["coords"]
            var point = try PhonePoint(
                lat: PhoneNumber.read(coords?["latitude"]), lon: PhoneNumber.read(coords?["longitude"]),
                at: PhoneNumber.moment(location["timestamp"]))
            // Negative values mean unknown. They are left out, as are values out of bounds.
            point.put(.speed, PhoneNumber.read(coords?["speed"]))
            point.put(.course, PhoneNumber.read(coords?["heading"]))
            point.put(.altitude, PhoneNumber.read(coords?["altitude"]))
            point.put(.accuracy, PhoneNumber.read(coords?["accuracy"]))
            point.put(.battery, PhoneNumber.known(PhoneNumber.read(location["battery"]?["level"])).map { $0 * 100 })
            point.isCharging = PhoneNumber.truth(location["battery"]?["is_charging"])
            point.isMoving = PhoneNumber.truth(location["is_moving"])
            point.name(location["uuid"]?.string)
            return point
        }
    }

    private static func password(_ head: HTTPRequestHead) -> String? {
        switch head.headers.credentials {
        case .basic(_, let password): password
        case .bearer(let token): token
        case nil: nil
        }
    }

    /// The identifier in a broken JSON text, such as one with NaN in it, or one that is cut off: otherwise the app
    /// would send it for ever.
    static func identifier(inBroken body: [UInt8]) -> String? {
        let name = Array("\"device_id\"".utf8)
        guard body.count > name.count else { return nil }
        for start in 0..<(body.count - name.count) where body[start] == name[0] {
            guard body[start..<(start + name.count)].elementsEqual(name) else { continue }
            let rest = body[(start + name.count)...].drop { $0 <= 0x20 }
            guard rest.first == UInt8(ascii: ":") else { continue }
            let value = rest.dropFirst().drop { $0 <= 0x20 }
            guard value.first == UInt8(ascii: "\"") else { continue }
            let text = value.dropFirst().prefix(200).prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            return String(decoding: text, as: UTF8.self)
        }
        return nil
    }
}

/// Traccar Client's door.
final class OsmAndDoor: PhoneDoor {
    static let app = PhoneApp.traccar
    static let phoneVerbs = [HTTPMethod.get, .post]
    static let method = "phone.publish"
    var reading: OsmAnd.Reading?

    static func isAt(_ head: HTTPRequestHead) -> Bool { isAt("osmand", head) }

    static func read(_ post: PhonePost) -> OsmAnd.Reading { OsmAnd.read(post) }

    static func answer(_ result: [UInt8], _ reading: OsmAnd.Reading) -> HTTPAnswer {
        HTTPAnswer(200, ["Cache-Control": "no-store"])
    }

    static func refusal(_ reading: OsmAnd.Reading) -> HTTPAnswer {
        // The body is too long to hold its identifier. Nothing of it is kept, and the answer tells nothing.
        if reading.isTooLong, reading.password == nil { return HTTPAnswer(200, ["Cache-Control": "no-store"]) }
        return .text(
            reading.isJSON ? 404 : 400,
            "No such device: set the app's device identifier to an app password for positions.")
    }

    static func passwordShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> String? {
        isAt(head) ? read(PhonePost(head: head, body: body, isTooLong: false)).password : nil
    }
}
