import KinCalendar
import KinModel
import Testing

@testable import KinWords

@Suite struct ReaderTests {
    private let now = Instant("2026-11-20T17:04:05.000Z") ?? .earliest

    private func reader(_ language: Language, _ clock: Reader.Clock = .hours24) throws -> Reader {
        Reader(language, try #require(Zone("Europe/Berlin")), clock: clock)
    }

    @Test func `moments are said in the reader's zone, language and clock`() throws {
        let (english, german) = (try reader(.english), try reader(.german))
        #expect(english.short(now, now: now) == "18:04")
        #expect(english.long(now) == "2026-11-20 18:04")
        #expect(german.long(now) == "20.11.2026 18:04")
        #expect(german.near(now.adding(days: 2), now: now) == "So 18:04")
        #expect(german.near(now.adding(seconds: -(5 * 24 + 23) * 3600), now: now) == "Sa 19:04")
        #expect(german.near(now.adding(seconds: -(6 * 24 + 23) * 3600), now: now) == "13. Nov. 19:04")
        #expect(german.near(now.adding(days: 40), now: now) == "30. Dez. 18:04")
        #expect(english.near(now.adding(days: 400), now: now) == "25 Dec 2027 18:04")
        let american = try reader(.english, .hours12)
        for (seconds, text) in [
            (0, "6:04 PM"), (-18 * 3600, "12:04 AM"), (-6 * 3600, "12:04 PM"), (-9 * 3600, "9:04 AM"),
        ] {
            #expect(american.time(american.civil(now.adding(seconds: Int64(seconds)))) == text)
        }
        #expect(english.range(now, now.adding(seconds: 3600), now: now) == "Fri 20 Nov 18:04–19:04")
        #expect(german.range(now, now.adding(days: 2), now: now) == "Fr 20. Nov. 18:04 – So 22. Nov. 18:04")
    }

    @Test func `ages and spans are said as people say them`() throws {
        let german = try reader(.german)
        #expect(german.age(now.adding(days: -3), now: now) == "vor 3 Tagen")
        #expect(german.age(now.adding(seconds: 180), now: now) == "in 3 min")
        #expect(german.age(now, now: now) == "gerade eben")
        #expect(german.span(seconds: 259_200) == "3 Tage")
    }

    @Test(
        arguments: [
            (0, "0 m", "0 m"), (44, "40 m", "40 m"), (994, "990 m", "990 m"), (995, "1.0 km", "1,0 km"),
            (2349, "2.3 km", "2,3 km"), (9949, "9.9 km", "9,9 km"), (9950, "10 km", "10 km"),
            (120_400, "120 km", "120 km"),
        ] as [(Double, String, String)])
    func `a distance has as many digits as it deserves`(metres: Double, english: String, german: String) throws {
        #expect(try reader(.english).distance(metres: metres) == english)
        #expect(try reader(.german).distance(metres: metres) == german)
    }

    @Test func `names are listed as in speech`() throws {
        let (english, german) = (try reader(.english), try reader(.german))
        #expect(english.list([]) == "")
        #expect(english.list(["Ada"]) == "Ada")
        #expect(english.list(["Ada", "Ben"]) == "Ada and Ben")
        #expect(german.list(["Ada", "Ben", "Cleo"]) == "Ada, Ben und Cleo")
    }

    /// Each type of event that the model declares is told by its type: with data that cannot be read it is told all the
    /// same, and no identifier stands in the sentence.
    @Test(arguments: Language.allCases) func `an event is told whatever its data are`(language: Language) throws {
        let reader = try reader(language)
        let types: [any EventDeclaration] = [
            Family.founded, Family.renamed, Household.founded, Household.renamed, Household.removed, Member.added,
            Member.joined, Member.updated, Member.moved, Member.removed, Position.hidden, Position.deleted, Place.added,
            Place.updated, Place.shown, Place.hidden, Place.removed, Meeting.proposed, Meeting.shown, Meeting.hidden,
            Meeting.deleted, Meeting.updated, Meeting.voted, Meeting.refused, Meeting.suggested, Meeting.attended,
            Meeting.confirmed, Meeting.cancelled, Meeting.closed, Meeting.ended, Meeting.nudged, Meeting.deadlineNear,
            Meeting.handedOver, Meeting.cleared, Inbox.announced, Inbox.announcementDeleted, Inbox.added, Inbox.read,
            Inbox.dismissed, Inbox.removed, Inbox.digested,
        ]
        for type in types {
            let event = Event(
                cursor: "c", type: type.name, at: now, by: nil, about: "x/01a1fd3b-e129-7742-9828-dfba90345cf3",
                data: [:])
            let said = Voice(event, Names(), reader, now: now).sentence
            #expect(said?.isEmpty == false && said?.contains("01a1fd3b") == false, "\(type.name): \(said ?? "nothing")")
        }
        let unknown = Event(cursor: "c", type: "chat.said", at: now, by: nil, about: "chat/1", data: [:])
        #expect(Voice(unknown, Names(), reader, now: now).sentence == nil)
        #expect(Voice(unknown, Names(), reader, now: now).text.hasSuffix(": chat.said"))
    }
}
