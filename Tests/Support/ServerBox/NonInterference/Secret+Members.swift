import KinModel

@testable import KinSimulation

extension Secret {
    static let members = [
        Secret("a household that stands empty", from: guests) { stage in
            let made = try stage.does("ada", "household.found", ["name": .string(stage.words(5)), "stay": true])
            try stage.hide(made, "household")
        },
        Secret("a household that was and is not", from: guests) { stage in
            let made = try stage.does("ada", "household.found", ["name": .string(stage.words(5)), "stay": true])
            try stage.does("ada", "household.remove", ["household": .id(try stage.hide(made, "household"))])
        },
        Secret("the new name of another household", from: ["gil"]) { stage in
            try stage.does(
                "mia", "household.rename",
                ["household": .id(try stage.household("mill")), "name": .string(stage.words(5))])
        },
        Secret("who moves from one household into another", from: ["gil"]) { stage in
            let made = try stage.does("ada", "household.found", ["name": .string(stage.words(5)), "stay": true])
            let household = JSON.id(try stage.hide(made, "household"))
            try stage.does(
                "ada", "household.admit",
                ["member": .id(try stage.id("mo")), "household": household, "admit": true])
            try stage.does("mo", "household.move", ["member": .id(try stage.id("mo")), "household": household])
        },
        Secret("who asks to move, and is not admitted", from: ["ben", "gil", "gus"]) { stage in
            let (mo, hill) = (JSON.id(try stage.id("mo")), JSON.id(try stage.household("hill")))
            try stage.does("mo", "household.move", ["member": mo, "household": hill])
            try stage.does("hal", "household.admit", ["member": mo, "household": hill, "admit": false])
        },
        Secret("a child that asks to count as an adult, and does not yet", from: ["gil"]) { stage in
            let nan = JSON.id(try stage.id("nan"))
            try stage.does("nan", "member.update", ["member": nan, "kind": "child"])
            try stage.does("nan", "member.askGrown")
            try stage.does("mia", "member.answerGrown", ["member": nan, "grown": false])
        },
        Secret("an invite", from: ["hal", "ben", "gil", "gus"]) { stage in _ = try invite(stage) },
        Secret("an invite that ended", from: ["hal", "ben", "gil", "gus"]) { stage in
            try stage.does("ada", "invite.revoke", ["invite": .id(try invite(stage).id)])
        },
        Secret("invites that end with the role that made them", from: ["gil"]) { stage in
            try stage.hide(try stage.does("mia", "invite.create"), "invite")
            try stage.does("ada", "member.setRole", ["member": .id(try stage.id("mia")), "role": "member"])
        },
        Secret("who joins another household", from: ["gil"]) { stage in
            let joined = try stage.stranger(
                "member.join",
                [
                    "code": .string(try invite(stage).code), "username": "zoe", "password": .string(Box.password),
                    "displayName": .string(stage.words(5)),
                ])
            try stage.hide(joined, "member")
            try stage.hide(joined, "session")
        },
        Secret("who is added to another household", from: ["gil"]) { stage in
            let added = try stage.does(
                "ada", "member.add",
                [
                    "username": "yan", "password": .string(Box.password), "displayName": .string(stage.words(5)),
                    "household": .id(try stage.household("mill")), "role": "member", "kind": "child",
                ])
            try stage.hide(added, "member")
        },
        Secret("a screen on the wall of another household", from: ["gil"]) { stage in
            let added = try stage.does(
                "ada", "wall.add", ["name": .string(stage.words(5)), "household": .id(try stage.household("mill"))])
            try stage.hide(added, "member")
        },
        Secret("a username", from: guests) { stage in
            let name = "mia." + String(repeating: "x", count: stage.dice.below(20))
            try stage.does("mia", "member.update", ["member": .id(try stage.id("mia")), "username": .string(name)])
        },
        Secret("a name in another household", from: ["gil"]) { stage in
            let mo = JSON.id(try stage.id("mo"))
            try stage.does("mo", "member.update", ["member": mo, "displayName": .string(stage.words(5))])
        },
        Secret("a picture in another household", from: ["gil"]) { stage in
            let picture = JSON.string(stage.dice.once(in: 2) ? "AAEC" : "AAECAwQFBgc=")
            try stage.does("mo", "member.setPicture", ["member": .id(try stage.id("mo")), "picture": picture])
        },
        Secret("a picture that is gone again", from: ["gil"]) { stage in
            try stage.does("mo", "member.setPicture", ["member": .id(try stage.id("mo")), "picture": "AAEC"])
            try stage.does("mo", "member.removePicture", ["member": .id(try stage.id("mo"))])
        },
        Secret("a role in another household", from: ["gil"]) { stage in
            let role = JSON.string(stage.dice.pick(["head", "admin", "guest"]))
            try stage.does("ada", "member.setRole", ["member": .id(try stage.id("mo")), "role": role])
        },
        Secret("who belongs to whom", from: guests) { stage in
            let (mia, mo) = (JSON.id(try stage.id("mia")), JSON.id(try stage.id("mo")))
            try stage.does("ada", "member.relate", ["member": mia, "partnerOf": mo])
            try stage.does("nan", "member.relate", ["member": mia, "parentOf": .id(try stage.id("nan"))])
        },
        Secret("who leaves another household", from: ["gil"]) { stage in
            let keep = JSON.string(stage.dice.pick(["delete", "hand-over"]))
            try stage.does("ada", "member.remove", ["member": .id(try stage.id("nan")), "keep": keep])
        },
    ]

