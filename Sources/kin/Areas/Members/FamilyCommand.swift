import KinModel
import KinWords

extension Command {
    static let family = Command(
        name: "family", usage: ["family rename NAME"], words: 2...20,
        run: { (call) throws(Problem) in
            guard call.words[0] == "rename" else { throw call.misused }
            let name = call.words.dropFirst().joined(separator: " ")
            let result = try call.call("family.rename", ["name": .string(name)])
            call.answer(result, phrase("family.renamed", ["name": Plain.line(name)]))
        })
}
