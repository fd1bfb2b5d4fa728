import KinCalendar
import KinModel
import KinWords
import Testing

@testable import kin

@Suite struct RepeatWordsTests {
    private func said(_ rule: String, _ language: Language) throws -> String? {
        let today = try #require(Civil("2027-03-01T12:00"))
        return Language.$current.withValue(language) { RepeatWords.said(rule, Reader(language, .utc), today: today) }
    }

    @Test(arguments: [
        ("FREQ=DAILY", "every day", "jeden Tag"), ("FREQ=WEEKLY", "every week", "jede Woche"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "every 2 weeks on Tue, Thu", "alle 2 Wochen am Di, Do"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Fri", "jeden Monat am letzten Fr"),
        ("FREQ=MONTHLY;BYDAY=2TU;COUNT=4", "every month on Tue no. 2, 4 times", "jeden Monat am 2. Di, 4-mal"),
        ("FREQ=YEARLY;UNTIL=20270630", "every year, until 30 Jun", "jedes Jahr, bis 30. Juni"),
    ])
    func `a usual rule is said in words`(rule: String, english: String, german: String) throws {
        #expect(try said(rule, .english) == english)
        #expect(try said(rule, .german) == german)
    }

    @Test(arguments: ["FREQ=HOURLY", "FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO", "nonsense", "FREQ=WEEKLY;BYDAY=XX", ""])
    func `any other rule has no words`(rule: String) throws {
        for language in Language.allCases { #expect(try said(rule, language) == nil) }
    }
}

/// What the daemon reads is the same in every language.
@Suite struct WireDayTests {
    @Test(arguments: Language.allCases) func `a day on the wire is in no language`(language: Language) throws {
        let day = try #require(Civil("2026-11-24T18:00"))
        Language.$current.withValue(language) {
            #expect(JSON.day(day) == "2026-11-24")
            #expect(CalendarCommands.window(day, 2)["to"] == "2026-11-25")
        }
    }

    @Test func `no word for a reader is sent as a parameter`() {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        for path in Tree.swiftFiles(below: root + "/Sources/kin") {
            let sent = Tree.text(path).matches(of: /\.string\((?:Reader\.here|LocalTime\.(?:short|long|day|near|span))/)
            #expect(sent.isEmpty, "\(path)")
        }
    }

    @Test func `a birthday is typed as people write it`() {
        #expect(ProfileCommands.birthday("4.3.1985") == "1985-03-04")
        #expect(ProfileCommands.birthday("24. 12.") == "--12-24")
        #expect(ProfileCommands.birthday("1985-03-04") == nil)
    }
}
