import KinKeeper
import KinModel

@testable import KinSimulation

extension Secret {
    static let activity = [
        Secret("that everyone is told something", from: guests) { stage in
            let told = try stage.does("ada", "activity.announce", ["text": .string(stage.words(60))])
            try stage.hide(told, "announcement")
        },
        Secret("what somebody says to one other", from: everybody) { stage in
            let to: JSON = [.id(try stage.id("mo"))]
            let told = try stage.does("mia", "activity.say", ["text": .string(stage.words(60)), "to": to])
            let id = JSON.id(try stage.hide(told, "saying"))
            if stage.dice.once(in: 2) {
                try stage.does("mia", "activity.correct", ["id": id, "text": .string(stage.words(50))])
            }
        },
        Secret("what somebody said to one other and took back", from: everybody) { stage in
            let to: JSON = [.id(try stage.id("mo"))]
            let told = try stage.does("mia", "activity.say", ["text": .string(stage.words(60)), "to": to])
            let id = JSON.id(try stage.hide(told, "saying"))
            try stage.does("mia", "activity.correct", ["id": id, "text": .string(stage.words(50))])
            try stage.does("mia", "activity.withdraw", ["id": id])
        },
        Secret("what goes with an admin who leaves", from: ["gil"]) { stage in
            let nan = JSON.id(try stage.id("nan"))
            try stage.does("ada", "member.setRole", ["member": nan, "role": "admin"])
            try stage.does("nan", "activity.announce", ["text": .string(stage.words(60))])
            let room = try stage.does("nan", "room.open", ["with": [.id(try stage.id("mo"))]])["room"]?["room"]
            try stage.does("nan", "message.send", ["room": room?["id"] ?? .null, "text": .string(stage.words(9))])
            try stage.does("ada", "member.remove", ["member": nan, "keep": "delete"])
        },
    ]

    static let inbox = [
        Secret("what somebody has read", from: everybody) { stage in
            let now = Instant(milliseconds: stage.box.time.wallMilliseconds())
            try stage.does("mo", "activity.read", ["upTo": .time(now)])
        },
        Secret("what somebody took out of the inbox", from: everybody) { stage in
            let entry = try stage.does("mo", "activity.list")["entries"]?.array?.first
            try stage.does("mo", "activity.dismiss", ["id": entry?["id"] ?? .null])
        },
        Secret("what somebody wants to be told", from: everybody) { stage in
            let mute: JSON = stage.dice.once(in: 2) ? ["invited"] : ["invited", "voted", "confirmed"]
            try stage.does("mo", "activity.setRules", ["mute": mute])
        },
        Secret("an inbox that is summed up", from: everybody, lasting: 3 * 86_400) { stage in
            for index in 0..<52 {
                let host = index % 2 == 0 ? "mia" : "nan"
                _ = try stage.hide(try stage.meeting(host, "group", ["mo"]), "meeting")
            }
        },
    ]

