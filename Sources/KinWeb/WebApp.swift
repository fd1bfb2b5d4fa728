import KinCodec
import KinCrypto
package import KinWords
import Synchronization

/// The family's page as browsers load it: plain HTML, CSS and ES modules, in the program itself. Nothing is built:
/// what lies in `App` is what is served (modules without the lines of their comments), and modules name each other by
/// their files' names.
///
/// All files have addresses below one that is made from their whole content (``version``). So browsers may keep them
/// for ever, and an old page never loads a new file. The shell, the service worker and the manifest have fixed
/// addresses and are revalidated by their `ETag`.
package final class WebApp: Sendable {
    package static let shared = WebApp()

    /// Made from what is in every file: 16 hexadecimal digits.
    package let version: String
    private let compressed = Mutex<[String: [UInt8]]>([:])

    private let files: [String: WebFile]
    /// What the first look loads.
    private let firstModules: [Entry: [String]]
    private let (index, service, description): ([UInt8], [UInt8], [UInt8])

    private convenience init() {
        self.init(Self.embedded, Self.index, Self.service, Self.description)
    }

    /// The files of a folder as they are now; what is not there is the program's own.
    package convenience init(folder: String, read: (String) -> [UInt8]?) {
        func now(_ name: String, _ own: [UInt8]) -> [UInt8] { read("\(folder)/\(name)") ?? own }
        self.init(
            Dictionary(
                uniqueKeysWithValues: Self.embedded.map { ($0.key, WebFile($0.key, now($0.key, $0.value.content))) }),
            now("index.html", Self.index), now("sw.js", Self.service),
            now("manifest.webmanifest", Self.description))
    }

    private init(_ files: [String: WebFile], _ index: [UInt8], _ service: [UInt8], _ description: [UInt8]) {
        (self.files, self.index, self.service, self.description) = (files, index, service, description)
        firstModules = Dictionary(
            uniqueKeysWithValues: Entry.allCases.map { ($0, Self.firstModules(of: $0.rawValue, files)) })
        var all = Digest.sha256(index) + Digest.sha256(service)
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            all += Array(name.utf8) + file.digest
        }
        for language in Language.allCases { all += Digest.sha256(Self.words(language)) }
        version = Hex.encode(Array(Digest.sha256(all).prefix(8)))
    }

    /// The file of a name; `words.en.js` and its like are made of the same messages that `kin` speaks with.
    package func file(_ name: String) -> WebFile? {
        if let file = files[name] { return file }
        let parts = name.split(separator: ".")
        guard parts.count == 3, parts[0] == "words", parts[2] == "js",
            let language = Language(rawValue: String(parts[1]))
        else { return nil }
        return WebFile(name) { Self.words(language) }
    }

    /// Every name that can be asked for.
    package var names: [String] { files.keys.sorted() + Language.allCases.map { "words.\($0.rawValue).js" } }

    /// The module that a document begins with.
    package enum Entry: String, CaseIterable, Sendable {
        /// The family's page.
        case page = "main.js"
        /// A screen on a wall.
        case wall = "wall.js"
    }

    /// The shell in a language: the document that browsers open.
    package func shell(_ entry: Entry, _ language: Language, leaflet: String?, canonicalURL: String) -> [UInt8] {
        // It stands in an attribute: what no address has is left out.
        let canonical = canonicalURL.filter { !"\"'<>&@".contains($0) }
        // Modules for the first view are all requested at once, and not one after the other as each names the next. Browsers
        // have six connections: the largest come first, so that none of these is on its way alone at the end. Before them
        // comes what opens the browser's store and the line while they are on their way.
        let first = firstModules[entry] ?? []
        let modules =
            first.filter { $0 == Self.early } + ["words.\(language.rawValue).js"] + first.filter { $0 != Self.early }
        let links = modules.map { "<link rel=\"modulepreload\" href=\"/app/\(version)/\($0)\">" }
        return Self.filled(
            index,
            [
                "lang": language.rawValue, "app": "/app/\(version)", "entry": entry.rawValue, "leaflet": leaflet ?? "",
                "canonical": canonical,
                "modules": links.joined(separator: "\n"),
            ])
    }

    /// The module that depends on no other, and that the document runs as soon as it is there.
    private static let early = "early.js"

    /// The modules that one imports, and those that these import; dynamic imports do not count.
    private static func firstModules(of entry: String, _ files: [String: WebFile]) -> [String] {
        var found = [entry]
        var next = 0
        while next < found.count {
            let lines = String(decoding: files[found[next]]?.content ?? [], as: UTF8.self).split(separator: "\n")
            for line in lines where line.hasPrefix("import ") {
                guard let name = line.split(separator: "\"").last.map(String.init), name.hasPrefix("./") else {
                    continue
                }
                let module = String(name.dropFirst(2))
                if files[module] != nil, !found.contains(module) { found.append(module) }
            }
            next += 1
        }
        return found.sorted { (files[$0]?.count ?? 0) > (files[$1]?.count ?? 0) }
    }

    /// Modules that are of use only while the daemon is there, and that few ask for. The service worker keeps each once it
    /// was asked for, and not before.
    private static let askedFor: Set = [
        "alarm-over.js", "calendar-files.js", "calendar-form.js", "calendar-outside.js", "calendar-rule-form.js",
        "calendar-settings.js", "chat-rooms.js", "chat-things.js", "collage.js", "contacts.js",
        "dish-forms.js", "list-settings.js", "map-source.js", "news.js", "news-sources.js", "person.js",
        "picture-words.js", "post-forms.js", "post-link.js", "propose.js", "ring-form.js", "rules.js", "search.js",
        "shortcuts.js",
        "typed.js",
        "uploads.js",
        "walls.js",
    ]

    /// What the page's service worker keeps from the first visit on: the texts of this version, without those of a screen
    /// on a wall, and without those that are asked for.
    package var workerNames: [String] {
        names.filter {
            ($0.hasSuffix(".js") || $0.hasSuffix(".css") || $0.hasSuffix(".svg")) && !$0.hasPrefix("wall.")
                && !Self.askedFor.contains($0)
        }
    }

    /// The service worker: it knows which files belong to this version.
    package var worker: [UInt8] {
        let names = workerNames.map { "\"\($0)\"" }.joined(separator: ", ")
        return Self.filled(service, ["app": "/app/\(version)", "files": names])
    }

    /// What makes the page installable, in a language.
    package func manifest(_ language: Language) -> [UInt8] {
        Self.filled(
            description,
            ["lang": language.rawValue, "app": "/app/\(version)", "description": language.webAbout])
    }

    /// A content compressed, once for all who ask; `key` stands for the content.
    package func gzip(_ content: @autoclosure () -> [UInt8], key: String) -> [UInt8] {
        compressed.withLock { known in
            if let made = known[key] { return made }
            let made = Self.tight(Gzip.compress(content()) ?? [])
            known[key] = made
            return made
        }
    }

    // MARK: What it is made of

    /// A module without the lines of its comments and without its indentation, which browsers need not be sent: a seventh
    /// of a first visit. Each line keeps its number, and the first one, the licence, stays. A module has no text
    /// that goes on over several lines.
    static func bare(_ name: String, _ content: [UInt8]) -> [UInt8] {
        guard name.hasSuffix(".js") else { return content }
        var (bare, isComment): ([UInt8], Bool) = ([], false)
        bare.reserveCapacity(content.count)
        for line in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.startIndex > 0 { bare.append(UInt8(ascii: "\n")) }
            let text = line.drop { $0 == UInt8(ascii: " ") }
            let begins = !isComment && text.starts(with: "/*".utf8)
            if isComment || begins {
                isComment = !text.suffix(2).elementsEqual("*/".utf8)
            } else if !text.starts(with: "//".utf8) || line.startIndex == 0 {
                bare += text
            }
        }
        return tight(bare)
    }

    /// A copy that takes no more room than it has bytes: what is kept for good was made in a wider one.
    private static func tight(_ bytes: [UInt8]) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy += bytes
        return copy
    }

    /// `@name@` is filled in.
    private static func filled(_ template: [UInt8], _ values: KeyValuePairs<String, String>) -> [UInt8] {
        var text: [UInt8] = []
        for (index, part) in template.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).enumerated()
        {
            let name = String(decoding: part, as: UTF8.self)
            if index % 2 == 1, let value = values.first(where: { $0.key == name })?.value {
                text += Array(value.utf8)
            } else {
                text += part
            }
        }
        return text
    }

    /// A module that exports every phrase that people are spoken to with, and what refusals are called in that language.
    private static func words(_ language: Language) -> [UInt8] {
        var text = "// SPDX-License-Identifier: Apache-2.0\nexport const phrases = {\n"
        for (key, phrase) in language.spoken { text += "  \(quoted(key)): \(quoted(phrase)),\n" }
        text += "}\nexport const refusals = {\n"
        for (key, phrase) in language.refusals { text += "  \(quoted(key)): \(quoted(phrase)),\n" }
        return Array((text + "}\n").utf8)
    }

    /// As a string of JavaScript.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
