import KinClient
import KinCodec
import KinLoop
import KinModel

/// The numbers of the last list. They are kept from run to run for the member who was shown the list.
struct LastList {
    private let path: String
    private let whom: String

    /// The list with a name.
    init?(_ call: Invocation, _ name: String) {
        guard let path = Login.folder("XDG_STATE_HOME", under: ".local/state"), let door = try? call.door() else {
            return nil
        }
        self.path = "\(path)/\(name).json"
        whom = "\(door.username ?? "")@\(door.address)"
    }

    var ids: [Identifier]? { kept("ids")?.compactMap(\.identifier) }

    /// The words that were kept beside the numbers.
    var words: [String]? { kept("words")?.compactMap(\.string) }

    private func kept(_ name: String) -> [JSON]? {
        guard let bytes = try? Files.read(path, max: 1 << 20), let json = try? JSON.parse(bytes),
            json["whom"]?.string == whom
        else { return nil }
        return json[name]?.array ?? []
    }

    /// A list that cannot be kept is shown all the same; its numbers then have no meaning.
    func keep(_ ids: [Identifier], _ words: [String] = []) {
        let json: JSON = [
            "whom": .string(whom), "ids": .array(ids.map { .id($0) }), "words": .array(words.map { .string($0) }),
        ]
        try? Login.makeFolder(of: path)
        try? Files.write(json.bytes, to: path, mode: 0o600)
    }
}