    static let map = [
        Secret("a phone that reports no longer, from guests", from: guests, lasting: 3 * 86_400) { stage in
            try stage.does("mo", "sharing.set", ["state": "on"])
            try stage.report("mo")
        },
        Secret("where somebody is who does not share", from: everybody) { stage in try stage.report("mo") },
        Secret("where somebody was who does not share", from: everybody) { stage in
            let points: [JSON] = (0...stage.dice.below(9)).map { index in
                let at = Instant(milliseconds: stage.box.time.wallMilliseconds()).adding(seconds: Int64(-index * 60))
                return ["lat": .double(Double(index)), "lon": 9, "at": .time(at), "battery": .int(Int64(50 + index))]
            }
            try stage.does("mo", "position.report", ["positions": .array(points)])
        },
        // Whom the phone is shown may know that it looked.
        Secret("what a phone says of somebody who does not share", from: ["ada", "gus"]) { stage in
            _ = try stage.publish("mo", Double(stage.dice.below(80)))
        },
        Secret("whom the rules of somebody who does not share are about", from: everybody) { stage in
            try stage.report("mo")
            let rules: JSON = [
                ["viewer": "everyone", "precision": "coarse", "history": true],
                ["viewer": .id(try stage.id("ada")), "precision": "exact"],
            ]
            try stage.does("mo", "sharing.set", ["state": "off", "rules": rules])
        },
        Secret("where somebody is whose rules name others", from: ["hal", "ben", "gil", "gus"]) { stage in
            let rules: JSON = [["viewer": .id(try stage.id("ada")), "precision": "exact", "history": true]]
            try stage.does("mo", "sharing.set", ["state": "on", "rules": rules])
            try stage.report("mo")
        },
        Secret("who holds whose settings", from: ["gil"]) { stage in
            try stage.does("nan", "member.update", ["member": .id(try stage.id("nan")), "kind": "child"])
            try stage.does(
                "mia", "member.relate", ["member": .id(try stage.id("mia")), "parentOf": .id(try stage.id("nan"))])
            try stage.does("mia", "sharing.hold", ["member": .id(try stage.id("nan")), "hold": true])
        },
        Secret("a link of a child's, which a parent sees and ends", from: ["gil"]) { stage in
            let nan = JSON.id(try stage.id("nan"))
            try stage.does("nan", "member.update", ["member": nan, "kind": "child"])
            try stage.does("mia", "member.relate", ["member": .id(try stage.id("mia")), "parentOf": nan])
            let until = Instant(milliseconds: stage.box.time.wallMilliseconds()).adding(days: 1)
            let made = try stage.does("nan", "guestLink.create", ["precision": "coarse", "until": .time(until)])
            let link = JSON.id(try stage.hide(made, "guestLink"))
            try stage.does("mia", "guestLink.list", ["member": nan])
            if stage.dice.once(in: 2) { try stage.does("mia", "guestLink.revoke", ["guestLink": link]) }
        },
        Secret("who waits to see somebody, and what is answered", from: everybody) { stage in
            // Mia never reports anything: Mo does in other secrets, and once Ben was admitted he saw that.
            try stage.does("mia", "sharing.set", ["state": "on", "confirms": []])
            for admit in [true, false] as [JSON] {
                try stage.does("mia", "sharing.admit", ["viewer": .id(try stage.id("ben")), "admit": admit])
            }
        },
        Secret(
            "a source of news for others, its address, and that it cannot be read", from: ["hal", "ben", "gil", "gus"]
        ) {
            stage in
            let made = try stage.does(
                "ada", "news.subscribe",
                [
                    "address": .string("https://news.example.org/\(stage.dice.below(1_000_000))/secret.xml"),
                    "name": .string(stage.words(3)), "audience": [.id(try stage.id("nan"))],
                ])
            let source = JSON.id(try stage.hide(made, "source"))
            try stage.does("nan", "news.sources")
            try stage.does("ada", "news.update", ["source": source, "audience": [.id(try stage.id("mo"))]])
            try stage.does("ada", "news.update", ["source": source, "name": .string(stage.words(3))])
            if stage.dice.once(in: 2) { try stage.does("ada", "news.remove", ["source": source]) }
        },
        Secret("how far somebody saw the news", from: everybody) { stage in
            let now = Instant(milliseconds: stage.box.time.wallMilliseconds())
            try stage.does("mo", "news.see", ["upTo": .time(now)])
        },
        Secret("a link for somebody outside", from: everybody) { stage in
            try stage.report("mo")
            let until = Instant(milliseconds: stage.box.time.wallMilliseconds()).adding(days: 1)
            let made = try stage.does("mo", "guestLink.create", ["precision": "exact", "until": .time(until)])
            try stage.hide(made, "guestLink")
        },
        Secret("a link that is used, and revoked", from: everybody) { stage in
            let until = Instant(milliseconds: stage.box.time.wallMilliseconds()).adding(days: 1)
            let made = try stage.does("mo", "guestLink.create", ["precision": "coarse", "until": .time(until)])
            let secret = made["secret"]?.string ?? ""
            let visitor = stage.box.connect()
            // Looking alone asks nothing; the visitor's own tap does.
            try visitor.ask("GET /where/\(secret)", [], "")
            try visitor.ask(
                "POST /where/\(secret)",
                [
                    "Content-Type: application/x-www-form-urlencoded", "Origin: null", "Sec-Fetch-Site: same-origin",
                ], "look=yes")
            visitor.leave()
            try stage.does("mo", "guestLink.revoke", ["guestLink": .id(try stage.hide(made, "guestLink"))])
        },
        Secret("what a phone with another app says of somebody who does not share", from: everybody) { stage in
            try stage.publishPoints("mo", Double(stage.dice.below(80)))
        },
        Secret("where somebody is who calls others, and that nobody answers", from: everybody) { stage in
            let soon = Instant(milliseconds: stage.box.time.wallMilliseconds()).adding(seconds: 10)
            try stage.does(
                "mo", "alarm.raise",
                ["kind": "come", "text": .string(stage.words(9)), "to": [.id(try stage.id("mia"))]])
            try stage.report("mo")
            try stage.does(
                "nan", "alarm.raise", ["kind": "check", "to": [.id(try stage.id("mo"))], "expected": .time(soon)])
        },
        Secret("that somebody calls another by a shortcut, and from where", from: everybody) { stage in
            let made = try stage.does(
                "mo", "alarm.addShortcut", ["name": "Watch", "kind": "come", "to": [.id(try stage.id("mia"))]])
            try stage.post("mo", "/alarm/\(made["secret"]?.string ?? "")?lat=1.5&lon=\(stage.dice.below(80))", "")
        },
        Secret("what rings in somebody's browser", from: everybody) { stage in
            // The key and the secret of RFC 8291 §5.
            try stage.does(
                "mo", "notice.add",
                [
                    "name": "Browser", "app": "webPush",
                    "subscription": [
                        "endpoint": .string("https://push.example.com/\(stage.dice.below(1_000_000))"),
                        "p256dh": .string(
                            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx"
                                + "aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
                        "auth": "BTBZMqHH6r4Tts7J_aSIgg", "page": "https://kin.local:5469",
                    ],
                ])
            try stage.does("mia", "activity.say", ["text": .string(stage.words(5)), "to": [.id(try stage.id("mo"))]])
        },
        Secret("an entry of a household's calendar", from: everybody.subtracting(["gus"])) { stage in
            let household = JSON.id(try stage.household("mill"))
            let made = try stage.does(
                "mo", "entry.add",
                ["subject": .string(stage.words(9)), "start": "2027-03-01", "calendar": household])
            try stage.hide(made, "entry")
        },
        Secret("what something private is, of which one sees when it is", from: everybody) { stage in
            try stage.does(
                "mo", "entry.update",
                ["entry": stage.privateEntry.map { .id($0) } ?? .null, "subject": .string(stage.words(9))])
        },
        Secret("a calendar that a phone makes, and what it writes there", from: everybody) { stage in
            let made = try stage.does("mo", "appPassword.create", ["device": "laptop", "scope": "calendar"])
            let password = made["password"]?.string ?? ""
            let place = "/dav/calendars/\(try stage.id("mo"))/choir/"
            func ask(_ verb: String, _ path: String, _ type: String = "application/xml", _ content: String = "") throws
            {
                try stage.keep("mo", password, verb, path, type, content)
            }
            try ask("MKCALENDAR", place)
            try ask(
                "PROPPATCH", place, "application/xml",
                "<propertyupdate xmlns=\"DAV:\"><set><prop><displayname>\(stage.words(5))</displayname></prop></set></propertyupdate>"
            )
            let event =
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:w1\r\nDTSTART:20270301T100000Z\r\nSUMMARY:\(stage.words(5))\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
            try ask("PUT", place + "w1.ics", "text/calendar", event)
            // The same UID and the same name as what those who look put into their own.
            try ask("PUT", "/dav/calendars/\(try stage.id("mo"))/\(try stage.id("mo"))/w1.ics", "text/calendar", event)
            let own = "/dav/calendars/\(try stage.id("mo"))/\(try stage.id("mo"))/w2.ics"
            try ask("PUT", own, "text/calendar", event.replacing("UID:w1", with: "UID:w2"))
            try stage.keep("mo", password, "MOVE", own, "text/calendar", "", "Destination: \(place)w2.ics\r\n")
            try ask("DELETE", place + "w2.ics")
            if stage.dice.once(in: 2) {
                try ask("DELETE", place + "w1.ics")
                try ask("DELETE", place)
            } else {
                try ask("MKCALENDAR", "/dav/calendars/\(try stage.id("mo"))/empty/")
                try ask("DELETE", "/dav/calendars/\(try stage.id("mo"))/empty/")
                try ask("DELETE", "/dav/calendars/\(try stage.id("mo"))/\(try stage.id("mo"))/w1.ics")
            }
        },
        Secret("a phone that is set up by a code", from: everybody) { stage in
            let made = try stage.does(
                "mo", "appPassword.offer", ["device": .string(stage.words(2)), "scope": "calendar"])
            let client = stage.box.connect()
            _ = try client.ask("GET /profile/\(made["secret"]?.string ?? "").mobileconfig")
            client.leave()
        },
        Secret("a list that a phone makes, and what it writes there", from: everybody) { stage in
            let made = try stage.does("mo", "appPassword.create", ["device": "laptop", "scope": "calendar"])
            let password = made["password"]?.string ?? ""
            let home = "/dav/calendars/\(try stage.id("mo"))/"
            func ask(_ verb: String, _ path: String, _ type: String = "application/xml", _ content: String = "") throws
            {
                try stage.keep("mo", password, verb, path, type, content)
            }
            try ask(
                "MKCALENDAR", home + "trip/", "application/xml",
                "<C:mkcalendar xmlns=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><set><prop><displayname>\(stage.words(3))</displayname><C:supported-calendar-component-set><C:comp name=\"VTODO\"/></C:supported-calendar-component-set></prop></set></C:mkcalendar>"
            )
            try ask(
                "PROPPATCH", home + "trip/", "application/xml",
                "<propertyupdate xmlns=\"DAV:\"><set><prop><displayname>\(stage.words(5))</displayname></prop></set></propertyupdate>"
            )
            let task =
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:w1\r\nSUMMARY:\(stage.words(5))\r\nX-A:b\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
            try ask("PUT", home + "trip/a.ics", "text/calendar", task)
            // On one that another sees as well, what a program keeps beside it.
            let list = try stage.hide(
                try stage.does(
                    "mo", "list.add", ["name": .string(stage.words(3)), "audience": [.id(try stage.id("nan"))]]),
                "list")
            try ask("PUT", home + "list-\(list)/a.ics", "text/calendar", task)
            if stage.dice.once(in: 2) {
                try ask("DELETE", home + "list-\(list)/a.ics")
                try ask("DELETE", home + "trip/a.ics")
                try ask("DELETE", home + "trip/")
            } else {
                try ask("DELETE", home + "list-\(list)/a.ics")
                try ask("DELETE", home + "list-\(list)/")
            }
        },
        Secret("what somebody is reminded of", from: everybody) { stage in
            let soon = Instant(milliseconds: stage.box.time.wallMilliseconds()).adding(seconds: 70)
            let made = try stage.does(
                "mo", "entry.add",
                [
                    "subject": .string(stage.words(9)), "start": .string(String("\(soon)".prefix(19))), "zone": "UTC",
                    "remind": [1],
                ])
            try stage.hide(made, "entry")
        },
        Secret("what a program tells somebody, and what a phone answers or puts off", from: everybody) { stage in
            let phone = try stage.does("mo", "notice.add", ["name": "Phone"])["topic"]?.string ?? ""
            let script = try stage.does("mo", "notice.addScript", ["name": "Washer"])["topic"]?.string ?? ""
            try stage.post("mo", "/\(script)", stage.words(5))
            try stage.does("mia", "activity.say", ["text": .string(stage.words(5)), "to": [.id(try stage.id("mo"))]])
            try stage.press(phone, 0)
            try stage.does("mia", "activity.say", ["text": .string(stage.words(5)), "to": [.id(try stage.id("mo"))]])
            try stage.press(phone, 2)
        },
        Secret("a contact that an app writes and removes", from: guests) { stage in
            let made = try stage.does("ada", "appPassword.create", ["device": "laptop", "scope": "calendar"])
            let password = made["password"]?.string ?? ""
            let card =
                "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:w1\r\nFN:\(stage.words(5))\r\nN:\(stage.words(5));;;;\r\nEND:VCARD\r\n"
            try stage.keep("ada", password, "PUT", card)
            if stage.dice.once(in: 2) { try stage.keep("ada", password, "DELETE", "") }
        },
        Secret("whether a phone takes places", from: everybody) { stage in
            try stage.post("mo", "/owntracks", #"{"_type":"lwt"}"#)
            let phones = try stage.does("mo", "phone.list")["phones"]?.array ?? []
            try stage.does("mo", "phone.update", ["phone": phones.first?["id"] ?? .null, "waypoints": false])
        },
        Secret("what a phone says of itself, and that it is forgotten", from: everybody) { stage in
            try stage.post("mo", "/owntracks", #"{"_type":"status","android":{"ps":1}}"#)
            let phones = try stage.does("mo", "phone.list")["phones"]?.array ?? []
            try stage.does("mo", "phone.forget", ["phone": phones.first?["id"] ?? .null])
        },
        Secret("an upload that was begun and went no further, and one that is no picture", from: everybody) { stage in
            let path = "/api/members/\(try stage.id("mo"))/picture"
            try stage.put("mo", path, ["Upload-Complete: ?0", "Upload-Length: 4096"], stage.words(5))
            stage.box.pictureWork = .refused("That is no picture.")
            try stage.put("mo", path, ["Upload-Complete: ?1"], stage.words(5))
            stage.box.pictureWork = nil
        },
        Secret("that somebody asks where another is", from: guests) { stage in
            try stage.does("mo", "sharing.set", ["state": "on"])
            try stage.does("mia", "position.ask", ["member": .id(try stage.id("mo"))])
        },
        Secret("sharing that shows nothing", from: everybody) { stage in
            // Mia never reports anything.
            try stage.does("mia", "sharing.set", ["state": "on"])
            try stage.does("mia", "sharing.set", ["state": "off"])
        },
        Secret("where somebody is who shares", from: guests) { stage in
            try stage.does("mo", "sharing.set", ["state": "on"])
            try stage.report("mo")
        },
        Secret("that somebody shares no longer", from: guests) { stage in
            try stage.report("mo")
            try stage.does("mo", "sharing.set", ["state": "on"])
            try stage.does("mo", "sharing.set", ["state": "off"])
        },
        Secret("sharing that ends by itself", from: guests) { stage in
            try stage.report("mo")
            let until = Instant(milliseconds: stage.box.time.wallMilliseconds()).adding(seconds: 5)
            try stage.does("mo", "sharing.set", ["state": "on", "until": .time(until)])
        },
        Secret("that somebody who does not share deleted where they were", from: everybody) { stage in
            try stage.report("mo")
            let now = Instant(milliseconds: stage.box.time.wallMilliseconds())
            try stage.does(
                "mo", "position.forget", ["from": .time(now.adding(days: -1)), "to": .time(now.adding(seconds: 60))])
        },
        Secret("how long somebody keeps a history", from: everybody) { stage in
            try stage.report("mo")
            let days = JSON.int(Int64(stage.dice.below(300)))
            try stage.does("mo", "sharing.set", ["historyDays": days])
        },
    ]

    static let live = [
        // Whom its snapshot shows may know that somebody looked.
        Secret("how far somebody has read", from: ["ada", "gus"]) { stage in
            let cursor = try stage.does("mo", "live.follow")["cursor"] ?? ""
            try stage.does("mo", "live.mark", ["name": "kitchen", "cursor": cursor])
        }
    ]

    static let upkeep = [
        Secret("a backup", from: everybody) { stage in
            try stage.machine("family.backup", ["name": .string("b\(stage.dice.below(100_000)).tar")])
        },
        Secret("machines of the house that may be asked", from: everybody.subtracting(["ada"])) { stage in
            let names = (0..<2).map { "nas\($0)-\(stage.dice.below(100_000)).local" }
            for name in names { try stage.machine("outside.allow", ["place": .string(name)]) }
            try stage.machine("outside.forbid", ["place": .string(names[0])])
        },
    ]
}
