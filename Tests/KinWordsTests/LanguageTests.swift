import Testing

@testable import KinWords

@Suite struct LanguageTests {
    @Test(
        arguments: [
            (nil, Language.english), ("", .english), ("de", .german), ("DE", .german), ("de-AT", .german),
            ("de-AT,de;q=0.9,en;q=0.8", .german), ("en-GB,en;q=0.9,de;q=0.8", .english),
            ("en;q=0.3, de;q=0.7", .german), ("fr-CH, fr;q=0.9, de;q=0.7, *;q=0.5", .german),
            ("de;q=0, en;q=0.1", .english), ("de;q=0", .english), ("fr", .english), ("*", .english),
            ("en;q=0.5,de;q=0.5", .english), ("de;q=0.5,en;q=0.5", .german), ("de ; q=0.900 , en ; q=0.899", .german),
            ("de;Q=1.000,en", .german), ("deu", .english), ("de_AT", .english), ("de-,en;q=0.1", .english),
            ("de;q=1.001,en;q=0.1", .english), ("de;q=x,en;q=0.1", .english), ("de;q=0.1234,en;q=0.1", .english),
            ("de;q=0.٣,en;q=0.1", .english), (",, ,de", .german), ("de-1996", .german),
            ("de;level=1,en;q=0.1", .english),
            (String(repeating: "fr,", count: 40) + "de", .english),
        ] as [(String?, Language)])
    func `a browser's languages are chosen by their weights`(header: String?, expected: Language) {
        #expect(Language(accepting: header) == expected, "\(header ?? "none")")
    }

    /// CLDR's samples for English and German: `one` is 1; `other` is 0, 2 to 16, 100 and so on, and every decimal.
    @Test(arguments: Language.allCases) func `plural forms are CLDR's`(language: Language) {
        for number in ["1", "-1"] { #expect(language.form(of: number) == .one, "\(number)") }
        for number in ["0", "2", "16", "21", "100", "101", "1000000", "0.0", "1.0", "0.1", "1.5", "", "one"] {
            #expect(language.form(of: number) == .other, "\(number)")
        }
    }

    @Test func `a locale's name is read`() {
        #expect(Language(name: "de_AT.UTF-8") == .german)
        #expect(Language(name: "en") == .english)
        #expect(Language(name: "den_XX") == nil)
        #expect(Language(name: "") == nil)
    }

    @Test(arguments: [
        ("en-US", Reader.Clock.hours12), ("en_GB.UTF-8", .hours24), ("en", .hours24), ("de-DE", .hours24),
        ("en_AU", .hours12), ("", .hours24), ("de_AT@euro", .hours24), ("zh-Hant-TW", .hours12),
    ])
    func `a locale's territory says which clock`(locale: String, clock: Reader.Clock) {
        #expect(Reader.Clock(locale: locale) == clock, "\(locale)")
    }
}
