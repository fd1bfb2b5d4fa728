import KinModel
import KinWords

extension CommandArea {
    /// The commands for the family's pictures.
    static let pictures = CommandArea(
        name: "Pictures", group: .messages, commands: [.pictures],
        file: "pictures", word: { ["FILM", "STILL"].contains($0) ? .file : $0 == "FOLDER" ? .folder : nil },
        inboxKinds: ["pictures", "pictured", "pictureLiked"], used: (today: ["galleryPicturesToday"], inAll: []))
}

extension Command {
    static let pictures = Command(
        name: "pictures",
        usage: [
            "pictures [older] [--by MEMBER] [--who MEMBER] [--album NAME] [--category NAME] [--from DAY] [--to DAY] [--limit COUNT]",
            "pictures day [DAY]",
            "pictures add FILE… [--caption TEXT] [--album NAME] [--category NAME] [--who MEMBER,…]"
                + " [--for everyone|household|me|MEMBER,…] [--original]",
            "pictures add STILL --film FILM [--caption TEXT] [--album NAME] [--category NAME] [--who MEMBER,…]"
                + " [--for everyone|household|me|MEMBER,…] [--original]",
            "pictures add FILE… --document [--caption TEXT] [--album NAME] [--category NAME]"
                + " [--for everyone|household|me|MEMBER,…]",
            "pictures collage NUMBER NUMBER… [--layout LAYOUT] [--caption TEXT] [--album NAME] [--category NAME]"
                + " [--for everyone|household|me|MEMBER,…]",
            "pictures get NUMBER [FILE] [--original]", "pictures get NUMBER [FILE] --fetch-film",
            "pictures export FOLDER [--album NAME] [--by MEMBER]",
            "pictures export FILE [--album NAME] [--by MEMBER]", "pictures albums", "pictures bin",
            "pictures set NUMBER [--caption TEXT] [--album NAME] [--category NAME] [--who MEMBER,…]",
            "pictures not-me NUMBER", "pictures like NUMBER [like|love|laugh|wow|sad|thanks|none]",
            "pictures rm NUMBER [--at-once] [--yes]", "pictures restore NUMBER",
            "pictures share NUMBER everyone|household|me|MEMBER,…",
            "pictures share-album NAME everyone|household|me|MEMBER,…",
        ],
        options: [
            .value("by", "MEMBER"), .value("who", "MEMBER,…"), .value("album", "NAME"), .value("category", "NAME"),
            .value("limit", "COUNT"), .value("from", "DAY"), .value("to", "DAY"),
            .value("caption", "TEXT"), .value("layout", "LAYOUT"),
            .value("for", "everyone|household|me|MEMBER,…"), .value("film", "FILM"),
            .flag("original"), .flag("document"), .flag("fetch-film"), .flag("at-once"), .flag("yes"),
        ], words: 0...1000,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("", 0): try PictureCommands.list(call)
            case ("older", 1): try PictureCommands.list(call, isOlder: true)
            case ("day", 1...): try PictureCommands.onThisDay(call)
            case ("bin", 1): try PictureCommands.list(call, isBin: true)
            case ("albums", 1): try PictureCommands.albums(call)
            case ("add", 2...): try PictureCommands.add(call)
            case ("collage", 3...13): try PictureCommands.collage(call)
            case ("get", 2...3): try PictureCommands.get(call)
            case ("export", 2): try PictureCommands.export(call)
            case ("set", 2): try PictureCommands.set(call)
            case ("not-me", 2): try PictureCommands.leave(call)
            case ("like", 2...3): try PictureCommands.like(call)
            case ("rm", 2): try PictureCommands.remove(call)
            case ("restore", 2): try PictureCommands.restore(call)
            case ("share", 3): try PictureCommands.share(call)
            case ("share-album", 3): try PictureCommands.shareAlbum(call)
            default: throw call.misused
            }
        })
}
