import KinModel
import Testing

@testable import KinCalendar

@Suite struct CivilTests {
    @Test func `a civil time is read and written`() throws {
        let civil = try #require(Civil("2026-11-22T18:05"))
        #expect(
            [civil.year, civil.month, civil.day, civil.hour, civil.minute, civil.second] == [2026, 11, 22, 18, 5, 0])
        #expect(civil.weekday == 7)
        #expect(civil.description == "2026-11-22T18:05")
        #expect(Civil("2026-11-22 18:05:07")?.description == "2026-11-22T18:05:07")
        #expect(Civil(year: 1969, month: 12, day: 31, hour: 23)?.weekday == 3)
        #expect(civil.adding(days: 9).description == "2026-12-01T18:05")
        #expect(civil < civil.adding(days: 1))
    }

    @Test(arguments: [
        "", "2026-11-22", "2026-11-22T18", "2026-11-22T24:00", "2026-11-22T18:60", "2026-02-29T10:00",
        "2026-13-01T10:00",
        "2026-00-01T10:00", "2026-11-22T18:00Z", "2026-11-22T18:00+01", "2026-11-22T18:00:60", "0000-01-01T00:00",
        "２０２６-11-22T18:00", "2026-11-22X18:00",
    ])
    func `what is no civil time is not read`(text: String) {
        #expect(Civil(text) == nil)
    }
}
