import KinCodec
import KinModel
import KinWords

extension Command {
    static let call = Command(
        name: "call",
        usage: ["call METHOD [KEY=VALUE…] [--params JSON]"],
        options: [.value("params", "JSON")],
        words: 1...1000,
        run: { (call) throws(Problem) in
            let params = try CallParams.read(Array(call.words.dropFirst()), base: call.value("params"))
            call.output.say(try call.call(call.words[0], params))
        })
}

/// Reads parameters from the command line.
enum CallParams {
    static func read(_ words: [String], base: String?) throws(Problem) -> JSON {
        var params = JSON.Object()
        if let base {
            guard let object = (try? JSON.parse(base))?.object else { throw .usage("--params must be a JSON object.") }
            params = object
        }
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw .usage(phrase("call.no-parameter", ["word": Plain.line(word)]))
            }
            var key = String(word[..<equals])
            let text = String(word[word.index(after: equals)...])
            if key.hasSuffix(":") {
                key.removeLast()
                guard let value = try? JSON.parse(text) else {
                    throw .usage(phrase("call.not-json", ["key": Plain.line(key), "value": Plain.line(text)]))
                }
                params[key] = value
            } else if text.hasPrefix("@") {
                params[key] = .string(String(text.dropFirst()))
            } else {
                params[key] = (try? JSON.parse(text)) ?? .string(text)
            }
        }
        return .object(params)
    }
}
