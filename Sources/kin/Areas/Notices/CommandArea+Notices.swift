import KinModel
import KinWords

extension CommandArea {
    /// The commands for ringing devices. `kin phone` adds phones that ring just as it adds those that report; `kin
    /// script` is for programs that send messages.
    static let notices = CommandArea(
        name: "Notices", group: .messages, commands: [.script, .notify],
        file: "notices",
        inboxKinds: ["house"])
}

extension Command {
    static let notify = Command(
        name: "notify",
        usage: ["notify push", "notify push on [--contact ADDRESS] [--hosts HOST,…]", "notify push off"],
        options: [.value("contact", "ADDRESS"), .value("hosts", "HOST,…")], words: 1...2,
        run: { (call) throws(Problem) in
            switch (call.words[0], call.words.dropFirst().first ?? "") {
            case ("push", ""): try PushCommands.show(call)
            case ("push", "on"): try PushCommands.allow(call)
            case ("push", "off"): try PushCommands.forbid(call)
            default: throw call.misused
            }
        })

    static let script = Command(
        name: "script", usage: ["script", "script add NAME…", "script messages", "script remove NAME…"], options: [],
        words: 0...100,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("", 0): try ScriptCommands.list(call)
            case ("add", 2...): try ScriptCommands.add(call)
            case ("messages", 1): try ScriptCommands.messages(call)
            case ("remove", 2...): try ScriptCommands.remove(call)
            default: throw call.misused
            }
        })
}
