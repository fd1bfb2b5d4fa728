import CZxcvbn

/// How good a password is, judged by libzxcvbn: by how many guesses it would take, not by which characters are in it.
public enum PasswordQuality {
    /// What was found about one password.
    public struct Judgement: Sendable, Equatable {
        /// 0 (under 10³ guesses), 1 (10⁶), 2 (10⁸), 3 (10¹⁰) to 4 (more).
        public let score: Int
        /// What to do about it, for the person who chose it; `nil` when it is good enough.
        public let advice: String?
        /// Whether it may be used.
        public var isGoodEnough: Bool { advice == nil }
    }

    /// Fewest characters (as a person counts them).
    public static let charactersMin = 8
    /// Most UTF-8 bytes of a password; a longer one is refused rather than cut.
    public static let bytesMax = 1024
    /// libzxcvbn's time grows with the cube of the length: only so many bytes are looked at.
    static let bytesJudgedMax = 100
    /// Lowest score that is good enough: 10⁸ guesses, against scrypt and slowed sign-ins.
    static let scoreMin = 3
    /// A family has few words; more than these are not looked at.
    static let knownWordsMax = 256

    /// Judges a password. Known words are what a guesser of this family tries first: names of members, households, the
    /// family, the username, this machine.
    public static func judge(_ password: String, knownWords: [String] = []) -> Judgement {
        guard !password.isEmpty else { return Judgement(score: 0, advice: "Choose a password.") }
        guard password.utf8.count <= bytesMax else {
            return Judgement(score: 0, advice: "Choose a password of at most \(bytesMax) bytes.")
        }
        guard !password.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return Judgement(
                score: 0,
                advice: "Leave out tabs, line breaks and other control characters: they can't be typed everywhere.")
        }
        guard password.count >= charactersMin else {
            return Judgement(
                score: 0, advice: "Use at least \(charactersMin) characters; three or four unrelated words are good.")
        }
        // Cut between characters of UTF-8 or not is all the same to zxcvbn: it looks at bytes.
        let judged = Array(password.utf8.prefix(bytesJudgedMax))
        let (bits, worst) = match(judged, words: words(knownWords))
        let score = score(bits: bits)
        guard score >= scoreMin else { return Judgement(score: score, advice: advice(worst)) }
        // libzxcvbn gives every known word some bits, so that enough of them in a row would pass: they count for nothing.
        if let rest = without(knownWords, String(decoding: judged, as: UTF8.self)) {
            let left = Self.score(bits: match(Array(rest.utf8), words: []).bits)
            if left < scoreMin { return Judgement(score: left, advice: advice(USER_MATCH.rawValue)) }
        }
        return Judgement(score: score, advice: nil)
    }

    /// What is left of a password without the known words; `nil` when there are none in it.
    private static func without(_ known: [String], _ password: String) -> String? {
        let whole = Array(password.lowercased().utf8)
        var rest = whole
        for word in spellings(known).sorted(by: { $0.utf8.count > $1.utf8.count }) where !word.isEmpty {
            let word = Array(word.utf8)
            var from = 0
            while from + word.count <= rest.count {
                if rest[from..<(from + word.count)].elementsEqual(word) {
                    rest.removeSubrange(from..<(from + word.count))
                } else {
                    from += 1
                }
            }
        }
        return rest == whole ? nil : String(decoding: rest, as: UTF8.self)
    }

    static func score(bits: Double) -> Int {
        // log₁₀ of the guesses.
        switch bits * 0.301_029_995_663_981_2 {
        case ..<3: 0
        case ..<6: 1
        case ..<8: 2
        case ..<10: 3
        default: 4
        }
    }

    /// Lower-case words of three bytes and more, each name also in its parts.
    private static func spellings(_ known: [String]) -> [String] {
        known.prefix(knownWordsMax).flatMap { name in
            let name = name.lowercased()
            return ([name] + name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(String.init))
                .filter { (3...64).contains($0.utf8.count) && !$0.utf8.contains(0) }
        }
    }

    /// The same as libzxcvbn takes them.
    private static func words(_ known: [String]) -> [[CChar]] {
        spellings(known).map { $0.utf8.map { CChar(bitPattern: $0) } + [0] }
    }

    /// Bits of entropy and the kind of match that covers most of the password.
    private static func match(_ password: [UInt8], words: [[CChar]]) -> (bits: Double, worst: UInt32) {
        // All words in one buffer, so that one pointer keeps them all alive.
        let storage = words.flatMap { $0 }
        var information: UnsafeMutablePointer<ZxcMatch_t>?
        let bits = unsafe storage.withUnsafeBufferPointer { stored in
            var list = unsafe [UnsafePointer<CChar>?]()
            var offset = 0
            for word in words {
                unsafe list.append(stored.baseAddress.map { unsafe $0 + offset })
                offset += word.count
            }
            unsafe list.append(nil)
            return unsafe (password + [0]).withUnsafeBufferPointer { text in
                unsafe text.withMemoryRebound(to: CChar.self) { text in
                    unsafe ZxcvbnMatch(text.baseAddress, &list, &information)
                }
            }
        }
        defer { unsafe ZxcvbnFreeInfo(information) }
        var worst: (length: CInt, kind: UInt32) = (0, 0)
        var part = unsafe information
        while let match = unsafe part?.pointee {
            let kind = unsafe match.Type.rawValue & ~MULTIPLE_MATCH.rawValue
            let length = unsafe match.Length
            if kind != BRUTE_MATCH.rawValue, length > worst.length { worst = (length, kind) }
            unsafe part = match.Next
        }
        return (bits, worst.kind)
    }

    private static func advice(_ kind: UInt32) -> String {
        switch kind {
        case USER_MATCH.rawValue, USER_LEET_MATCH.rawValue:
            "Leave out names of the family: they are guessed first. Three or four unrelated words are good."
        case DICTIONARY_MATCH.rawValue, DICT_LEET_MATCH.rawValue:
            "Add another word or two that have nothing to do with the rest; digits for letters don't help."
        case REPEATS_MATCH.rawValue: "Leave out repetitions like “aaa” or “abcabc”: they add nothing."
        case SEQUENCE_MATCH.rawValue: "Leave out sequences like “abc” or “6543”: they are guessed first."
        case SPATIAL_MATCH.rawValue: "Leave out rows of neighbouring keys like “qwerty”: they are guessed first."
        case DATE_MATCH.rawValue, YEAR_MATCH.rawValue:
            "Leave out dates and years: there are few of them. Three or four unrelated words are good."
        default: "Make it longer: three or four unrelated words are good."
        }
    }
}
