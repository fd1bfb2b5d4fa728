import KinModel

extension Command {
    static let announce = Command(
        name: "announce",
        usage: ["announce TEXT…", "announce < FILE"], words: 0...1000,
        run: { (call) throws(Problem) in
            let text = try spoken(call, missing: "announce.missing")
            let result = try call.call("activity.announce", ["text": .string(text)])
            call.answer(result, phrase("announce.done"))
        })

    /// The text of the announcement: the typed words, or else the input.
    static func spoken(_ call: Invocation, missing: String) throws(Problem) -> String {
        guard call.words.isEmpty else { return call.words.joined(separator: " ") }
        guard !Input.isTerminal else { throw .usage(phrase(missing)) }
        var text = ""
        while let line = readLine(strippingNewline: false) { text += line }
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
