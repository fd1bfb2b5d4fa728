package import KinModel

/// The words of one area: a folder in `Areas`, with its texts in a file for each language. The library names no area:
/// it finds them by the parts of the snapshot, each of which is ``Worded``.
package struct AreaWords: Sendable {
    /// The name of its files of texts, one for each language: `lists` of `lists.de.messages`.
    package let file: String
    /// What it remembers of things that events name by their ids.
    package var known: [any Known.Type] = []
    /// What an event says; `nil` for others' events.
    package var sentence: @Sendable (Voice) -> String? = { _ in nil }
    /// Whether an event only says once more what another event has said.
    package var isEcho: @Sendable (Voice) -> Bool = { _ in false }
    /// What a line of the inbox says; `nil` for others' lines.
    package var line: @Sendable (InboxVoice, _ line: JSON, InboxEntry) -> String? = { _, _, _ in nil }
    /// The kinds of its lines that no event tells.
    package var untoldKinds: Set<String> = []
    /// The heading of an entry about a thing, where its lines do not say everything: by the part of `about` before the
    /// slash.
    package var headings: [String: @Sendable (InboxVoice, Identifier?) -> String] = [:]
    /// The mark of a notice about a thing, and the screen of the page that shows it: by the part of `about` before the
    /// slash.
    package var signs: [String: (tag: String, page: String?)] = [:]

    /// Whether a line is calmer than the heading and the mark of its area's entries: it has neither.
    package var isCalm: @Sendable (_ line: JSON) -> Bool = { _ in false }

    /// Its texts in a language.
    package func messages(_ language: Language) -> MessageFile { .named("\(file).\(language.rawValue)") }

    /// Of every area.
    package static let all = Areas.words

    /// Ends the program where an area of `Package.swift` has no line in `Areas`. All other lists are asked for the areas of
    /// that one, so nothing else would miss it.
    package static func check(areas: Int = all.count) {
        guard areas != MessageFile.areaCount else { return }
        preconditionFailure("Package.swift lists \(MessageFile.areaCount) areas, Sources/KinModel/Areas.swift \(areas)")
    }
}

/// An area's part of the snapshot that has words. The conformance lies in the area's folder of this library.
package protocol Worded {
    static var words: AreaWords { get }
}

extension AreaList where repeat each Part: Worded {
    /// The words of each.
    fileprivate static var words: [AreaWords] {
        var words: [AreaWords] = []
        repeat words.append((each Part).words)
        return words
    }
}
