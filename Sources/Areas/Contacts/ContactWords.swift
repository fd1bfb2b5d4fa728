import KinKeeper
import KinModel
import KinStore

/// The words of contacts, to be searched: rows of `contact_words`.
enum ContactWords {
    /// Due work that rebuilds the index; until then deleted words are still in it.
    static let rebuildDue = "contacts.rebuildWords"

    /// Writes a contact's row.
    static func put(_ stored: StoredContact, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR REPLACE INTO contact_words (rowid, words) VALUES (?,?)", .int(stored.number),
            .text(text(of: stored.contact)))
    }

    /// Removes a contact's row, and its words soon.
    static func remove(_ number: Int64, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM contact_words WHERE rowid = ?", .int(number))
        try rebuildSoon(act)
    }

    /// After a deletion: SQLite before 3.42 leaves the words of deleted rows in the index until it is made anew.
    static func rebuildSoon(_ act: Act) throws(Rejection) {
        try act.plan(rebuildDue, about: "contacts", at: act.now.adding(seconds: 1))
    }

    /// Makes the index anew.
    static func rebuild(_ act: Act) throws(Rejection) {
        try act.run("INSERT INTO contact_words (contact_words) VALUES ('rebuild')")
        act.truncateSoon()
    }

    /// The search text of a contact: everything about it, once as written and once with ae for ä; and each phone number
    /// from each of its digits on, so that its end finds it, with or without the country's prefix.
    static func text(of contact: Contact) -> String {
        let ways = (contact.phones + contact.emails + contact.addresses).flatMap { [$0.value, $0.label] }
        let fields = [
            contact.category, contact.company, contact.title, contact.firstName, contact.lastName, contact.note,
        ]
        let words = (fields + ways).compactMap(\.self).joined(separator: " ")
        let spelled = Spelling.withoutUmlauts(words)
        let numbers = contact.phones.flatMap { tails(of: digits(in: $0.value)) }
        return ([words] + (spelled.hasSameBytes(as: words) ? [] : [spelled]) + numbers).joined(separator: " ")
    }

    /// What somebody looks for, in FTS5's language: all of the words or their beginnings; `nil` when there is no word in it.
    static func query(_ text: String) -> String? {
        let words = text.split { $0.isWhitespace }.map { String($0) }
            .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .prefix(Limits.contactSearchWordsMax)
        guard !words.isEmpty else { return nil }
        return words.map { word in
            var forms = [word, Spelling.withoutUmlauts(word)]
            if !word.unicodeScalars.contains(where: { $0.properties.isAlphabetic }) {
                let digits = digits(in: word)
                // 0171 is +49 171, and 00 49 is +49.
                forms += [digits, String(digits.drop { $0 == "0" })]
            }
            let apart = forms.filter { !$0.isEmpty }.reduce(into: [String]()) { known, form in
                if !known.contains(where: { $0.hasSameBytes(as: form) }) { known.append(form) }
            }
            return "(" + apart.map { quoted($0) }.joined(separator: " OR ") + ")"
        }.joined(separator: " AND ")
    }

    private static func quoted(_ word: String) -> String {
        "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\" *"
    }

    private static func digits(in text: String) -> String { text.filter { $0.isASCII && $0.isNumber } }

    /// A number from each of its digits on, as long as three are left.
    private static func tails(of digits: String) -> [String] {
        guard digits.utf8.count >= 3 else { return digits.isEmpty ? [] : [digits] }
        return (0...digits.utf8.count - 3).map { String(digits.dropFirst($0)) }
    }
}
