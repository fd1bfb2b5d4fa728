import KinCodec
import KinKeeper
import KinModel

/// A button below a notice was pressed: `POST /answer/SECRET`. The secret permits one act of one member, once, and
/// reads nothing.
///
/// A valid secret is answered 200, whether the act was done, was refused, or is no longer asked. Apps show nothing but
/// a status, so the notice itself then says what came of it.
final class AnswerDoor: Door {
    private enum Step {
        /// The keeper is asked what the secret permits.
        case looking
        /// The act is being carried out.
        case doing
        /// The act was refused, and the notice must say so.
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
        // A text that cannot be a secret is refused here, like a wrong one.
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
            guard found?["isOpen"]?.bool ?? false else { return say(found, isDone: false, doorway) }
            // The button is still shown: the notice says why nothing is done.
            step = .refused
            return doorway.ask("notice.answered", ["secret": .string(secret), "over": true], as: .answer(secret))
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

    /// ntfy's web clients are pages of any site. Their requests show a secret of their own, and no cookie counts.
    private static func open(_ answer: HTTPAnswer) -> HTTPAnswer {
        var answer = answer
        answer.headers.append("Access-Control-Allow-Origin", "*")
        return answer
    }
}
