import Glibc
import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinWords
import Testing

@testable import kin

@Suite struct TailTests {
    @Test(arguments: Language.allCases)
    func `every type of event of the registry has a sentence of its own`(language: Language) {
        Language.$current.withValue(language) {
            let events = Family.events
            for type in Registry.family.events.keys.sorted() {
                let known = events.filter { $0.type == type }
                #expect(!known.isEmpty, "\(type) has no example in Family.events")
                for event in known {
                    let sentence = Sentence.of(event, Family.names, now: Family.now)
                    #expect(!sentence.contains(type), "\(type): \(sentence)")
                    // Neither an id, nor a placeholder or a key of the message files.
                    #expect(!sentence.contains("01a1fd3b") && !sentence.contains("{"), "\(type): \(sentence)")
                    #expect(
                        sentence.firstMatch(of: /\b(event|inbox|meet|change|answer|kinds|names)\.[a-z]/) == nil,
                        "\(sentence)")
                }
                // What a strange daemon might send is said somehow.
                for data: JSON in [[:], .array([]), ["meeting": 5, "member": [], "entry": "x", "votes": [1]]] {
                    let event = Event(cursor: "c", type: type, at: Family.now, by: nil, about: "x", data: data)
                    #expect(!Sentence.of(event, Names(), now: Family.now).isEmpty)
                }
            }
        }
    }

    @Test func `every change and answer that the daemon names is in the files`() {
        for language in Language.allCases {
            for key in ["title", "place", "note", "zone", "deadline", "slots", "suggestions", "invitees", "state"] {
                #expect(language.phrases["change.\(key)"] != nil)
            }
            for answer in Vote.Answer.allCases { #expect(language.phrases["answer.\(answer.rawValue)"] != nil) }
        }
    }

    private func entry(_ number: Int, by: Int = 1, at: Instant = Family.now) -> InboxEntry {
        InboxEntry(
            id: Family.id(400 + number), about: "meeting/\(Family.id(number))", isOfficial: false, at: at,
            title: "Meeting \(number)", lines: [["kind": "invited", "at": .time(at), "by": Family.json(by)]])
    }

    @Test func `one thing is told after a second, a burst once, and the next not before half a minute`() {
        let start = Family.now
        var notices = Notices(isCatchingUp: false)
        #expect(notices.milliseconds(start) == nil)
        notices.heard(entry(1), me: Family.id(0), now: start)
        #expect(notices.due(start).isEmpty)
        #expect(notices.milliseconds(start) == 1000)
        #expect(notices.due(start.adding(seconds: 1)).map(\.id) == [Family.id(401)])
        // A burst that goes on is told after five seconds at the latest; here the pause is longer.
        for second in 0..<60 {
            let now = start.adding(seconds: Int64(2 + second))
            notices.heard(entry(2 + second % 7), me: Family.id(0), now: now)
            let told = notices.due(now)
            #expect(told.isEmpty == ![29, 59].contains(second), "\(second)")
            if !told.isEmpty { #expect(Set(told.map(\.id)).count == told.count) }
        }
    }

    @Test func `what was missed is one notice, when it is over or nothing more comes`() {
        let start = Family.now
        var notices = Notices(isCatchingUp: true)
        for number in 0..<50 { notices.heard(entry(number), me: Family.id(0), now: start) }
        #expect(notices.due(start.adding(seconds: 1)).isEmpty)
        notices.caughtUp()
        let told = notices.due(start.adding(seconds: 1))
        #expect(told.count == 50)
        let text = Notices.text(told, InboxVoice(names: Family.names, now: start))
        #expect(text?.title == "50 new messages")
        #expect(text?.body.split(separator: "\n").count == 4)
        notices.lost()
        notices.heard(entry(1), me: Family.id(0), now: start.adding(seconds: 100))
        #expect(notices.due(start.adding(seconds: 102)).isEmpty)
        #expect(notices.due(start.adding(seconds: 103)).count == 1)
    }

    @Test func `own acts and what was read elsewhere meanwhile are not told`() {
        var notices = Notices(isCatchingUp: false)
        notices.heard(entry(1, by: 0), me: Family.id(0), now: Family.now)
        notices.heard(entry(2), me: Family.id(0), now: Family.now)
        notices.forget(Family.id(402))
        notices.heard(entry(3), me: Family.id(0), now: Family.now)
        notices.read(upTo: Family.now)
        #expect(notices.due(Family.now.adding(seconds: 60)).isEmpty)
    }

    @Test func `an inbox only repeats what whoever follows was told`() {
        let echoes = Family.events.filter { Voice($0, Family.names, now: Family.now).isEcho }
        // The example ends with allReplied, which no other event says; a device rings with what is in the inbox, and what one
        // has read one knows.
        #expect(Set(echoes.map(\.type)) == ["notice.rang", "room.read"])
        var entry = Family.entries[2]
        #expect(
            Voice(
                Event(
                    cursor: "c", type: "activity.added", at: Family.now, by: nil, about: "x",
                    data: ["entry": entry.json, "unread": 1]), Family.names, now: Family.now
            ).isEcho)
        entry = Family.entries[6]
        #expect(
            !Voice(
                Event(
                    cursor: "c", type: "activity.digested", at: Family.now, by: nil, about: "x",
                    data: ["entry": entry.json]), Family.names, now: Family.now
            ).isEcho)
    }
}
