import KinCodec
import KinKeeper
import KinModel

/// A phone's shortcut raises an alarm: `POST /alarm/SECRET`. The secret raises this one alarm of one member, and reads
/// nothing. The query may say where the phone is: `lat`, `lon`, `accuracy`.
final class AlarmDoor: Door {
    private let secret: String
    private var isRaising = false

    private init(_ secret: String) { self.secret = secret }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard let secret = secret(head) else { return nil }
        return head.method == .post ? .taken(AlarmDoor(secret)) : .otherVerbs(["POST"])
    }

    private static func secret(_ head: HTTPRequestHead) -> String? {
        guard head.path.count == 2, head.path[0] == "alarm", head.path[1].hasPrefix("alarm-"),
            NtfyDoor.isTopic(head.path[1])
        else { return nil }
        return head.path[1]
    }

    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String] { [secret(head)].compactMap(\.self) }

    func negotiate(_ doorway: Doorway) -> HTTPAnswer? { nil }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        doorway.ask("alarm.shortcut", ["secret": .string(secret)], as: .none)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch result {
        case .failure(let rejection): doorway.respond(.problem(rejection))
        case .success(let bytes) where isRaising:
            let called = (try? JSON.parse(bytes))?["alarm"]?["called"]?.array?.count ?? 0
            doorway.respond(.json(200, JSON.object(["done": true, "called": .int(Int64(called))]).bytes))
        case .success(let bytes):
            guard var params = (try? JSON.parse(bytes))?.object else {
                return doorway.respond(.problem(Rejection(.unavailable, "The alarm could not be raised.")))
            }
            isRaising = true
            if params["kind"] != .string("check"), let position = position(doorway) { params["position"] = position }
            doorway.ask("alarm.raise", params, as: .answer(secret))
        }
    }

    /// The phone's position as the query has it. Values that are no position are ignored, because the alarm matters
    /// more.
    private func position(_ doorway: Doorway) -> JSON? {
        let head = doorway.head
        guard let lat = head.query["lat"].flatMap({ Double($0) }), (-90...90).contains(lat),
            let lon = head.query["lon"].flatMap({ Double($0) }), (-180...180).contains(lon)
        else { return nil }
        let accuracy = head.query["accuracy"].flatMap { Double($0) }.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        return .object(leavingOut: [
            "lat": .double(lat), "lon": .double(lon), "at": .time(doorway.server.now),
            "accuracy": accuracy.map { .double($0) },
        ])
    }
}
