import KinCodec
import KinKeeper
import KinModel

/// A button below what rang was pressed: `POST /answer/SECRET`, where the secret is good for one act of one member, once. Who
/// has it can do that and reads nothing.
///
/// What the button does is answered 200, whether it was done, was refused, or is asked no more: apps show a number alone, and
/// the notice itself then says what came of it.
final class AnswerDoor: Door {
    private enum Step {
        /// What is the secret good for?
        case looking
        /// That is being done.
        case doing
        /// It was refused, and the notice is to say so.
        case refused
    }

    private let secret: String
    private var step = Step.looking

    private init(_ secret: String) { self.secret = secret }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard let secret = secret(head) else { return nil }
        if head.method == .options {
            return .answered(
                open(
                    HTTPAnswer(
                        204,
                        [
                            "Allow": "POST, OPTIONS", "Access-Control-Allow-Methods": "POST, OPTIONS",
                            "Access-Control-Allow-Headers": "*",
                        ])))
        }
        return head.method == .post ? .taken(AnswerDoor(secret)) : .otherVerbs(["POST"])
    }

    private static func secret(_ head: HTTPRequestHead) -> String? {
        // What is no secret is refused as a wrong one is, by no other door.
        head.path.count == 2 && head.path[0] == "answer" ? head.path[1] : nil
    }

    static func isForEveryPage(_ head: HTTPRequestHead) -> Bool { secret(head) != nil }

    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String] {
        [secret(head)].compactMap(\.self)
    }

    func negotiate(_ doorway: Doorway) -> HTTPAnswer? { nil }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        doorway.ask("notice.answer", ["secret": .string(secret)], as: .none)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch (step, result) {
        case (.looking, .success(let bytes)): goOn(try? JSON.parse(bytes), doorway)
        case (.doing, .success(let bytes)): say((try? JSON.parse(bytes))?.array?.last, isDone: true, doorway)
        case (.refused, .success(let bytes)): say(try? JSON.parse(bytes), isDone: false, doorway)
        case (.doing, .failure(let rejection)) where rejection.kind != .unavailable:
            step = .refused
            doorway.ask(
                "notice.answered", ["secret": .string(secret), "why": .string(rejection.message)],
                as: .answer(secret))
        case (_, .failure(let rejection)): doorway.respond(Self.open(.problem(rejection)))
        }
    }

    private func goOn(_ found: JSON?, _ doorway: Doorway) {
        guard let method = found?["method"]?.string, let params = found?["params"]?.object else {
            return say(found, isDone: false, doorway)
        }
        step = .doing
        doorway.ask(
            Request.Step(method, params), [Request.Step("notice.answered", ["secret": .string(secret)])],
            as: .answer(secret))
    }

    private func say(_ said: JSON?, isDone: Bool, _ doorway: Doorway) {
        let text = said?["text"]?.string ?? ""
        doorway.respond(Self.open(.json(200, JSON.object(["done": .bool(isDone), "text": .string(text)]).bytes)))
    }

    /// ntfy's web clients are pages of any site. What they ask shows a secret of its own, and no cookie counts.
    private static func open(_ answer: HTTPAnswer) -> HTTPAnswer {
        var answer = answer
        answer.headers.append("Access-Control-Allow-Origin", "*")
        return answer
    }
}
