import KinModel

extension CalendarsLife {
    static let showingNobody = [
        "entry.add": "an entry is no whereabouts",
        "entry.update": "an entry is no whereabouts",
        "entry.remove": "an entry is no whereabouts",
        "entry.answer": "an answer is no whereabouts",
        "entry.remind": "a reminder is one's own",
        "entry.star": "a star is no whereabouts",
        "entry.restore": "an entry is no whereabouts",
        "entry.erase": "what is erased shows nothing",
        "calendar.add": "a calendar is no whereabouts",
        "calendar.update": "a calendar is no whereabouts",
        "calendar.remind": "a reminder is one's own",
        "calendar.share": "a calendar is no whereabouts",
        "calendar.remove": "a calendar is no whereabouts",
        "calendar.subscribe": "a calendar is no whereabouts",
        "calendar.refresh": "a calendar is no whereabouts",
        "calendar.allowOutside": "whether calendars are read outside",
        "calendar.readOutside": "the daemon itself",
        "category.set": "a category is no whereabouts",
        "calendar.import": "an entry is no whereabouts",
        "calendar.finishImport": "an entry is no whereabouts",
        "calendar.addFeed": "an address of a calendar is no whereabouts",
        "calendar.removeFeed": "an address of a calendar is no whereabouts",
        "calendar.putItem": "an entry is no whereabouts",
        "calendar.dropItem": "an entry is no whereabouts",
        "calendar.moveItem": "an entry is no whereabouts",
        "calendar.makeShelf": "a calendar is no whereabouts",
        "calendar.setShelf": "a calendar is no whereabouts",
        "calendar.dropShelf": "a calendar is no whereabouts",
    ]

