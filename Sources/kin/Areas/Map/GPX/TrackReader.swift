import CExpat
import KinModel

/// Reads the track points of a GPX file piece by piece, by Expat. A file is another person's: document types (and with
/// them entities that grow or reach out) are refused, and nothing outside the points is kept.
final class TrackReader {
    /// The most points of a track, far more than anybody needs: twelve days with a point each second.
    static let pointsMax = 1_000_000
    static let depthMax = 64
    private static let textBytesMax = 128

    /// The points so far, in the file's order.
    private(set) var points: [TrackPoint] = []
    /// The number of points whose latitude or longitude cannot be used.
    private(set) var unusable = 0

    private let parser: XML_Parser
    private var depth = 0
    private var point: TrackPoint?
    /// The elements around the text, from the point's own children inwards, without their prefixes.
    private var path: [String] = []
    /// Whether only text has come since the innermost of them began.
    private var isLeaf = false
    private var text: [UInt8] = []
    private var refusal: String?

    init() throws(Problem) {
        guard let parser = XML_ParserCreate(nil) else { throw .failed(phrase("import.no-memory")) }
        self.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { TrackReader.from($0)?.began($1, $2) },
            { data, _ in TrackReader.from(data)?.ended() })
        XML_SetCharacterDataHandler(parser) { data, bytes, count in
            guard let bytes, count > 0 else { return }
            bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { pointer in
                TrackReader.from(data)?.heard(UnsafeBufferPointer(start: pointer, count: Int(count)))
            }
        }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            TrackReader.from(data)?.refuse(phrase("import.doctype"))
        }
    }

    deinit { XML_ParserFree(parser) }

    /// Takes the next piece of the file; `isLast` with the last one, which may be empty.
    func take(_ bytes: [UInt8], isLast: Bool) throws(Problem) {
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(
                parser, buffer.bindMemory(to: CChar.self).baseAddress, Int32(clamping: buffer.count), isLast ? 1 : 0)
        }
        if let refusal { throw .failed(phrase("import.refused", ["reason": refusal])) }
        guard status == XML_STATUS_OK else {
            let reason =
                XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? phrase("import.unknown")
            throw .failed(phrase("import.damaged", ["reason": reason, "line": XML_GetCurrentLineNumber(parser)]))
        }
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> TrackReader? {
        // The reader owns the parser and calls it; it lives as long as any callback runs.
        data.map { Unmanaged<TrackReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func refuse(_ reason: String) {
        refusal = refusal ?? reason
        XML_StopParser(parser, 0)
    }

    private func began(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        depth += 1
        guard depth <= Self.depthMax else { return refuse(phrase("import.deep", ["max": Self.depthMax])) }
        let local = Self.localName(name)
        text.removeAll(keepingCapacity: true)
        isLeaf = true
        guard local == "trkpt" else {
            if point != nil { path.append(local) }
            return
        }
        path = []
        guard points.count < Self.pointsMax else { return refuse(phrase("import.long", ["max": Self.pointsMax])) }
        var lat: Double?
        var lon: Double?
        var index = 0
        while let attributes, let key = attributes[index], let value = attributes[index + 1] {
            if Self.localName(key) == "lat" { lat = Self.number(String(cString: value), in: -90...90) }
            if Self.localName(key) == "lon" { lon = Self.number(String(cString: value), in: -180...180) }
            index += 2
        }
        if let lat, let lon {
            point = TrackPoint(lat: lat, lon: lon)
        } else {
            point = nil
            unusable += 1
        }
    }

    private func heard(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard point != nil, text.count + bytes.count <= Self.textBytesMax else { return }
        text += bytes
    }

    private func ended() {
        defer { depth -= 1 }
        guard let found = point else { return }
        guard !path.isEmpty else {
            points.append(found)
            point = nil
            return
        }
        defer {
            path.removeLast()
            isLeaf = false
        }
        // Text counts only if the element that ends is the one that began last. Text around child elements does not.
        guard isLeaf else { return }
        let words = String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
        switch path {
        case ["time"]: point?.at = Instant(words) ?? Instant(words + "Z")
        case ["ele"]: point?.elevation = Self.number(words, in: -12_000...40_000_000)
        // In GPX 1.0 these elements stand in the point itself. In GPX 1.1 they stand in Garmin's extension, whatever
        // its prefix and version.
        case ["speed"], ["extensions", "TrackPointExtension", "speed"]:
            point?.speed = Self.number(words, in: 0...11_200)
        case ["course"], ["extensions", "TrackPointExtension", "course"]:
            point?.course = Self.number(words, in: 0...360)
        default: break
        }
    }

    private static func localName(_ name: UnsafePointer<CChar>?) -> String {
        guard let name else { return "" }
        let text = String(cString: name)
        return text.split(separator: ":").last.map { String($0) } ?? text
    }

    private static func number(_ text: String, in bounds: ClosedRange<Double>) -> Double? {
        Double(text).flatMap { bounds.contains($0) ? $0 : nil }
    }
}
