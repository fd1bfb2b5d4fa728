import KinModel

extension Command {
    static let announce = Command(
        name: "announce",
        usage: ["announce TEXT…", "announce < FILE"], words: 0...1000,
        run: { (call) throws(Problem) in
            var text = call.words.joined(separator: " ")
            if call.words.isEmpty {
                guard !Input.isTerminal else { throw .usage(phrase("announce.missing")) }
                while let line = readLine(strippingNewline: false) { text += line }
                while text.last?.isNewline == true { text.removeLast() }
            }
            let result = try call.call("activity.announce", ["text": .string(text)])
            call.answer(result, phrase("announce.done"))
        })
}
