import Glibc
import KinSimulation
import KinModel
import Testing

/// A week of a family as a film: what is done, and what rings where.
@Suite struct FilmTests {
    private static let file =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        + "/Vectors/week.txt"

    @Test(.enabled(if: WorldTests.isRepeatable)) func `a week of a family rings as it is written down`() throws {
        let text = try Self.week().joined(separator: "\n") + "\n"
        if getenv("KINWIRE_WRITE_DOCS") != nil {
            let stream = try #require(fopen(Self.file, "w"))
            defer { fclose(stream) }
            #expect(fputs(text, stream) >= 0)
        }
        let stream = try #require(fopen(Self.file, "r"), "KINWIRE_WRITE_DOCS=1 writes it")
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        #expect(text == String(decoding: bytes[..<count], as: UTF8.self))
    }

    private static func week() throws(Finding) -> [String] {
        // A Monday, at six in the morning in UTC.
        let house = try RingingHouse(seed: 20, at: Instant("2026-11-23T06:00:00Z") ?? .earliest)
        try house.found("ada")
        try house.add("ben")
        try house.add("cleo")
        try house.add("kit", kind: "child")
        try house.call("ada", "notice.allowPush", ["on": true, "contact": "mailto:ada@example.org"])
        try house.addPhone("phone", of: "ada")
        try house.addPhone("phone", of: "ben")
        try house.addPhone("tablet", of: "ben", only: true)
        try house.addBrowser("laptop", of: "cleo")
        try house.addPhone("watch", of: "kit", discreet: true)
        let (adasPhone, bensPhone, bensTablet, kitsWatch) = (0, 1, 2, 4)

        func wait(until hour: Int64, _ minute: Int64 = 0, day: Int64) throws(Finding) {
            let monday = Instant("2026-11-23T00:00:00Z") ?? .earliest
            let goal = monday.adding(days: day).adding(seconds: hour * 3600 + minute * 60)
            while house.now < goal {
                try house.passes(seconds: min(60, goal.milliseconds(since: house.now) / 1000))
            }
        }
        func does(
            _ who: String, _ what: String, _ method: String, _ params: JSON.Object = [:]
        ) throws(Finding) -> JSON {
            house.note("\(who) \(what)")
            return try house.call(who, method, params)
        }
        func announce(_ text: String) throws(Finding) {
            _ = try does("ada", "announces: \(text)", "activity.announce", ["text": .string(text)])
        }
        func say(_ who: String, _ text: String) throws(Finding) {
            _ = try does(who, "says: \(text)", "activity.say", ["text": .string(text)])
        }
        func sleeps(_ index: Int) {
            house.note("\(house.phones[index].owner)'s \(house.phones[index].name) is out of reach")
            house.sleep(index)
        }

        // Monday: an ordinary day.
        try wait(until: 7, 30, day: 0)
        try announce("School is closed tomorrow")
        try wait(until: 7, 45, day: 0)
        _ = try does("ben", "reads his inbox", "activity.read", ["upTo": .time(house.now)])
        try wait(until: 17, day: 0)
        try say("cleo", "Soup is ready")
        // Tuesday: Ben's phone is away, and much is said.
        try wait(until: 9, day: 1)
        sleeps(bensPhone)
        try wait(until: 10, day: 1)
        for number in 1...24 {
            house.note("cleo says: \(number)")
            try house.call("cleo", "activity.say", ["text": .string("\(number)"), "to": try Self.only("ben", house)])
            try house.passes(seconds: 300)
        }
        try wait(until: 18, day: 1)
        house.note("ben's phone comes home")
        try house.wake(bensPhone)
        // Wednesday: Kit needs help, nobody at first answers.
        try wait(until: 15, day: 2)
        sleeps(adasPhone)
        try wait(until: 15, 10, day: 2)
        let sos = try does("kit", "needs help", "alarm.raise", ["kind": "sos", "text": "Flat tyre"])
        let alarm = sos["alarm"]?["id"] ?? .null
        try wait(until: 15, 13, day: 2)
        _ = try does("ben", "is coming", "alarm.answer", ["alarm": alarm, "answer": "coming"])
        try wait(until: 15, 20, day: 2)
        house.note("ada's phone comes home")
        try house.wake(adasPhone)
        try wait(until: 15, 40, day: 2)
        _ = try does("kit", "says that it is over", "alarm.end", ["alarm": alarm])
        // Thursday: quiet hours, and a day without the push service.
        _ = try does(
            "ben", "wants quiet from nine in the evening on school nights, and sound from Kit alone",
            "activity.setRules",
            [
                "quiet": [
                    "from": "21:00", "to": "07:00", "zone": "UTC", "days": ["sun", "mon", "tue", "wed", "thu"],
                ], "soundFrom": try Self.only("kit", house),
            ])
        try wait(until: 21, 30, day: 3)
        house.lose(pushService: true)
        house.note("the push service is away")
        try say("cleo", "Who has the keys?")
        try say("kit", "I do")
        try wait(until: 22, 30, day: 3)
        _ = try does("ada", "asks Ben to come", "alarm.raise", ["kind": "come", "to": try Self.only("ben", house)])
        try wait(until: 22, 33, day: 3)
        let calls = try house.call("ben", "alarm.list")["alarms"]?.array?.first?["id"] ?? .null
        _ = try does("ben", "silences it", "alarm.answer", ["alarm": calls, "answer": "seen"])
        try wait(until: 23, day: 3)
        house.lose(pushService: false)
        house.note("the push service is back")
        try wait(until: 7, 5, day: 4)
        // Friday: late again, but no school night.
        _ = try does("ada", "is there no longer", "alarm.end", ["alarm": calls])
        try wait(until: 22, day: 4)
        try say("kit", "Good night")
        try say("cleo", "Good night")
        // Saturday: the daemon is started anew while somebody is on the way.
        try wait(until: 14, day: 5)
        let way = try does(
            "kit", "is on the way", "alarm.raise",
            ["kind": "onTheWay", "expected": .time(house.now.adding(seconds: 1800))])
        try wait(until: 14, 20, day: 5)
        house.note("the daemon is started anew")
        try house.restart()
        try wait(until: 14, 40, day: 5)
        _ = try does("kit", "is there", "alarm.end", ["alarm": way["alarm"]?["id"] ?? .null])
        // Sunday: a check that nobody answers.
        try wait(until: 11, day: 6)
        sleeps(kitsWatch)
        sleeps(bensTablet)
        _ = try does(
            "ada", "asks whether all is well", "alarm.raise", ["kind": "check", "to": try Self.only("kit", house)])
        try wait(until: 11, 45, day: 6)
        house.note("kit's watch comes home")
        try house.wake(kitsWatch)
        let check = try house.call("kit", "alarm.list")["alarms"]?.array?.first?["id"] ?? .null
        _ = try does("kit", "says that all is well", "alarm.answer", ["alarm": check, "answer": "allWell"])
        try wait(until: 12, day: 6)
        return house.film
    }

    private static func only(_ name: String, _ house: RingingHouse) throws(Finding) -> JSON {
        let members = try house.call("ada", "member.list")["members"]?.array ?? []
        return .array(members.filter { $0["username"]?.string == name }.compactMap { $0["id"] })
    }
}
