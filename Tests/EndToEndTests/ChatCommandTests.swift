import KinModel
import Testing

/// Rooms by `kin` alone, against the real daemon.
@Suite struct ChatCommandTests {
    @Test func `a talk lives by kin alone`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        func kin(_ words: String..., as who: String = "ada", typing: String = "") throws -> [String] {
            let program = stage.start(["kin"] + words + ["--as", who])
            if !typing.isEmpty { program.write(typing) }
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        #expect(try kin("chat").contains { $0.contains("The whole family") })
        #expect(try kin("chat", "say", "family", "Soup", "is", "ready") == ["Sent."])
        #expect(try kin("inbox", as: "bob").contains { $0.contains("The whole family") })
        let seen = try kin("chat", "family", as: "bob")
        #expect(seen.first == "The whole family" && seen.contains("    Soup is ready"))
        #expect(try kin("chat", "answer", "family", "1", "On", "my", "way", as: "bob") == ["Sent."])
        let answered = try kin("chat", "family")
        #expect(answered.contains { $0.hasSuffix("answers 1") } && answered.contains("    On my way"))
        #expect(try kin("chat", "with", "bob", "--name", "Kites").joined().contains("Kites"))
        // What comes from a pipe is sent line by line.
        _ = try kin("chat", "Kites", typing: "Wind on Sunday?\n\nI think so\n")
        #expect(try kin("chat", as: "bob").contains { $0.contains("Kites · 2 new") })
        let talk = try kin("chat", "Kites", as: "bob")
        #expect(talk.contains("    Wind on Sunday?") && talk.contains("    I think so"))
        #expect(try !kin("chat", as: "bob").contains { $0.contains("new") })
        #expect(try kin("chat", "search", "sund", as: "bob").contains { $0.contains("Kites") })
        _ = try kin("chat", "Kites")
        #expect(try kin("chat", "edit", "Kites", "2", "I hope so") == ["The message is changed."])
        #expect(try kin("chat", "take", "Kites", "1", "--yes") == ["The message is removed."])
        #expect(try kin("chat", "Kites").contains { $0.hasSuffix("edited") })
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(stage.folder)/kite.png")
        #expect(
            try kin("chat", "send", "Kites", "Our kite", "--picture", stage.folder + "/kite.png", "--at", "48.1,11.5")
                == ["Sent."])
        let sent = try kin("chat", "Kites", as: "bob")
        #expect(sent.contains("    Our kite") && sent.contains { $0.contains("(1 picture") })
        #expect(sent.contains("    A spot on the map: 48.1, 11.5"))
        #expect(try kin("pictures", as: "bob").contains { $0.hasPrefix("1   ") })
        #expect(try kin("pictures", "--from", "2020-01-01", as: "bob").contains { $0.hasPrefix("1   ") })
        let earlier = try kin("pictures", "--from", "2020-01-01", "--to", "2020-12-31", as: "bob")
        #expect(earlier == ["No picture that you see is like that."])
        #expect(try kin("pictures", "day", as: "bob").joined().contains("of an earlier year"))
        let made = try house.door(as: "ada").call("list.add", ["name": "Kite things"])
        let thing = "list/" + (try #require(made["list"]?["id"]?.string))
        #expect(try kin("chat", "send", "Kites", "See", "--about", thing) == ["Sent."])
        _ = try kin("chat", "Kites", as: "bob")
        _ = try kin("post", "--about", thing)
        #expect(try house.snapshot("bob").posts.values.contains { $0.about == thing })
        #expect(try kin("chat", "search", "hope", "--room", "Kites").contains("    I hope so"))
        #expect(try kin("chat", "search", "hope", "--room", "family") == ["No message is like that."])
        _ = try kin("chat", "Kites")
        let vote = try kin("chat", "vote", "Kites", "1", "2036-11-23 17:00-19:00", "2036-11-24 17:00-19:00")
        #expect(vote.first?.contains("I hope so") == true && vote.count == 3, "\(vote)")
        let meeting = try #require(try house.snapshot("bob").meetings.values.first?.meeting)
        #expect(meeting.title == "I hope so" && meeting.slots.count == 2)
        #expect(try kin("chat", "Kites", as: "bob").contains { $0.contains("(meeting: I hope so)") })
        #expect(try kin("chat", "mute", "Kites", as: "bob").joined().contains("muted"))
        #expect(try kin("chat", as: "bob").contains { $0.contains("Kites · muted until") })
        #expect(try kin("chat", "unmute", "Kites", as: "bob").joined().contains("heard again"))
        // How far one has read is seen by others while one shows it.
        #expect(try !kin("chat", "Kites").contains { $0.hasPrefix("Read by") })
        #expect(try kin("chat", "reads", "Kites", "on", as: "bob").joined().contains("how far"))
        #expect(try kin("chat", "Kites").last == "Read by Bob")
        #expect(try !kin("chat", "Kites", as: "bob").contains { $0.hasPrefix("Read by") })
        _ = try kin("chat", "reads", "Kites", "off", as: "bob")
        #expect(try !kin("chat", "Kites").contains { $0.hasPrefix("Read by") })
        #expect(try kin("chat", "name", "Kites", "Kites on Sunday").joined().contains("otherwise"))
        #expect(try kin("chat", "leave", "Kites", "--yes", as: "bob") == ["You have left the group."])
        #expect(try !kin("chat", as: "bob").contains { $0.contains("Kites") })
    }

