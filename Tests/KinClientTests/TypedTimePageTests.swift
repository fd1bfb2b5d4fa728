import KinCalendar
import KinCodec
import KinModel
import Testing

@testable import kin

/// The family's page reads times that people type as `kin` does: both are asked the same, and answer alike.
@Suite(.enabled(if: Tree.hasProgram("node"), "Node.js is not installed"))
struct TypedTimePageTests {
    private struct Question {
        let text: String
        var now = "2026-11-20T18:04:05Z"
        var zone = "Europe/Berlin"
        var order: DateOrder?

        var json: JSON {
            let written: JSON = order.map { .string($0 == .monthFirst ? "monthFirst" : "dayFirst") } ?? .null
            return ["text": .string(text), "now": .string(now), "zone": .string(zone), "order": written]
        }
    }

    /// What the page's module understands, a line for each question: spans as milliseconds, or `?`.
    private static let script = """
        import { readFileSync } from "node:fs"
        import { readAll, Unread } from "./typed.mjs"
        for (const { text, now, zone, order } of JSON.parse(readFileSync(process.argv[2]))) {
          try { console.log(readAll(text, { now: Date.parse(now), zone, order }).map(one => `${one.start}-${one.end}`).join(" ")) }
          catch (error) { if (!(error instanceof Unread)) throw error; console.log("?") }
        }
        """

    private func page(_ questions: [Question]) -> [String] {
        Tree.temporary { folder in
            Tree.write(Tree.text(Tree.root + "/Sources/KinWeb/App/typed.js"), folder + "/typed.mjs")
            Tree.write(Self.script, folder + "/ask.mjs")
            Tree.write(JSON.array(questions.map(\.json)).text, folder + "/questions.json")
            let said = Tree.output(of: "node '\(folder)/ask.mjs' '\(folder)/questions.json'")
            return said.split(separator: "\n").map { String($0) }
        }
    }

    private func kin(_ question: Question) throws -> String {
        let (zone, now) = (try #require(Zone(question.zone)), try #require(Instant(question.now)))
        let words = question.text.split(separator: " ").map { String($0) }
        return LocalTime.$dateOrder.withValue(question.order) { () -> String in
            guard let times = try? TypedTime.all(words, now: now, zone: zone) else { return "?" }
            return times.map { "\($0.start.milliseconds)-\($0.end.milliseconds)" }.joined(separator: " ")
        }
    }

    private func compare(_ questions: [Question]) throws {
        let read = page(questions)
        try #require(read.count == questions.count, "\(read.suffix(3))")
        for (question, answer) in zip(questions, read) {
            let own = try kin(question)
            #expect(answer == own, "\(question)")
        }
    }

    @Test func `what people type is read alike, in both languages`() throws {
        let texts = [
            "sat 15:00", "tomorrow 18:30", "sa 15 Uhr", "morgen 18:30", "sat 18:00-20:00", "So., 12:00–14:00",
            "übermorgen 9-10:30", "20-22", "fri 18:00-20:00", "fri 20:00", "sat 22-24", "sat 6-8pm", "sat 11am - 1 pm",
            "24. Dezember 2027 18 Uhr", "Do 24.12. 18.30-20.15", "29.2. 10-12", "20.11. 10-12", "24.12.26 18-20",
            "fri 21:00 - sun 12:00", "27.12. 18:00 bis 2.1. 12:00", "18:00 Do 24.12.", "am Samstag um 18 Uhr",
            "heute abend um 9", "this evening 20:30", "morgen Abend 8", "Samstag morgen 8:30", "sat in the afternoon",
            "in 90 minutes", "in einer halben Stunde", "in 2 days 18:00", "in einer Woche 18 Uhr",
            "nächsten Freitag 18 Uhr", "friday next week 18:00", "25. Dez. 18h", "Dec 25th 6pm", "18h-20h sat",
            "heute abend 8 bis 11", "sat 18-20 sun 12-14", "sat 18 tomorrow 20", "6pm sat 8pm", "18:00 sat 20:00 sun",
            "2026-12-24T18:00-20:00", "2026-12-24 18:00 +2h", "2026-12-24 18:00 for 90m", "sat", "sat 18:00 blah",
            "12.10 18:00", "31.11. 18:00", "sat sun 18:00", "2026-11-19 10:00-11:00", "fri 24.12. 18:00", "next 18:00",
        ]
        try compare(texts.map { Question(text: $0) })
        #expect(try kin(Question(text: "sat 15:00")) != "?" && kin(Question(text: "morgen 18:30")) != "?")
    }

    @Test func `years that end, clocks that are put forward and back, and other places are read alike`() throws {
        var questions = [
            ("2026-03-27T10:00:00Z", "2026-03-29 02:30-04:00"), ("2026-10-20T10:00:00Z", "2026-10-25 02:30-04:00"),
            ("2026-10-20T10:00:00Z", "2026-10-25 02:50-02:10"), ("2026-10-20T10:00:00Z", "25.10. 1:00-2:30"),
            ("2026-12-31T21:30:00Z", "tonight"), ("2026-12-31T22:30:00Z", "31 Dec 18:00"),
            ("2027-03-01T12:00:00Z", "29 Feb 18:00"), ("2028-02-28T12:00:00Z", "in 2 days 9:00"),
            ("2027-03-27T17:00:00Z", "in 24 hours"), ("2027-10-31T00:30:00Z", "in 1 hour"),
        ].map { Question(text: $0.1, now: $0.0) }
        for zone in ["America/New_York", "Pacific/Auckland", "Asia/Kathmandu", "UTC"] {
            for text in ["sat 18:00-20:00", "tomorrow 0:30", "heute abend", "in 2 Stunden"] {
                questions.append(Question(text: text, zone: zone))
            }
        }
        for text in ["12/25 18:00", "25/12 18:00", "5/6 18:00", "5/6/2027 18:00"] {
            for order in [.monthFirst, .dayFirst, nil] as [DateOrder?] {
                questions.append(Question(text: text, order: order))
            }
        }
        try compare(questions)
    }

    @Test func `words in any order are read alike, and refused alike`() throws {
        let words = [
            "sat", "sun", "Samstag", "Do.", "so", "heute", "morgen", "tomorrow", "übermorgen", "next", "nächsten",
            "week", "this", "tonight", "evening", "abend", "früh", "18", "18:00", "6", "6pm", "9am", "18.30", "24.12.",
            "29.2.", "31.11.", "24", "dec", "Dezember", "25th", "2027", "2026-12-24", "in", "2", "hours", "Tagen",
            "half", "einer", "Stunde", "2h", "90m", "+2h", "18h", "-", "bis", "um", "Uhr", "am", "pm", "noon",
            "midnight", "24:00", "0h", "90", "18-20", "9-10:30", "20:00-01:00", "what",
        ]
        // From a seed, so that it is the same each time (Knuth's numbers).
        var state: UInt64 = 19
        func below(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let questions = (0..<400).map { _ in
            Question(text: (0...below(4)).map { _ in words[below(words.count)] }.joined(separator: " "))
        }
        try compare(questions)
        let read = try questions.filter { try kin($0) != "?" }
        #expect(read.count > 20, "some of them are times")
    }
}
