import KinCodec
import KinModel

extension Command {
    static let call = Command(
        name: "call", summary: "call any method of the daemon",
        usage: ["call METHOD [KEY=VALUE…] [--params JSON]"],
        options: [.value("params", "JSON", "an object of parameters; KEY=VALUE goes on top")],
        details: """
            A value that reads as JSON is sent as that (true, 5, "text", [1,2]), anything else as text; KEY:=JSON must be
            JSON, KEY=@text sends the text after the @. The methods: GET /api/openapi.json, or the documentation.
            Example: kin call invite.create role=member uses=2 --as ada
            """,
        words: 1...1000,
        run: { (call) throws(Problem) in
            let params = try CallParams.read(Array(call.words.dropFirst()), base: call.value("params"))
            call.output.say(try call.call(call.words[0], params))
        })
}

/// Parameters from the command line.
enum CallParams {
    static func read(_ words: [String], base: String?) throws(Problem) -> JSON {
        var params = JSON.Object()
        if let base {
            guard let object = (try? JSON.parse(base))?.object else { throw .usage("--params must be a JSON object.") }
            params = object
        }
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw .usage("\(Plain.line(word)) is no parameter; write KEY=VALUE.")
            }
            var key = String(word[..<equals])
            let text = String(word[word.index(after: equals)...])
            if key.hasSuffix(":") {
                key.removeLast()
                guard let value = try? JSON.parse(text) else {
                    throw .usage("The value of \(Plain.line(key)) is not JSON: \(Plain.line(text)).")
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
