import KinModel
import KinWords

extension CommandArea {
    /// Alarms: a call for help, a call to come, and the question whether all is well.
    static let alarms = CommandArea(
        name: "Alarms", group: .messages, commands: [.alarm],
        file: "alarms")
}

extension Command {
    static let alarm = Command(
        name: "alarm",
        usage: [
            "alarm", "alarm sos [TEXT…]", "alarm come [TEXT…] [--to MEMBER,…]",
            "alarm way [TEXT…] [--to MEMBER,…] [--by TIME…] [--place PLACE]",
            "alarm check [TEXT…] [--to MEMBER,…] [--by TIME…]",
            "alarm answer coming|cannot|well|seen [NUMBER|MEMBER]", "alarm end [NUMBER|MEMBER]",
            "alarm shortcut [list]", "alarm shortcut add NAME sos|come|way|check [TEXT…] [--to MEMBER,…]",
            "alarm shortcut remove NAME",
        ],
        options: [.value("to", "MEMBER,…"), .value("by", "TIME"), .value("place", "PLACE")], words: 0...200,
        run: { (call) throws(Problem) in
            switch call.words.first ?? "" {
            case "": try AlarmCommands.list(call)
            case "sos": try AlarmCommands.raise(.sos, call)
            case "come": try AlarmCommands.raise(.come, call)
            case "way": try AlarmCommands.raise(.onTheWay, call)
            case "check": try AlarmCommands.raise(.check, call)
            case "answer": try AlarmCommands.answer(call)
            case "end": try AlarmCommands.end(call)
            case "shortcut": try ShortcutCommands.run(call)
            default: throw call.misused
            }
        })
}