    @Test func `on a terminal a talk shows what comes, sends what is typed, and counts as read`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        stage.environment["TERM"] = "xterm"
        let door = try house.door(as: "ada")
        let room = try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .family }).room.id
        _ = try door.call("message.send", ["room": .id(room), "text": "Soup is ready"])
        let bob = try #require(try house.snapshot("bob").me)
        let talk = stage.start(["/usr/bin/script", "-qefc", "\(Stage.built)/kin chat family --as bob", "/dev/null"])
        func shown() -> String {
            talk.take()
            return (talk.lines + [talk.unended]).joined(separator: "\n")
        }
        try stage.wait("what was said before") { shown().contains("Soup is ready") }
        // Only who looks on at that moment is told that somebody writes; ada does so by a door of her own.
        let token = try house.token("ada")
        try stage.wait("who writes") {
            try stage.run(
                "curl", "-s", "-o", "/dev/null", "-X", "PUT", "-H", "Authorization: Bearer \(token)",
                "-H", "Content-Type: application/json", "-d", "{}", "\(house.url)/api/rooms/\(room)/typing")
            return shown().contains("Ada is writing")
        }
        talk.write("On my way\r")
        try stage.wait("what was typed to be sent") {
            let said = try door.call("message.list", ["room": .id(room)])["messages"]?.array ?? []
            return said.count == 2 && said.last?["text"] == "On my way" && said.last?["author"] == .id(bob)
        }
        // Who shows it is said to have read it, as soon as that is so.
        let said = try door.call("message.list", ["room": .id(room)])["messages"]?.array ?? []
        _ = try door.call("room.set", ["room": .id(room), "showsRead": true])
        _ = try door.call("message.read", ["room": .id(room), "upTo": try #require(said.last?["id"])])
        try stage.wait("who has read it") { shown().contains("Read by Ada") }
        let third = try #require(
            try door.call("message.send", ["room": .id(room), "text": "It gets cold"])["message"]?["id"])
        try stage.wait("what came meanwhile") { shown().contains("It gets cold") }
        _ = try door.call("message.update", ["room": .id(room), "message": third, "text": "It is cold"])
        try stage.wait("what it says now") { shown().contains("It is cold") }
        _ = try door.call("message.remove", ["room": .id(room), "message": third])
        try stage.wait("that it is gone") { shown().contains("removed") }
        // A message that the terminal showed is new no more.
        try stage.wait("all to be read") {
            try house.snapshot("bob").rooms.values.first { $0.room.id == room }?.own.unread == 0
        }
        talk.write("\u{04}")
        try stage.wait("the end") {
            talk.take()
            return talk.status != nil
        }
        #expect(talk.status == 0)
    }

    @Test func `a group has others in it for a while, and who holds a child sees with whom it talks, and not what`()
        throws
    {
        let stage = try Stage()
        let house = try House(stage, family: ["bob", "carol"])
        func run(_ words: [String], _ who: String) throws -> Program {
            let program = stage.start(["kin", "chat"] + words + ["--as", who])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            return program
        }
        func kin(_ words: String..., as who: String = "ada") throws -> [String] {
            let program = try run(words, who)
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        _ = try kin("with", "bob", "--name", "Kites")
        _ = try kin("say", "Kites", "Wind on Sunday")
        #expect(try kin("add", "Kites", "carol") == ["They see what is said from now on."])
        _ = try kin("say", "Kites", "Bring string")
        let seen = try kin("Kites", as: "carol")
        #expect(seen.contains("    Bring string") && !seen.joined().contains("Wind"))
        #expect(try kin("out", "Kites", "carol") == ["They see nothing more of it."])
        _ = try kin("say", "Kites", "At four")
        #expect(try !kin(as: "carol").joined().contains("Kites"))
        #expect(try run(["Kites"], "carol").status != 0)

        let ada = try house.door(as: "ada")
        let code = try ada.call("invite.create", ["kind": "child"])["code"] ?? .null
        _ = try house.door().call(
            "member.join",
            [
                "code": code, "username": "kim", "password": .string(House.password), "displayName": "Kim",
                "asChild": true,
            ])
        let all = try house.snapshot("ada")
        let kim = try #require(all.members.values.first { $0.displayName == "Kim" }).id
        _ = try ada.call("member.relate", ["member": .id(try #require(all.me)), "parentOf": .id(kim)])
        _ = try ada.call("sharing.hold", ["member": .id(kim), "hold": true])
        #expect(try kin("of", "kim") == ["The child has no rooms of its own."])
        let bob = try #require(try house.snapshot("bob").me)
        let child = try house.door(as: "kim")
        let club = try child.call("room.open", ["with": [.id(bob)], "name": "Secret club"])
        _ = try child.call(
            "message.send", ["room": club["room"]?["room"]?["id"] ?? .null, "text": "The tree house at four"])
        #expect(try kin("of", "kim") == ["Bob"])
        #expect(try run(["of", "kim"], "carol").status != 0)
    }

    @Test func `what was said before is read page by page, and answered by its number there`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let door = try house.door(as: "ada")
        let room = try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .family }).room.id
        for number in 1...5 {
            _ = try door.call("message.send", ["room": .id(room), "text": .string("Day \(number)")])
        }
        func days(_ words: String...) throws -> [String] {
            let lines = try stage.run("sh", "-c", "\(Stage.built)/kin \(words.joined(separator: " ")) --as ada").lines
            return lines.filter { $0.contains("Day ") }.map { String($0.drop { $0 == " " }) }
        }
        try stage.run("kin", "chat", "older", "--as", "ada", exits: 5)
        #expect(try days("chat", "family", "--limit", "2") == ["Day 4", "Day 5"])
        #expect(try days("chat", "older", "--limit", "2") == ["Day 2", "Day 3"])
        try stage.run("kin", "chat", "answer", "family", "1", "Yes", "--as", "ada")
        let said = try door.call("message.list", ["room": .id(room)])["messages"]?.array ?? []
        #expect(said.count == 6 && said.last?["reply"] == said[1]["id"])
        #expect(try days("chat", "older") == ["Day 1"])
        let none = try stage.run("kin", "chat", "older", "--as", "ada").lines
        #expect(none == ["There are no older messages."])
        // What was said in one room is not what was said before in another that is empty.
        let empty = try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .household }).room.id
        try stage.run("kin", "chat", "\(empty)", "--as", "ada")
        try stage.run("kin", "chat", "older", "--as", "ada", exits: 5)
    }

    @Test func `a tail of one room tells what happens there, and nothing else`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let program = stage.start(["kin", "tail", "--room", "family", "--since", "1h", "--as", "bob"])
        let door = try house.door(as: "ada")
        let rooms = (try house.snapshot("ada").rooms.values).map(\.room)
        let family = try #require(rooms.first { $0.kind == .family }).id
        let own = try #require(rooms.first { $0.kind == .household }).id
        _ = try door.call("activity.announce", ["text": "Not here"])
        _ = try door.call("message.send", ["room": .id(own), "text": "Nor this"])
        _ = try door.call("message.send", ["room": .id(family), "text": "Soup is ready"])
        try stage.wait("the message") {
            program.take()
            return program.lines.contains { $0.contains("Soup is ready") }
        }
        // That one came into it is about it, too.
        let others = program.lines.filter { !$0.contains("You are in a room from now on: The whole family") }
        #expect(others.count == 1, "\(program.lines)")
    }
}
