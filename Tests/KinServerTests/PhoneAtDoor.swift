import KinCodec
import KinCrypto
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Ada's phone with an app password, before the doors of a family in a box.
struct PhoneAtDoor {
    let box: Box
    let password: String

    /// What each answer says to browsers.
    static let safety =
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n"
        + "Content-Security-Policy: \(HTTPAnswer.contentSecurityPolicy)\r\n"

    init(_ setting: Box.Setting = Box.Setting()) throws {
        box = try Box.family(setting)
        let made = try box.line("ada").result("appPassword.create", ["device": "pixel", "scope": "location"])
        password = try #require(made["password"]?.string)
    }

    var basic: String { "Basic " + Base64.encode(Array("ada:\(password)".utf8)) }
    /// Now, in seconds since 1970.
    var second: Int64 { box.time.wallMilliseconds() / 1000 }
    /// Now, as HTTP has it.
    var date: String { Instant(milliseconds: box.time.wallMilliseconds()).httpDate }

    /// A moment so many seconds from now, as JSON of the apps has it.
    func time(_ seconds: Int64 = 0) -> String {
        Instant(milliseconds: (second + seconds) * 1000).description
    }

    /// Sends bytes; answers with those that came.
    func send(_ request: String) throws -> String {
        let client = box.connect()
        try client.send(request)
        return client.text()
    }

    /// Posts a body; answers with status and body.
    func post(_ path: String, _ body: String, _ headers: [String] = []) throws -> BoxResponse {
        try box.connect().ask("POST \(path)", headers, body)
    }

    /// Ada's own dot, an empty object before there is one.
    func dot() throws -> JSON { try box.line("ada").result("position.latest")["positions"]?.array?.first ?? [:] }

    /// A number of Ada's own dot.
    func number(_ name: String) throws -> Double? { try dot()[name]?.double }

    /// The latitudes of the last day, oldest first.
    func history() throws -> [Double] {
        let answer = try box.line("ada").result(
            "position.history",
            [
                "member": .id(try box.person("ada").id), "from": .string(time(-86_400)), "to": .string(time(120)),
            ])
        return answer["positions"]?.array?.compactMap { $0["lat"]?.double } ?? []
    }

    /// Points of phones that were of no use, by the metrics.
    func unusable() throws -> Int {
        let metrics = try box.connect(from: Box.machine).ask("GET /metrics").text
        let line = metrics.split(separator: "\n").first { $0.hasPrefix("kinwire_points_unusable_total ") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
}
