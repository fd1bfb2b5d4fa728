import CCommandWords
import KinWords

extension MessageFile {
    /// One of the command line's message files, such as `de` or `lists.de`.
    static func ofCommands(_ name: String) -> MessageFile {
        guard let file = commands[name] else { preconditionFailure("there is no file of messages \(name)") }
        return file
    }

    private static let commands: [String: MessageFile] = {
        var all: [String: MessageFile] = [:]
        for row in UnsafeBufferPointer(
            start: kin_command_words_files(), count: kin_command_words_file_count())
        {
            all[String(cString: row.name)] = MessageFile(start: row.bytes, count: row.count)
        }
        return all
    }()
}
