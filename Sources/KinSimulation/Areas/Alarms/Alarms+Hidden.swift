import KinModel

extension AlarmsLife {
    static let showingNobody = [
        "alarm.raise": "it lends a position to the called, apart from sharing",
        "alarm.answer": "an answer is no whereabouts", "alarm.take": "that a device rang is no whereabouts",
        "alarm.end": "it takes back what was lent",
        "alarm.addShortcut": "one's own", "alarm.removeShortcut": "one's own",
        "alarm.shortcut": "what the member's own shortcut raises",
    ]

    static let hidden = [
        HiddenDeed("a call for company and what is answered", from: .everybody) { stage in
            let raised = try stage.does(
                "mo", "alarm.raise",
                [
                    "kind": "come", "text": .string(stage.words(5)), "to": [.id(try stage.id("mia"))],
                    "position": ["lat": 10.5, "lon": 20.5, "at": "2026-01-01T00:00:00.000Z"],
                ])
            let alarm = try stage.hide(raised, "alarm")
            try stage.does("mia", "alarm.take", ["alarm": .id(alarm)])
            try stage.does("mia", "alarm.answer", ["alarm": .id(alarm), "answer": "coming"])
            try stage.does("mo", "alarm.end", ["alarm": .id(alarm)])
        },
        HiddenDeed("how somebody raises alarms by a shortcut", from: .everybody) { stage in
            let made = try stage.does(
                "mo", "alarm.addShortcut",
                ["name": .string(stage.words(2)), "kind": "come", "text": .string(stage.words(3))])
            try stage.does("mo", "alarm.removeShortcut", ["shortcut": .id(try stage.hide(made, "shortcut"))])
        },
        HiddenDeed("a call for help in a household, and whoever else it calls", from: .guests) { stage in
            try stage.does("mo", "alarm.raise", ["kind": "sos", "text": .string(stage.words(9))])
        },
    ]
}
