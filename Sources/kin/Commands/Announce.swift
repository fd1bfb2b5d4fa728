import KinModel

extension Command {
    static let announce = Command(
        name: "announce", summary: "tell everyone something",
        usage: ["announce TEXT…", "announce < FILE"],
        details: "For admins.", words: 0...1000,
        run: { (call) throws(Problem) in
            var text = call.words.joined(separator: " ")
            if call.words.isEmpty {
                guard !Input.isTerminal else { throw .usage("What is to be announced? kin announce TEXT…") }
                while let line = readLine(strippingNewline: false) { text += line }
                while text.last?.isNewline == true { text.removeLast() }
            }
            let result = try call.call("activity.announce", ["text": .string(text)])
            if call.wantsJSON { call.output.say(result) } else { call.output.say("Announced.") }
        })
}
