import KinModel

extension NoticesLife {
    static let showingNobody = [
        "notice.add": "one's own", "notice.change": "one's own", "notice.renew": "one's own",
        "notice.remove": "one's own", "notice.test": "one's own", "notice.snooze": "one's own",
        "notice.addScript": "one's own", "notice.removeScript": "one's own",
        "notice.publish": "the member's own script, into the member's own inbox",
        "notice.answer": "what the member's own device was offered", "notice.answered": "the member's own device",
        "notice.allowPush": "whether the family's server speaks to push services",
        "notice.deliver": "the daemon itself, to the member's own browsers",
        "notice.taken": "that a device was handed a ring",
        "notice.take": "what the member's own inbox has, to the member's own device",
    ]

    static let hidden = [
        HiddenDeed("which devices ring for somebody", from: .everybody) { stage in
            let device = try stage.does("mo", "notice.add", ["name": .string(stage.words(3))])["device"]?["id"] ?? .null
            try stage.does("mo", "notice.change", ["device": device, "discreet": true])
            try stage.does("mo", "notice.test", ["device": device])
            try stage.does("mo", "notice.renew", ["device": device])
            try stage.does("mo", "notice.remove", ["device": device])
        },
        HiddenDeed("which programs tell somebody something", from: .everybody) { stage in
            let made = try stage.does("mo", "notice.addScript", ["name": .string(stage.words(3))])
            try stage.does("mo", "notice.removeScript", ["script": .id(try stage.hide(made, "script"))])
        },
    ]
}
