import KinCodec
import KinModel

/// A form, what was typed into it, and what is wrong with it.
struct Form {
    /// What is wrong: beside a field, or above all of them.
    struct Problem: Equatable {
        let field: String?
        let sentence: String
    }

    let words: PageWords
    var fields: [FormField]
    var button: String
    /// Its address; the page's own if left out, so that a secret in that address is not repeated in the page.
    var action: String?
    /// The typed text. Passwords are never shown again.
    var typed = FormFields()
    var problem: Problem?

    var html: HTML {
        let problemField = fields.first { $0.name == problem?.field }
        return """
            \(problemField == nil ? problem.map { "<p class=\"wrong\" role=\"alert\">\($0.sentence)</p>\n" as HTML } : nil)\
            <form method="post"\(action.map { " action=\"\($0)\"" as HTML })>
            \(fields.map { $0.html(words, typed[$0.name], wrong: $0.name == problemField?.name ? problem?.sentence : nil) })\
            <button>\(button)</button>
            </form>
            """
    }

    /// The parameters for the keeper from what was typed, or the first field that must not be empty and is.
    static func params(_ fields: [FormField], _ typed: FormFields) -> Result<JSON.Object, Missing> {
        var params = JSON.Object()
        for field in fields {
            let text = field.read(typed[field.name] ?? "")
            if text.isEmpty {
                guard let missing = field.missing else { continue }
                return .failure(Missing(problem: Problem(field: field.name, sentence: missing)))
            }
            params[field.name] = field.sort == .agreement ? .bool(true) : .string(text)
        }
        return .success(params)
    }

    /// A field was left empty.
    struct Missing: Error { let problem: Problem }

    /// The keeper's refusal in the words of the form. Where the sentence begins with a parameter's name, the field's
    /// name takes its place.
    static func problem(_ words: PageWords, _ rejection: Rejection, in fields: [FormField]) -> Problem {
        let message = words.refusal(rejection)
        guard let field = fields.first(where: { $0.name == rejection.field }) else {
            return Problem(field: nil, sentence: message)
        }
        let start = field.name + " "
        let sentence =
            message.hasPrefix(start) ? field.label + " " + message.dropFirst(start.count) : message
        return Problem(field: field.name, sentence: sentence)
    }
}

/// One field of a form.
struct FormField {
    /// What is typed into it.
    enum Sort {
        /// A name that people read.
        case name
        /// A name to sign in with.
        case username
        /// A code that was read out.
        case code
        /// The password a person has.
        case currentPassword
        /// A password that is chosen here.
        case newPassword
        /// A box to tick, by which the member agrees to the text beside it.
        case agreement
    }

    /// The parameter's name.
    let name: String
    let label: String
    let sort: Sort
    var hint: String?
    /// The sentence for a field that is left empty; `nil` when it may be empty.
    var missing: String?
    /// Its first value.
    var value = ""

    /// The text as it was meant: phones put a capital first and a space last.
    func read(_ text: String) -> String {
        switch sort {
        case .currentPassword, .newPassword, .agreement: text
        case .name, .code: Self.trimmed(text)
        case .username: Self.trimmed(text).lowercased()
        }
    }

    /// The field with its label, its hint and what is wrong with it.
    func html(_ words: PageWords, _ typed: String?, wrong: String?) -> HTML {
        // What was chosen is not shown again, though something else was wrong.
        let isEmptied = sort == .newPassword && wrong == nil && typed?.isEmpty == false
        let wrong = isEmptied ? words.text("page.field.password-again") : wrong
        let notes = [hint == nil ? nil : "\(name)-hint", wrong == nil ? nil : "\(name)-wrong"].compactMap { $0 }
        let described: HTML? = notes.isEmpty ? nil : " aria-describedby=\"\(notes.joined(separator: " "))\""
        if sort == .agreement { return box(isTicked: typed != nil, wrong: wrong, described) }
        return """
            <div class="field">
            <label for="\(name)">\(label)</label>
            \(hint.map { "<p class=\"hint\" id=\"\(name)-hint\">\($0)</p>\n" as HTML })\
            <input id="\(name)" name="\(name)"\(attributes)\(shown(typed))\(missing == nil ? nil : " required" as HTML)\
            \(described)\(wrong == nil || isEmptied ? nil : " aria-invalid=\"true\" autofocus" as HTML)>\(reveal(words))
            \(wrong.map { "<p class=\"wrong\" id=\"\(name)-wrong\">\($0)</p>\n" as HTML })\
            </div>

            """
    }

    /// A button that shows the typed text, where a script runs.
    private func reveal(_ words: PageWords) -> HTML? {
        guard sort == .currentPassword || sort == .newPassword else { return nil }
        return """

            <button type="button" class="quiet small" data-reveals="\(name)" aria-pressed="false" hidden>\
            \(words("page.show-password"))</button>
            """
    }

    /// A box stands before its words.
    private func box(isTicked: Bool, wrong: String?, _ described: HTML?) -> HTML {
        """
        <div class="field">
        <label><input type="checkbox" id="\(name)" name="\(name)" value="yes"\(isTicked ? " checked" as HTML : nil)\
        \(missing == nil ? nil : " required" as HTML)\(described)\(wrong == nil ? nil : " aria-invalid=\"true\"" as HTML)> \
        \(label)</label>
        \(hint.map { "<p class=\"hint\" id=\"\(name)-hint\">\($0)</p>\n" as HTML })\
        \(wrong.map { "<p class=\"wrong\" id=\"\(name)-wrong\">\($0)</p>\n" as HTML })\
        </div>

        """
    }

    private func shown(_ typed: String?) -> HTML? {
        switch sort {
        case .currentPassword, .newPassword, .agreement: nil
        case .name, .username, .code: (typed ?? value).isEmpty ? nil : " value=\"\(typed ?? value)\""
        }
    }

    private var attributes: HTML {
        switch sort {
        case .name: " type=\"text\" dir=\"auto\" autocomplete=\"\(name == "displayName" ? "name" : "off")\""
        case .username:
            " type=\"text\" autocomplete=\"username\" autocapitalize=\"none\" autocorrect=\"off\" spellcheck=\"false\""
        case .code:
            " type=\"text\" autocomplete=\"off\" autocapitalize=\"none\" autocorrect=\"off\" spellcheck=\"false\""
        case .agreement: " type=\"checkbox\""
        case .currentPassword: " type=\"password\" autocomplete=\"current-password\""
        case .newPassword:
            // The rules are for the password generators of phones; libzxcvbn judges passwords that people choose.
            " type=\"password\" autocomplete=\"new-password\" minlength=\"8\" passwordrules=\"minlength: 16;\""
        }
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}
