import KinModel
import KinWords

extension CommandArea {
    /// Lists of things to buy, to do and to pack together.
    static let lists = CommandArea(
        name: "Lists", group: .meetings, commands: [.list],
        file: "lists",
        lookups: [
            Lookup(
                placeholder: "LIST", word: "lists",
                names: { (call) throws(Problem) in try ListCommands.all(call).map(\.list.name) })
        ],
        inboxKinds: ["listed"])
}

extension Command {
    static let list = Command(
        name: "list",
        usage: [
            "list [LIST]", "list edit LIST", "list --about THING",
            "list new NAME [--kind shopping|tasks|packing] [--for everyone|household|me|MEMBER,…] [--about THING]",
            "list add LIST ITEM[,ITEM]… [--due DAY] [--repeat RULE] [--turns MEMBER,…]", "list tick LIST ITEM…",
            "list untick LIST ITEM…",
            "list take LIST ITEM…", "list set LIST ITEM [--text TEXT] [--note TEXT]", "list up LIST ITEM",
            "list down LIST ITEM", "list sections LIST NAME[,NAME]…", "list clear LIST", "list search WORDS…",
            "list suggest WORDS… [--kind shopping|tasks|packing]", "list rename LIST NAME",
            "list share LIST everyone|household|me|MEMBER,…", "list tie LIST THING", "list remove LIST [--yes]",
            "list notify LIST on|off",
        ],
        options: [
            .value("kind", "KIND"), .value("for", "MEMBER,…"), .value("section", "NAME"), .value("who", "MEMBER"),
            .value("due", "DAY"), .value("text", "TEXT"), .value("note", "TEXT"),
            .value("repeat", "RULE"), .value("turns", "MEMBER,…"), .value("about", "THING"), .flag("yes"),
        ], words: 0...200,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("new", 2...): try ListCommands.make(call)
            case ("edit", 2...): try ListCommands.edit(call)
            case ("add", 3...): try ListCommands.add(call)
            case ("tick", 3...): try ListCommands.tick(call, on: true)
            case ("untick", 3...): try ListCommands.tick(call, on: false)
            case ("take", 3...): try ListCommands.take(call)
            case ("set", 3...): try ListCommands.change(call)
            case ("up", 3...): try ListCommands.move(call, isUp: true)
            case ("down", 3...): try ListCommands.move(call, isUp: false)
            case ("sections", 3...): try ListCommands.section(call)
            case ("clear", 2): try ListCommands.clear(call)
            case ("search", 2...): try ListCommands.search(call)
            case ("suggest", 2...): try ListCommands.suggest(call)
            case ("rename", 3...): try ListCommands.rename(call)
            case ("share", 3): try ListCommands.share(call)
            case ("tie", 3): try ListCommands.tie(call)
            case ("remove", 2): try ListCommands.remove(call)
            case ("", 0) where call.value("about") != nil: try ListCommands.about(call)
            case ("notify", 3): try ListCommands.notify(call)
            case ("", 0): try ListCommands.overview(call)
            case (_, 1...): try ListCommands.show(call)
            default: throw call.misused
            }
        })
}
