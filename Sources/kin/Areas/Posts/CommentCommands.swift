import KinLoop
import KinModel
import KinWords

/// Comments on posts. A comment is named by its number under the post as it was shown last.
enum CommentCommands {
    static func add(_ call: Invocation) throws(Problem) {
        let post = try PostCommands.find(call.words[0], call)
        let text = call.words.dropFirst().joined(separator: " ")
        call.answer(
            try call.call("comment.add", ["post": .id(post), "text": .string(text)]), phrase("comment.done"))
    }

    static func answer(_ call: Invocation) throws(Problem) {
        let post = try PostCommands.find(call.words[1], call)
        let comment = try find(call.words[2], of: post, call)
        let text = call.words.dropFirst(3).joined(separator: " ")
        call.answer(
            try call.call("comment.add", ["post": .id(post), "to": .id(comment), "text": .string(text)]),
            phrase("comment.answered"))
    }

    static func edit(_ call: Invocation) throws(Problem) {
        let post = try PostCommands.find(call.words[1], call)
        let comment = try find(call.words[2], of: post, call)
        let text = call.words.dropFirst(3).joined(separator: " ")
        call.answer(
            try call.call("comment.update", ["post": .id(post), "comment": .id(comment), "text": .string(text)]),
            phrase("comment.changed"))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let post = try PostCommands.find(call.words[1], call)
        let comment = try find(call.words[2], of: post, call)
        guard Input.confirms(call, phrase("comment.remove")) else {
            throw Input.kept(phrase("comment.kept"))
        }
        call.answer(
            try call.call("comment.remove", ["post": .id(post), "comment": .id(comment)]), phrase("comment.removed"))
    }

    static func like(_ call: Invocation) throws(Problem) {
        let post = try PostCommands.find(call.words[0], call)
        let word = call.words.count > 1 ? call.words[1].lowercased() : "like"
        let reaction = Like.Reaction(rawValue: word)
        guard reaction != nil || word == "none" else { throw call.misused }
        let comment = try call.value("comment").map { (text) throws(Problem) in try find(text, of: post, call) }
        let result = try call.call(
            "like.set",
            .object(leavingOut: [
                "post": .id(post), "comment": comment.map { .id($0) },
                "reaction": reaction.map { .string($0.rawValue) } ?? .null,
            ]))
        call.answer(
            result, reaction.map { phrase("like.done", ["sign": $0.sign]) } ?? phrase("like.taken-back"))
    }

    private static func find(_ text: String, of post: Identifier, _ call: Invocation) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let kept = LastList(call, "comments")?.ids ?? []
        guard let number = Int(text), kept.first == post, number > 0, kept.indices.contains(number) else {
            throw Problem(.refused, phrase("comment.no-number", ["number": Plain.line(text)]))
        }
        return kept[number]
    }
}
