import KinKeeper
import KinModel
import KinStore

/// The two characters by which an OwnTracks app tells people apart: initials at best, one member's alone, and the same
/// for as long as the member stays, since the app builds its list of friends from them.
enum TrackerID {
    /// A member's, chosen and written down at first need.
    static func of(_ member: Identifier, name: String, _ act: Act) throws(Rejection) -> String {
        let known = try act.first(
            "SELECT tid FROM tracker_ids WHERE member = ?", .id(member),
            map: { (row) throws(StoreFailure) in row.text(0) })
        if let known { return known }
        let taken = Set(
            try act.rows(
                "SELECT tid FROM tracker_ids UNION SELECT tid FROM neutral_tracker_ids",
                map: { (row) throws(StoreFailure) in row.text(0) }))
        let tid = candidates(name).first { !taken.contains($0) } ?? "--"
        try act.run("INSERT OR IGNORE INTO tracker_ids (member, tid) VALUES (?, ?)", .id(member), .text(tid))
        return tid
    }

    /// A neutral ID for viewers who may not know the name: two digits, no initials. It differs from the member's usual
    /// one, which tells the name's first letters.
    static func neutral(_ member: Identifier, _ act: Act) throws(Rejection) -> String {
        let known = try act.first(
            "SELECT tid FROM neutral_tracker_ids WHERE member = ?", .id(member),
            map: { (row) throws(StoreFailure) in row.text(0) })
        if let known { return known }
        let taken = Set(
            try act.rows(
                "SELECT tid FROM neutral_tracker_ids UNION SELECT tid FROM tracker_ids",
                map: { (row) throws(StoreFailure) in row.text(0) }))
        let pairs = digits.lazy.flatMap { left in (digits + alphabet).lazy.map { String([left, $0]) } }
        let tid = pairs.first { !taken.contains($0) } ?? "00"
        try act.run("INSERT OR IGNORE INTO neutral_tracker_ids (member, tid) VALUES (?, ?)", .id(member), .text(tid))
        return tid
    }

    private static let digits = Array("0123456789")
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz")

    /// The names to choose from, best first: initials; the first letter with each later one, then with any letter; at
    /// last any two characters. There are 3,844 in all, more than a family has members.
    static func candidates(_ name: String) -> some Sequence<String> {
        let words = name.split { !$0.isLetter && !$0.isNumber }.map { letters(String($0)) }.filter { !$0.isEmpty }
        let first = words.first?.first ?? "K"
        var pairs: [String] = []
        if words.count > 1, let last = words.last?.first { pairs.append(String([first, last])) }
        for letter in words.joined().dropFirst() { pairs.append(String([first, letter])) }
        for letter in alphabet { pairs.append(String([first, letter])) }
        let all = alphabet.lazy.flatMap { left in alphabet.lazy.map { String([left, $0]) } }
        return [AnySequence(pairs), AnySequence(all)].joined()
    }

    /// A word's letters and digits as upper-case ASCII; accents are dropped, other scripts left out.
    private static func letters(_ word: String) -> [Character] {
        word.uppercased().compactMap { character in
            character.unicodeScalars.first
                .flatMap { base($0) }
                .flatMap { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : nil }
        }
    }

    /// The letter under its accent.
    private static func base(_ scalar: Unicode.Scalar) -> Character? {
        let plain: [(String, Character)] = [
            ("ÀÁÂÃÄÅĀĂĄÆ", "A"), ("ÇĆĈĊČ", "C"), ("ĎĐÐ", "D"), ("ÈÉÊËĒĔĖĘĚ", "E"), ("ĜĞĠĢ", "G"), ("ĤĦ", "H"),
            ("ÌÍÎÏĨĪĬĮİ", "I"), ("Ĵ", "J"), ("Ķ", "K"), ("ĹĻĽĿŁ", "L"), ("ÑŃŅŇ", "N"), ("ÒÓÔÕÖØŌŎŐŒ", "O"),
            ("ŔŖŘ", "R"), ("ŚŜŞŠ", "S"), ("ŢŤŦ", "T"), ("ÙÚÛÜŨŪŬŮŰŲ", "U"), ("Ŵ", "W"), ("ÝŶŸ", "Y"), ("ŹŻŽ", "Z"),
        ]
        return plain.first { $0.0.unicodeScalars.contains(scalar) }?.1 ?? Character(scalar)
    }
}
