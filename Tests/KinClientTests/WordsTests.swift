import Glibc
import KinModel
import KinWords
import Testing

@testable import kin

@Suite struct WordsTests {
    let now = Instant("2026-11-20T18:04:05.000Z") ?? .earliest

    @Test func `ages are said as people say them`() {
        for (seconds, words) in [
            (0, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago"),
            (172_799, "47 h ago"), (172_800, "2 days ago"), (-10, "just now"), (-180, "in 3 min"),
        ] as [(Int64, String)] {
            #expect(Words.age(now.adding(seconds: -seconds), now: now) == words)
        }
        #expect(Words.age(.earliest, now: .latest).hasSuffix("days ago"))
    }

    @Test func `spans are read, and nothing that overflows`() {
        for (text, seconds) in [
            ("90s", 90), ("10m", 600), ("2h", 7200), ("7d", 604_800), ("2w", 1_209_600), ("1h30m", 5400),
        ]
            as [(String, Int64)]
        {
            #expect(Words.seconds(text) == seconds)
        }
        for text in ["", "5", "h", "-1h", "1x", "1h5", "99999999999999999999h", "999999999w", "0s", "٣h", "1 h"] {
            #expect(Words.seconds(text) == nil, "\(text)")
        }
    }

    @Test func `moments ahead and behind lie ahead and behind`() throws {
        #expect(Words.ahead("2h", now: now) == now.adding(seconds: 7200))
        #expect(Words.behind("10m", now: now) == now.adding(seconds: -600))
        let evening = try #require(Words.ahead("18:00", now: now))
        #expect(evening > now && evening.milliseconds(since: now) <= 90_000_000)
        let before = try #require(Words.behind("18:00", now: now))
        #expect(before <= now && now.milliseconds(since: before) <= 90_000_000)
        let yesterday = try #require(Words.behind("yesterday", now: now))
        #expect(now.milliseconds(since: yesterday) >= 82_800_000)
        #expect(Words.ahead("2026-11-20T19:00:00Z", now: now) == Instant("2026-11-20T19:00:00Z"))
        #expect(Words.behind("2026-11-19", now: now) != nil)
        for text in ["24:00", "18:60", "8", "18:0", "2026-02-30", "2026-13-01", "tuesday", "jgjYGtvn9goxxoizrGTQ"] {
            #expect(Words.behind(text, now: now) == nil, "\(text)")
        }
    }

    @Test func `today's times have no date, other days' have one`() {
        #expect(LocalTime.short(now, now: now).count == 5)
        #expect(LocalTime.short(now.adding(days: -1), now: now).count == 16)
        #expect(LocalTime.long(now).count == 16)
        #expect(LocalTime.long(.earliest).contains(":"))
    }
}

@Suite struct PlainTests {
    @Test func `a name cannot move the cursor, end the line or turn it around`() {
        #expect(Plain.line("a\u{1B}[31m\nb\u{202E}c\u{9B}d\u{2028}e\u{7F}") == "a [31m bc d e ")
        #expect(Plain.line("Zoë 👩‍👧 دانا") == "Zoë 👩‍👧 دانا")
    }

    @Test func `columns are counted, not characters`() {
        #expect(Plain.columns("Zoë") == 3)
        #expect(Plain.columns("Zoe\u{308}") == 3)
        #expect(Plain.columns("家族") == 4)
        #expect(Plain.columns("👩‍👧") == 2)
        #expect(Plain.fitted("abcdef", 4) == "abc…")
        #expect(Plain.fitted("家族家族", 5) == "家族…")
        #expect(Plain.fitted("abc", 3) == "abc")
        #expect(Plain.padded("家", 4) == "家  ")
    }

    @Test func `a long line is broken at blanks, and no line is wider than the terminal`() {
        let text = "18:05 Ada: " + String(repeating: "dinner ", count: 12) + String(repeating: "x", count: 70)
        let lines = Plain.wrapped(text, 30, indent: 6).split(separator: "\n")
        #expect(lines.allSatisfy { Plain.columns(String($0)) <= 30 })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("      ") })
        let words = lines.enumerated().map { $0.offset == 0 ? String($0.element) : String($0.element.dropFirst(6)) }
        #expect(words.joined().filter { $0 != " " } == text.filter { $0 != " " })
        #expect(Plain.wrapped(text, nil, indent: 6) == text)
    }
}

@Suite struct ProgressBarTests {
    @Test func `it is never out of bounds`() {
        #expect(ProgressBar.text(5, of: 20) == "[#####---------------] 25 %  5 of 20")
        #expect(ProgressBar.text(0, of: 0).hasPrefix("[--------------------] 0 %"))
        #expect(ProgressBar.text(30, of: 20).hasPrefix("[####################] 100 %"))
    }
}