    /// An invite into the other household.
    private static func invite(_ stage: Stage) throws -> (id: Identifier, code: String) {
        let uses = JSON.int(1 + Int64(stage.dice.below(9)))
        let made = try stage.does(
            "ada", "invite.create",
            ["household": .id(try stage.household("mill")), "role": "member", "kind": "adult", "uses": uses])
        return (try stage.hide(made, "invite"), made["code"]?.string ?? "")
    }

    /// What a household's people see, and the screen on their wall does not show.
    static let walls = [
        Secret("what people say, write, list and talk of beside a wall", from: [Stage.wall]) { stage in
            try stage.does("hal", "activity.say", ["text": .string(stage.words(9))])
            try stage.does("ada", "activity.announce", ["text": .string(stage.words(9))])
            try stage.does("ben", "list.add", ["name": .string(stage.words(3))])
            try stage.does("ben", "post.add", ["text": .string(stage.words(9))])
            let room = try stage.does("ben", "room.list")["rooms"]?.array?.first
            let id = room?["id"] ?? room?["room"]?["id"] ?? .null
            try stage.does("ben", "message.send", ["room": id, "text": .string(stage.words(9))])
        }
    ]

    static let sessions = [
        Secret("that somebody signs in", from: everybody) { stage in _ = try session(stage) },
        Secret("a session that is revoked", from: everybody) { stage in
            let other = try session(stage)
            try stage.does("mo", "session.revoke", ["session": .id(other.id)])
        },
        Secret("that somebody signs out", from: everybody) { stage in
            let other = try session(stage)
            let client = stage.box.connect()
            client.postCall("session.resume", ["token": .string(other.token)])
            client.postCall("session.close")
            try stage.box.settle()
            client.leave()
        },
        Secret("a one-time link", from: ["hal", "ben", "gil", "gus"]) { stage in
            let made = try stage.does("ada", "session.link", ["member": .id(try stage.id("mo"))])
            guard stage.dice.once(in: 2) else { return }
            try stage.stranger("session.redeem", ["link": made["link"] ?? "", "device": .string(stage.words(5))])
        },
        Secret("a one-time link that is used", from: ["hal", "ben", "gil", "gus"]) { stage in
            let made = try stage.does("ada", "session.link", ["member": .id(try stage.id("nan"))])
            try stage.stranger(
                "session.redeem", ["link": made["link"] ?? "", "password": "another-heron-lantern-44"])
        },
        Secret("a session that waits, and that it is trusted", from: ["hal", "ben", "gil", "gus"]) { stage in
            let made = try stage.does("ada", "session.link", ["member": .id(try stage.id("mo"))])
            try stage.stranger("session.redeem", ["link": made["link"] ?? "", "device": .string(stage.words(5))])
            try stage.does("mo", "session.waiting")
            try stage.does("mo", "session.trust")
        },
        Secret("a password", from: everybody) { stage in
            _ = try session(stage)
            try stage.does("mo", "password.change", ["old": .string(Box.password), "new": "another-heron-lantern-43"])
        },
        Secret("a password that was seen in plain text", from: everybody) { stage in
            let client = stage.box.connect(from: Box.remote)
            let body = "{\"username\":\"mo\",\"password\":\"\(Box.password)\"}"
            try client.ask("POST /api/session", ["Content-Type: application/json"], body)
            client.leave()
        },
        Secret("a password that is given anew", from: everybody) { stage in
            try stage.machine("password.reset", ["username": "nan", "password": "another-heron-lantern-45"])
        },
        Secret("an app password", from: everybody) { stage in
            let made = try stage.does(
                "mo", "appPassword.create", ["device": .string(stage.words(5)), "scope": "location"])
            try stage.hide(made, "id")
        },
        Secret("an app password that ended", from: everybody) { stage in
            let made = try stage.does("mo", "appPassword.create", ["device": "phone", "scope": "location"])
            try stage.does("mo", "appPassword.revoke", ["appPassword": .id(try stage.hide(made, "id"))])
        },
    ]

    private static func session(_ stage: Stage) throws -> (id: Identifier, token: String) {
        let opened = try stage.stranger(
            "session.open",
            ["username": "mo", "password": .string(Box.password), "device": .string(stage.words(5))])
        return (try stage.hide(opened, "session"), opened["token"]?.string ?? "")
    }
}
