import KinCalendar
import KinCodec
import KinModel
import KinWords
import Testing

@testable import KinNotices

/// What a push says to a browser, before it is enciphered.
@Suite struct PushTextTests {
    private func text(_ notice: Notice, discreet: String? = nil) throws -> (PushText, JSON) {
        let text = PushText(
            notice, page: "https://kin.local:5469", salt: [1], key: [2], discreet: discreet,
            reader: Reader(.english, .utc), closed: [])
        return (text, try #require(try JSON.parse(text.bytes)["notification"]))
    }

    @Test func `how long it is kept and how urgent it is go by its kind, and its topic by its entry alone`() throws {
        let id = Identifier(high: 1, low: 2)
        func notice(_ priority: Int64?, _ entry: Identifier = id) -> Notice {
            Notice(
                id: "abcdefghijkl", act: .ring, entry: entry, at: Instant(milliseconds: 1_790_000_000_000), text: "x",
                priority: priority)
        }
        let said = try ([nil, 2, 4, 5] as [Int64?]).map { try text(notice($0)).0 }
        #expect(said.map(\.urgency) == ["normal", "low", "high", "high"])
        #expect(said.map(\.lifeSeconds) == [86_400, 86_400, 86_400, 3600])
        #expect(Set(said.map(\.topic)).count == 1)
        #expect(try text(notice(nil, Identifier(high: 1, low: 3))).0.topic != said[0].topic)
    }

    @Test func `a discreet browser is told that there is something, and nothing else`() throws {
        let notice = Notice(
            id: "abcdefghijkl", act: .ring, entry: Identifier(high: 1, low: 2),
            at: Instant(milliseconds: 1_790_000_000_000), title: "Supper",
            text: "Sunday at six?", click: "/#/meetings/1",
            answers: [NoticeAnswer(offer: Identifier(high: 3, low: 4), name: "yes.0", label: "Yes")])
        let open = try text(notice).1
        #expect(open["title"] == "Supper" && open["actions"]?.array?.count == 1)
        // Where a browser shows no buttons, as on iPhones, a tap opens what is asked.
        #expect(open["navigate"] == "https://kin.local:5469/#/meetings/1")
        let (sealed, said) = try text(notice, discreet: "Something for you")
        #expect(said["title"] == "Something for you" && said["body"] == "" && said["actions"] == nil)
        #expect(said["navigate"] == "https://kin.local:5469/" && said["data"]?["answers"] == nil)
        let all = String(decoding: sealed.bytes, as: UTF8.self)
        for secret in ["Supper", "Sunday", "meetings", "/answer/"] { #expect(!all.contains(secret), "\(all)") }
    }
}
