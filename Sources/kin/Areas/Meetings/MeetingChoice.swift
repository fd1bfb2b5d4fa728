import KinClient
import KinCodec
import KinLoop
import KinModel
import KinWords

/// The meeting that a text names: by its number in the last list, by the beginning of its id, or by words that only its
/// title has.
struct MeetingChoice {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// The views of meetings that are not over.
    static let current = ["invitations", "hosting", "coming"]

    func find(_ text: String) throws(Problem) -> SeenMeeting {
        if let id = Identifier(text) { return try shown(id) }
        if let number = Int(text), text.count < 4 {
            let last = LastList(call, "meetings")?.ids ?? []
            guard last.indices.contains(number - 1) else {
                throw .usage(phrase("meet.no-number", ["number": number]))
            }
            return try shown(last[number - 1])
        }
        for views in [Self.current, ["past"]] {
            let found = Self.matching(text, try all(views))
            guard found.count < 2 else {
                let titles = found.map { "\(Plain.line($0.meeting.title)) (\(LocalTime.near($0.meeting.starts)))" }
                throw .usage(
                    phrase("meet.several", ["text": Plain.line(text), "titles": titles.joined(separator: ", ")]))
            }
            if let only = found.first { return only }
        }
        throw Problem(.refused, phrase("meet.none-such", ["text": Plain.line(text)]))
    }

    /// The meetings that fit best: by the whole title, or else by the beginning of the id, or else by all words.
    static func matching(_ text: String, _ list: [SeenMeeting]) -> [SeenMeeting] {
        let typed = words(text)
        let exact = list.filter { words($0.meeting.title) == typed }
        if exact.count == 1 { return exact }
        if text.count >= 6 {
            let byID = list.filter { $0.meeting.id.description.hasPrefix(text.lowercased()) }
            if byID.count == 1 { return byID }
        }
        return list.filter { seen in
            let title = words(seen.meeting.title)
            return !typed.isEmpty && typed.allSatisfy { word in title.contains { $0.hasPrefix(word) } }
        }
    }

    /// The words of a text; `sunday-dinner` has those of `Sunday dinner`.
    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { String($0) }
    }

    /// The meetings of several views, each once.
    func all(_ views: [String]) throws(Problem) -> [SeenMeeting] {
        var seen: [SeenMeeting] = []
        for view in views {
            for meeting in try page(view).meetings where !seen.contains(where: { $0.meeting.id == meeting.meeting.id })
            {
                seen.append(meeting)
            }
        }
        return seen
    }

    /// The first page of one view.
    func page(_ view: String, words: String? = nil) throws(Problem) -> (meetings: [SeenMeeting], result: JSON) {
        let result = try call.call(
            "meeting.list",
            .object(leavingOut: ["view": .string(view), "words": words.map { .string($0) }, "limit": 100]))
        return ((result["meetings"]?.array ?? []).compactMap(SeenMeeting.init), result)
    }

    /// The number of members who may vote, by meeting; empty if the daemon does not give it.
    static func voters(_ result: JSON) -> [Identifier: Int] {
        let all = result["meetings"]?.array ?? [result]
        return Dictionary(
            all.compactMap { seen in
                guard let id = seen["meeting"]?["id"]?.identifier, let count = seen["voters"]?.int else { return nil }
                return (id, Int(clamping: count))
            }, uniquingKeysWith: { $1 })
    }

    private func shown(_ id: Identifier) throws(Problem) -> SeenMeeting {
        guard let seen = SeenMeeting(try call.call("meeting.show", ["meeting": .id(id)])) else {
            throw Problem(.notReachable, phrase("meet.strange"))
        }
        return seen
    }
}
