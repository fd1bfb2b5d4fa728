import KinActivity
import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import KinSimulation
import Testing

@testable import KinServer
@testable import KinServerBox

/// What a phone rings with is answered from the shade, as ntfy's app does it: a POST to a button's address, and nothing else.
@Suite struct AnswerTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func add(_ name: String, discreet: Bool = false) throws -> String {
        let line = try box.line(name)
        defer { line.leave() }
        return try #require(
            try line.result("notice.add", ["name": "Phone", "discreet": .bool(discreet)])["topic"]?.string)
    }

    private func call(_ name: String, _ method: String, _ params: JSON) throws -> JSON {
        let line = try box.line(name)
        defer { line.leave() }
        return try line.result(method, params)
    }

    private func id(_ name: String) throws -> JSON { .id(try box.person(name).id) }

    private var now: Instant { Instant(milliseconds: box.time.wallMilliseconds()) }

    /// Ada proposes something to Ben with so many slots; its identifier.
    @discardableResult
    private func propose(slots count: Int, _ title: String = "Supper") throws -> JSON {
        let slots = (0..<count).map { hour -> JSON in
            let start = now.adding(days: 2).adding(seconds: Int64(hour) * 7200)
            return ["start": .time(start), "end": .time(start.adding(seconds: 3600))]
        }
        return try #require(
            try call(
                "ada", "meeting.propose",
                [
                    "title": .string(title), "kind": "group", "zone": "Europe/Berlin",
                    "invitees": .array([try id("ben")]), "slots": .array(slots),
                ])["meeting"]?["id"])
    }

    private func messages(_ topic: String, since: String = "all") throws -> [JSON] {
        try box.connect().ask("GET /\(topic)/json?poll=1&since=\(since)").text.split(separator: "\n").map {
            try JSON.parse(Array($0.utf8))
        }
    }

    private func actions(_ topic: String) throws -> [JSON] { try messages(topic).last?["actions"]?.array ?? [] }
    private func labels(_ actions: [JSON]) -> [String] { actions.compactMap { $0["label"]?.string } }

    /// Presses a button as the app does: its own method, no content, no credential.
    private func press(_ action: JSON, headers: [String] = []) throws -> (status: Int, json: JSON?, text: String) {
        let url = try #require(action["url"]?.string)
        #expect(url.hasPrefix("https://box.local:5469/answer/"))
        let answer = try box.connect().ask(
            "POST \(url.dropFirst("https://box.local:5469".count))", ["Content-Length: 0"] + headers)
        return (answer.status, answer.json, answer.text)
    }

    /// A phone whose app listens.
    private func listen(_ topic: String) throws -> BoxClient {
        let live = box.connect()
        live.post("GET /\(topic)/json HTTP/1.1\r\nHost: box.local\r\n\r\n")
        try box.settle()
        _ = live.receive()
        return live
    }

    /// What it got since.
    private func heard(_ live: BoxClient) throws -> [JSON] {
        try box.settle()
        return String(decoding: live.receive(), as: UTF8.self).split(separator: "\r\n").compactMap {
            $0.hasPrefix("{") ? try? JSON.parse(Array($0.utf8)) : nil
        }
    }

    private func own(_ name: String, _ meeting: JSON) throws -> JSON {
        try #require(try call(name, "meeting.show", ["meeting": meeting])["own"])
    }

    @Test func `an invitation with one slot is voted on by one button, and its notice says what was answered`() throws {
        let topic = try add("ben")
        let meeting = try propose(slots: 1)
        let before = try #require(try messages(topic).last)
        let buttons = try #require(before["actions"]?.array)
        #expect(labels(buttons) == ["Yes", "If need be", "No"])
        #expect(buttons[0].object?.names == ["id", "action", "label", "clear", "url", "method"])
        #expect(buttons[0]["action"] == "http" && buttons[0]["method"] == "POST")
        let live = box.connect()
        live.post("GET /\(topic)/json HTTP/1.1\r\nHost: box.local\r\n\r\n")
        try box.settle()
        let pressed = try press(buttons[1])
        #expect(pressed.status == 200 && pressed.json == ["done": true, "text": "Answered: If need be"])
        #expect(try own("ben", meeting)["votes"]?.array?.first?["answer"] == "ifNeedBe")
        try box.settle()
        let said = String(decoding: live.receive(), as: UTF8.self)
        #expect(said.contains(#""message":"Answered: If need be""#), "\(said)")
        #expect(said.contains(#""sequence_id":"\#(before["sequence_id"]?.string ?? "?")""#))
        // Who was away is told that there is nothing to show any more, and a new phone is told nothing.
        let later = try messages(topic, since: try #require(before["id"]?.string))
        #expect(later.map { $0["event"] } == ["message_clear"])
        #expect(try messages(topic).isEmpty)
    }

    @Test func `a button is good once, and none of its neighbours after it`() throws {
        let topic = try add("ben")
        let meeting = try propose(slots: 1)
        let buttons = try actions(topic)
        #expect(try press(buttons[0]).json?["done"] == true)
        for button in buttons {
            let again = try press(button)
            #expect(again.status == 200 && again.json == ["done": false, "text": "This was answered already"])
        }
        #expect(try own("ben", meeting)["votes"]?.array?.first?["answer"] == "yes")
    }

    @Test func `a phone that was lost answers nothing once it is removed, though another one rings`() throws {
        let (lost, kept) = (try add("ben"), try add("ben"))
        let meeting = try propose(slots: 1)
        let (buttons, others) = (try actions(lost), try actions(kept))
        #expect(buttons.count == 3 && buttons[0]["url"] != others[0]["url"])
        let first = try #require(try call("ben", "notice.list", [:])["devices"]?.array?.first?["id"])
        _ = try call("ben", "notice.remove", ["device": first])
        // Both were made in the same millisecond: it may be the one or the other.
        let isLost = try box.connect().ask("GET /\(lost)/auth").status == 403
        let (dead, alive) = isLost ? (buttons, others) : (others, buttons)
        #expect(try press(dead[2]).status == 403)
        #expect(try press(alive[0]).json?["done"] == true)
        #expect(try own("ben", meeting)["votes"]?.array?.first?["answer"] == "yes")
    }

    @Test func `what is no secret of a button is refused as a wrong one is`() throws {
        let wrong = try box.connect().ask("POST /answer/\(String(repeating: "A", count: 43))", ["Content-Length: 0"])
        let short = try box.connect().ask("POST /answer/wrong", ["Content-Length: 0"])
        #expect(wrong.status == 403 && short.status == 403 && short.text == wrong.text)
    }

    @Test func `several slots are answered all or none, and else opened`() throws {
        let topic = try add("ben")
        let meeting = try propose(slots: 3)
        let buttons = try actions(topic)
        #expect(labels(buttons) == ["Any time suits me", "None suits me", "Open"])
        #expect(buttons[2]["action"] == "view" && buttons[2]["url"]?.string?.contains("/#/") == true)
        #expect(try press(buttons[0]).json?["done"] == true)
        let votes = try #require(try own("ben", meeting)["votes"]?.array)
        #expect(votes.count == 3 && votes.allSatisfy { $0["answer"] == "yes" })
        let other = try propose(slots: 2, "Cinema")
        #expect(try press(try actions(topic)[1]).json?["done"] == true)
        #expect(try own("ben", other)["reply"] == "refused")
    }

    @Test func `what was changed since is not answered by an old button`() throws {
        let topic = try add("ben")
        let meeting = try propose(slots: 1)
        let old = try actions(topic)
        let start = now.adding(days: 5)
        _ = try call(
            "ada", "meeting.update",
            [
                "meeting": meeting,
                "slots": [["start": .time(start), "end": .time(start.adding(seconds: 3600))]],
            ])
        let pressed = try press(old[0])
        #expect(pressed.status == 200 && pressed.json == ["done": false, "text": "This is no longer asked"])
        #expect(try own("ben", meeting)["reply"] == "none")
        #expect(try press(try actions(topic)[2]).json?["done"] == true)
        #expect(try own("ben", meeting)["votes"]?.array?.first?["answer"] == "no")
    }

    @Test func `after the meeting is over, and after it was answered otherwise, a button does nothing`() throws {
        let topic = try add("ben")
        let meeting = try propose(slots: 1)
        let buttons = try actions(topic)
        let had = try #require(try messages(topic).last)
        let slot = try #require(
            try call("ben", "meeting.show", ["meeting": meeting])["meeting"]?["slots"]?.array?.first?["id"])
        _ = try call("ben", "meeting.vote", ["meeting": meeting, "votes": [["slot": slot, "answer": "yes"]]])
        let cleared = try messages(topic, since: try #require(had["id"]?.string))
        #expect(cleared.map { $0["event"] } == ["message_clear"])
        #expect(cleared.first?["sequence_id"] == had["sequence_id"])
        #expect(try press(buttons[2]).json == ["done": false, "text": "This is no longer asked"])
        #expect(try own("ben", meeting)["votes"]?.array?.first?["answer"] == "yes")
        let other = try propose(slots: 1, "Cinema")
        let late = try actions(topic)
        try box.advance(seconds: 3 * 86_400)
        let live = try listen(topic)
        #expect(try press(late[0]).json == ["done": false, "text": "This is no longer asked"])
        // A notice that is still shown says so itself.
        #expect(try heard(live).last?["message"] == "This is no longer asked")
        #expect(try own("ben", other)["reply"] == "none")
    }

    @Test func `after it was cancelled, or after its member left, a button does nothing`() throws {
        let topic = try add("ben")
        let meeting = try propose(slots: 1)
        let buttons = try actions(topic)
        _ = try call("ada", "meeting.cancel", ["meeting": meeting])
        #expect(try press(buttons[0]).json == ["done": false, "text": "This is no longer asked"])
        try propose(slots: 1, "Cinema")
        let others = try actions(topic)
        _ = try call("ada", "member.remove", ["member": try id("ben"), "keep": "delete"])
        let gone = try press(others[0])
        #expect(gone.status == 403, "\(gone.text)")
    }

    @Test func `a confirmed meeting asks whether one is going`() throws {
        let topic = try add("ben")
        let meeting = try propose(slots: 1)
        let slot = try #require(
            try call("ada", "meeting.show", ["meeting": meeting])["meeting"]?["slots"]?.array?.first?["id"])
        _ = try call("ada", "meeting.confirm", ["meeting": meeting, "slot": slot])
        let buttons = try actions(topic)
        #expect(labels(buttons) == ["Going", "Not going", "Later"])
        #expect(try press(buttons[1]).json?["done"] == true)
        #expect(try own("ben", meeting)["attendance"] == "notGoing")
    }

    @Test func `what somebody said is answered to that one, in the words of the one who answers`() throws {
        let topic = try add("ben")
        _ = try call("ben", "settings.set", ["language": "de"])
        _ = try call("ada", "activity.say", ["text": "Come home"])
        let buttons = try actions(topic)
        #expect(labels(buttons) == ["Bin unterwegs", "Ruf mich an", "Später"])
        #expect(try press(buttons[0]).json == ["done": true, "text": "Geantwortet: Bin unterwegs"])
        let inbox = try call("ada", "activity.list", [:])["entries"]?.array
        #expect(inbox?.first?["title"] == "Bin unterwegs")
    }

    @Test func `an announcement is done with by one button, and is out of the inbox`() throws {
        let topic = try add("ben")
        _ = try call("ada", "activity.announce", ["text": "Water off at ten"])
        let buttons = try actions(topic)
        #expect(labels(buttons) == ["Done", "Later"])
        #expect(try press(buttons[0]).json?["done"] == true)
        #expect(try messages(topic).isEmpty)
        let entries = try #require(try call("ben", "activity.list", [:])["entries"]?.array)
        #expect(!entries.contains { $0["title"] == "Water off at ten" })
    }

    @Test func `later is silent until then, and rings once more if it is unread still`() throws {
        let topic = try add("ben")
        _ = try call("ada", "activity.announce", ["text": "Water off at ten"])
        let had = try #require(try messages(topic).last?["id"]?.string)
        let pressed = try press(try #require(try actions(topic).last))
        #expect(pressed.json == ["done": true, "text": "Answered: Later"])
        #expect(try messages(topic).isEmpty)
        #expect(try messages(topic, since: had).map { $0["event"] } == ["message_clear"])
        try box.advance(seconds: 3599)
        #expect(try messages(topic).isEmpty)
        try box.advance(seconds: 2)
        let again = try messages(topic)
        #expect(again.count == 1 && labels(again[0]["actions"]?.array ?? []) == ["Done", "Later"])
        #expect(try press(try #require(again[0]["actions"]?.array?.first)).json?["done"] == true)
    }

    @Test func `what was put off and rang with something new does not ring twice`() throws {
        let topic = try add("ben")
        let meeting = try propose(slots: 2)
        let entry = try #require(try messages(topic).last?["sequence_id"])
        _ = try call("ben", "notice.snooze", ["entry": entry])
        #expect(try messages(topic).isEmpty)
        _ = try call("ada", "meeting.nudge", ["meeting": meeting])
        let had = try #require(try messages(topic).last?["id"])
        try box.advance(seconds: 3601)
        #expect(try messages(topic).last?["id"] == had)
    }

    @Test func `a refusal is told in the notice, and the button is good no more`() throws {
        let topic = try add("ben")
        _ = try call("ada", "activity.say", ["text": "Come home"])
        let buttons = try actions(topic)
        let live = try listen(topic)
        // Ben has said all that he may today.
        for index in 0..<Int(KinModel.Limits.sayingsPerDayMax) {
            _ = try call("ben", "activity.say", ["text": .string("\(index)"), "to": .array([try id("ada")])])
        }
        let pressed = try press(buttons[0])
        #expect(pressed.status == 200 && pressed.json?["done"] == false)
        #expect(pressed.json?["text"]?.string?.hasPrefix("Not done: You said ") == true, "\(pressed.text)")
        // The app shows a status alone: the notice says why.
        #expect(try heard(live).last?["message"] == pressed.json?["text"])
        #expect(try press(buttons[0]).json?["text"] == "This was answered already")
    }

    @Test func `a discreet phone shows no buttons, and a guessed secret does nothing and is slowed`() throws {
        let topic = try add("ben", discreet: true)
        try propose(slots: 1)
        let message = try #require(try messages(topic).last)
        #expect(message["message"] == "Something for you" && message["actions"] == nil)
        let guess = Base64.urlEncode([UInt8](repeating: 7, count: 32))
        var statuses: [Int] = []
        for _ in 0..<12 {
            statuses.append(try box.connect().ask("POST /answer/\(guess)", ["Content-Length: 0"]).status)
        }
        #expect(statuses.first == 403 && statuses.last == 429, "\(statuses)")
    }

    @Test func `its address takes nothing else, gives nothing to read, and answers pages of every site`() throws {
        let topic = try add("ben")
        try propose(slots: 1)
        let url = try #require(try actions(topic)[0]["url"]?.string)
        let path = String(url.dropFirst("https://box.local:5469".count))
        let read = try box.connect().ask("GET \(path)")
        #expect(read.status == 405 && read["Allow"]?.contains("POST") == true)
        let asked = try box.connect().ask(
            "OPTIONS \(path)", ["Origin: https://ntfy.example", "Access-Control-Request-Method: POST"])
        #expect(asked.status == 204 && asked["Access-Control-Allow-Origin"] == "*")
        // It is no credential for anything else.
        let secret = String(path.dropFirst("/answer/".count))
        for what in ["/api/activity", "/api/meetings"] {
            #expect(try box.connect().ask("GET \(what)", ["Authorization: Bearer \(secret)"]).status == 401)
        }
        #expect(try box.connect().ask("GET /\(secret)/json?poll=1").status == 403)
        let pressed = try press(try actions(topic)[0], headers: ["Origin: https://ntfy.example"])
        #expect(pressed.status == 200 && pressed.json?["done"] == true)
    }

    @Test func `neither the log nor another client of the member has the secret`() throws {
        let topic = try add("ben")
        let follower = try box.line("ben")
        _ = try follower.result("live.follow", [:])
        try propose(slots: 1)
        let url = try #require(try actions(topic)[0]["url"]?.string)
        let secret = try #require(url.split(separator: "/").last)
        try box.settle()
        let heard = try follower.heard().map(\.text).joined()
        #expect(heard.contains("notice.rang") && heard.contains(#""label":"Yes""#) && !heard.contains(secret))
        follower.leave()
    }
}