    static let hidden = [
        HiddenDeed("an entry of one's own, with all that becomes of it", from: .everybody) { stage in
            let made = try stage.does(
                "mo", "entry.add",
                [
                    "subject": .string(stage.words(9)), "start": "2027-03-01T10:00", "zone": "Europe/Berlin",
                    "repeat": "weekly", "invitees": [.id(try stage.id("nan"))], "remind": [30],
                ])
            let entry = JSON.id(try stage.hide(made, "entry"))
            try stage.does("nan", "entry.answer", ["entry": entry, "answer": "tentative"])
            try stage.does(
                "nan", "entry.answer", ["entry": entry, "answer": "declined", "occurrence": "2027-03-08T10:00"])
            try stage.does("nan", "entry.star", ["entry": entry, "on": true])
            try stage.does("nan", "entry.remind", ["entry": entry, "minutes": [60]])
            try stage.does(
                "mo", "entry.update",
                ["entry": entry, "scope": "this", "occurrence": "2027-03-15T10:00", "start": "2027-03-16T10:00"])
            if stage.dice.once(in: 2) {
                try stage.does(
                    "mo", "entry.update",
                    [
                        "entry": entry, "scope": "following", "occurrence": "2027-04-05T10:00",
                        "subject": .string(stage.words(9)),
                    ])
            }
            try stage.does("mo", "entry.update", ["entry": entry, "invitees": []])
            try stage.does("mo", "entry.update", ["entry": entry, "invitees": [.id(try stage.id("nan"))]])
            try stage.does("mo", "entry.remove", ["entry": entry])
            try stage.does("mo", "entry.restore", ["entry": entry])
            if stage.dice.once(in: 2) {
                try stage.does("mo", "entry.remove", ["entry": entry])
                try stage.does("mo", "entry.erase", ["entry": entry])
            }
        },
        HiddenDeed("what somebody takes out of a file", from: .everybody) { stage in
            // An event of an hour: Kites, on 2027-03-01.
            let file: JSON =
                "QkVHSU46VkVWRU5UDQpEVFNUQVJUOjIwMjcwMzAxVDEwMDAwMFoNClNVTU1BUlk6S2l0ZXMNCkVORDpWRVZFTlQNCg=="
            let taken = try stage.does("mo", "calendar.import", ["ics": file])
            try stage.hide(["entry": ["id": taken["entries"]?.array?.first?["entry"] ?? .null]], "entry")
        },
        HiddenDeed("something removed for good", from: .everybody) { stage in
            let made = try stage.does(
                "mo", "entry.add", ["subject": .string(stage.words(9)), "start": "2027-03-01", "days": 2])
            let entry = JSON.id(try stage.hide(made, "entry"))
            try stage.does("mo", "entry.remove", ["entry": entry])
            try stage.does("mo", "entry.erase", ["entry": entry])
        },
        HiddenDeed("what somebody is busy with, where everybody sees when", from: .everybody) { stage in
            let known = try stage.does("nan", "entry.all", [:])["entries"]?.array?.first
            let entry = JSON.id(try stage.hide(["entry": known ?? .null], "entry"))
            try stage.does(
                "nan", "entry.update",
                [
                    "entry": entry, "subject": .string(stage.words(9)), "note": .string(stage.words(30)),
                    "place": .string(stage.words(3)), "category": "medical", "invitees": [.id(try stage.id("mo"))],
                ])
            try stage.does("mo", "entry.answer", ["entry": entry, "answer": "accepted"])
            if stage.dice.once(in: 2) {
                try stage.does("nan", "entry.update", ["entry": entry, "privacy": "confidential"])
            }
        },
        HiddenDeed("an address at which somebody's calendar is read", from: .everybody) { stage in
            let made = try stage.does("mo", "calendar.addFeed", ["name": "Phone", "calendar": .id(try stage.id("mo"))])
            let feed = JSON.id(try stage.hide(made, "feed"))
            if stage.dice.once(in: 2) { try stage.does("mo", "calendar.addFeed", ["name": "Laptop"]) }
            try stage.does("mo", "calendar.removeFeed", ["feed": feed])
        },
        HiddenDeed("a calendar from outside, its address, and that it cannot be read", from: .everybody) { stage in
            let made = try stage.does(
                "mo", "calendar.subscribe",
                [
                    "address": .string("webcal://feeds.example.org/\(stage.dice.below(1_000_000))/secret.ics"),
                    "name": .string(stage.words(3)),
                ])
            let calendar = JSON.id(try stage.hide(made, "calendar"))
            if stage.dice.once(in: 2) {
                let nan = JSON.id(try stage.id("nan"))
                try stage.does("mo", "calendar.share", ["calendar": calendar, "with": nan, "right": "read"])
            }
            try stage.does(
                "mo", "calendar.update", ["calendar": calendar, "address": "webcal://feeds.example.org/other.ics"])
            if stage.dice.once(in: 2) {
                try stage.does("mo", "calendar.remove", ["calendar": calendar, "keep": false])
            }
        },
        HiddenDeed("a calendar that is shared with one other, and what stands in it", from: .everybody) { stage in
            let made = try stage.does("mo", "calendar.add", ["name": .string(stage.words(3))])
            let calendar = JSON.id(try stage.hide(made, "calendar"))
            let nan = JSON.id(try stage.id("nan"))
            try stage.does("mo", "calendar.share", ["calendar": calendar, "with": nan, "right": "write"])
            let entry = try stage.does(
                "nan", "entry.add",
                ["subject": .string(stage.words(9)), "start": "2027-05-01T10:00", "calendar": calendar, "zone": "UTC"])
            try stage.hide(entry, "entry")
            if stage.dice.once(in: 2) {
                try stage.does("mo", "calendar.share", ["calendar": calendar, "with": nan, "right": "none"])
            }
            try stage.does("mo", "calendar.update", ["calendar": calendar, "name": .string(stage.words(3))])
            let minutes = JSON.int(Int64(stage.dice.below(60)))
            try stage.does("mo", "calendar.update", ["calendar": calendar, "remind": [minutes]])
            try stage.does("mo", "calendar.remind", ["calendar": calendar, "minutes": [30, 1440]])
            try stage.does("mo", "calendar.remove", ["calendar": calendar, "keep": .bool(stage.dice.once(in: 2))])
        },
        HiddenDeed("an entry of the family's calendar that is for one other alone", from: .everybody) { stage in
            let family = try stage.does("mo", "family.show", [:])["family"]?["id"]
            let nan = JSON.id(try stage.id("nan"))
            let made = try stage.does(
                "mo", "entry.add",
                [
                    "subject": .string(stage.words(9)), "start": "2027-03-02T10:00", "zone": "UTC",
                    "calendar": family ?? .null, "repeat": "weekly", "dates": ["2027-03-04T10:00"], "audience": [nan],
                ])
            let entry = JSON.id(try stage.hide(made, "entry"))
            try stage.does("nan", "entry.star", ["entry": entry, "on": true])
            try stage.does("mo", "entry.update", ["entry": entry, "subject": .string(stage.words(9))])
            if stage.dice.once(in: 2) {
                try stage.does("mo", "entry.update", ["entry": entry, "audience": []])
                try stage.does("mo", "entry.update", ["entry": entry, "audience": [nan]])
            }
            if stage.dice.once(in: 2) {
                try stage.does("mo", "entry.remove", ["entry": entry])
                try stage.does("mo", "entry.restore", ["entry": entry])
            }
        },
        HiddenDeed("an entry of the family's calendar", from: .guests) { stage in
            let family = try stage.does("mo", "family.show", [:])["family"]?["id"]
            let made = try stage.does(
                "mo", "entry.add",
                [
                    "subject": .string(stage.words(9)), "start": "2027-03-01T10:00", "zone": "UTC",
                    "calendar": family ?? .null,
                ])
            try stage.hide(made, "entry")
        },
    ]
}
