import Glibc
import KinCodec
import KinModel
import Testing

/// Families that must still work under the rules of who is seen by whom, through the real daemon: each person speaks with a
/// session of their own, signed in with their own password.
@Suite struct FamilyStoryTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
    }

    /// A person at a device.
    final class Person {
        let client: LineClient
        let id: Identifier
        let household: Identifier
        /// The session's token, as a device keeps it.
        let token: String

        init(_ client: LineClient, _ signedIn: JSON) throws {
            self.client = client
            token = try #require(signedIn["token"]?.string)
            let resumed = try client.call("session.resume", ["token": .string(token)])
            id = try #require(resumed["member"]?["id"]?.identifier)
            household = try #require(resumed["member"]?["household"]?.identifier)
        }

        @discardableResult
        func call(_ method: String, _ params: JSON = [:]) throws -> JSON { try client.call(method, params) }

        /// The code of the refusal, or nothing where it was taken.
        func refused(_ method: String, _ params: JSON) throws -> Int64? {
            do { _ = try client.call(method, params) } catch let refusal as LineClient.Refusal { return refusal.code }
            return nil
        }

        /// Whose coordinates or places this person is shown.
        func sees() throws -> [Identifier] {
            let positions = try call("position.latest")["positions"]?.array ?? []
            return positions.compactMap { $0["member"]?.identifier }.filter { $0 != id }
        }

        /// The kinds of lines in the inbox.
        func inbox() throws -> [String] {
            let entries = try call("activity.list")["entries"]?.array ?? []
            return entries.flatMap { $0["lines"]?.array ?? [] }.compactMap { $0["kind"]?.string }
        }

        func share(_ lat: Double = 52.5, _ lon: Double = 13.4) throws {
            try call("sharing.set", ["state": "on"])
            try report(lat, lon)
        }

        func report(_ lat: Double = 52.5, _ lon: Double = 13.4) throws {
            try call("position.report", ["lat": .double(lat), "lon": .double(lon), "at": .time(Instant.now)])
        }
    }

    /// Signs in with the own password.
    private func signIn(_ username: String, _ password: String = House.password) throws -> Person {
        let client = try house.door()
        return try Person(
            client,
            client.call(
                "session.open",
                ["username": .string(username), "password": .string(password), "device": "phone"]))
    }

    /// Somebody joins with an invite that another makes.
    private func bring(_ username: String, by inviter: Person, _ invite: JSON = [:]) throws -> Person {
        var params: JSON = [
            "code": try inviter.call("invite.create", invite)["code"] ?? .null, "username": .string(username),
            "password": .string(House.password),
            "displayName": .string(username.prefix(1).uppercased() + username.dropFirst()),
        ]
        if invite["kind"] == "child" { params["asChild"] = true }
        let client = try house.door()
        return try Person(client, client.call("member.join", params))
    }

    @Test func `a baby that one parent added gets the other as a parent, and one of them holds what it shows`() throws {
        let ada = try signIn("ada")
        let bob = try bring("bob", by: ada)
        let baby = try #require(
            ada.call(
                "member.add",
                [
                    "username": "nia", "password": "a first password for nia", "displayName": "Nia",
                    "household": .id(ada.household), "role": "member", "kind": "child",
                ])["member"]?["id"]?.identifier)
        // Who brought her in names the first parent; a further one needs a parent's word.
        #expect(try bob.refused("member.relate", ["member": .id(bob.id), "parentOf": .id(baby)]) == 1403)
        #expect(try bob.refused("sharing.hold", ["member": .id(baby), "hold": true]) == 1403)
        try ada.call("member.relate", ["member": .id(ada.id), "parentOf": .id(baby)])
        try ada.call("member.relate", ["member": .id(bob.id), "parentOf": .id(baby)])
        try bob.call("sharing.hold", ["member": .id(baby), "hold": true])
        try bob.call("sharing.set", ["member": .id(baby), "state": "on"])
        // What one holds, the other may narrow and not take.
        #expect(try ada.refused("sharing.hold", ["member": .id(baby), "hold": true]) == 1403)
        let wide: JSON = [["viewer": "everyone", "precision": "exact", "history": true]]
        #expect(try ada.refused("sharing.set", ["member": .id(baby), "rules": wide]) == 1403)
        try ada.call("sharing.set", ["member": .id(baby), "state": "off"])
        let nia = try signIn("nia", "a first password for nia")
        #expect(try nia.call("sharing.show")["sharing"]?["heldBy"]?.identifier == bob.id)
        #expect(try nia.inbox().contains("sharingChanged"))
    }

    @Test func `an account that an admin set up for grandma works at once and is hers alone`() throws {
        let ada = try signIn("ada")
        try ada.share()
        let id = try #require(
            ada.call(
                "member.add",
                [
                    "username": "rosa", "password": "a first password for rosa", "displayName": "Rosa",
                    "household": .id(ada.household), "role": "member", "kind": "adult",
                ])["member"]?["id"]?.identifier)
        let rosa = try signIn("rosa", "a first password for rosa")
        // The first password works at once, and she is told whose it is.
        #expect(try rosa.call("session.list")["passwordSetBy"] != nil)
        try rosa.share(48.1, 11.6)
        #expect(try ada.sees() == [id])
        // What is hers, nobody else changes.
        for change: JSON in [["kind": "child"], ["displayName": "Granny"], ["username": "granny"]] {
            var params = change
            params["member"] = .id(id)
            #expect(try ada.refused("member.update", params) == 1403, "\(change.text)")
        }
        #expect(try ada.refused("sharing.hold", ["member": .id(id), "hold": true]) == 1403)
        // She came after Ada had switched on: Ada decides.
        #expect(try rosa.sees().isEmpty)
        try ada.call("sharing.admit", ["viewer": .id(id), "admit": true])
        #expect(try rosa.sees() == [ada.id])
        try rosa.call("password.change", ["old": "a first password for rosa", "new": "geraniums by the window"])
        #expect(try rosa.call("session.list")["passwordSetBy"] == nil)
    }

    @Test func `a held child grows up, and from then on decides alone`() throws {
        let ada = try signIn("ada")
        let nia = try bring("nia", by: ada, ["kind": "child"])
        try ada.call("sharing.hold", ["member": .id(nia.id), "hold": true])
        try ada.call("sharing.set", ["member": .id(nia.id), "state": "on"])
        try nia.report()
        #expect(try ada.sees() == [nia.id])
        #expect(try nia.refused("sharing.set", ["state": "off"]) == 1403)
        try nia.call("member.askGrown")
        try ada.call("member.answerGrown", ["member": .id(nia.id), "grown": true])
        #expect(try nia.call("sharing.show")["sharing"]?["heldBy"] == nil)
        try nia.call("sharing.set", ["state": "off"])
        #expect(try ada.sees().isEmpty)
        #expect(try ada.refused("member.update", ["member": .id(nia.id), "kind": "child"]) == 1403)
        #expect(try ada.refused("sharing.hold", ["member": .id(nia.id), "hold": true]) == 1403)
    }

    @Test func `one household shares with itself, and who moves in is admitted twice: to live there, and to see`()
        throws
    {
        let ada = try signIn("ada")
        let bob = try bring("bob", by: ada)
        try bob.call("household.found", ["name": "Bob's"])
        try ada.call(
            "sharing.set",
            ["state": "on", "rules": [["viewer": "household", "precision": "exact"]]])
        try ada.report()
        #expect(try bob.sees().isEmpty)
        // Moving in is asked for.
        try bob.call("household.move", ["member": .id(bob.id), "household": .id(ada.household)])
        let before = try bob.call("member.show", ["member": .id(bob.id)])["member"]?["household"]?.identifier
        #expect(before != ada.household)
        #expect(try bob.refused("household.admit", ["member": .id(bob.id), "admit": true]) != nil)
        try ada.call("household.admit", ["member": .id(bob.id), "admit": true])
        let after = try bob.call("member.show", ["member": .id(bob.id)])["member"]?["household"]?.identifier
        #expect(after == ada.household)
        // Living there is not seeing.
        #expect(try bob.sees().isEmpty)
        #expect(try ada.call("sharing.show")["sharing"]?["waiting"]?.array?.count == 1)
        try ada.call("sharing.admit", ["viewer": .id(bob.id), "admit": true])
        #expect(try bob.sees() == [ada.id])
    }

    @Test func `a guest sees whom a rule names, and as a member only whom an answer shows`() throws {
        let ada = try signIn("ada")
        let gus = try bring("gus", by: ada, ["role": "guest"])
        try ada.share()
        #expect(try gus.sees().isEmpty)
        try ada.call("member.setRole", ["member": .id(gus.id), "role": "member"])
        #expect(try gus.sees().isEmpty)
        try ada.call("member.setRole", ["member": .id(gus.id), "role": "guest"])
        let named: JSON = [
            ["viewer": "everyone", "precision": "exact"], ["viewer": .id(gus.id), "precision": "coarse"],
        ]
        try ada.call("sharing.set", ["rules": named])
        #expect(try gus.sees() == [ada.id])
    }

    @Test func `friends in OwnTracks are those who show themselves, and a key that only reports shows nobody`() throws {
        let ada = try signIn("ada")
        let bob = try bring("bob", by: ada)
        try ada.share()
        try bob.share(48.1, 11.6)
        func friends(_ scope: String) throws -> Int {
            let password = try #require(
                ada.call("appPassword.create", ["device": .string(scope), "scope": .string(scope)])["password"]?.string)
            let body: JSON = [
                "_type": "location", "lat": 52.5, "lon": 13.4, "tst": .int(Instant.now.milliseconds / 1000),
                "tid": "ad",
            ]
            let answer = try stage.run(
                "curl", "-sf", "-w", "\\n", "-u", "ada:\(password)", "-H", "Content-Type: application/json", "--data",
                body.text,
                house.url + "/owntracks")
            let all = try JSON.parse(try #require(answer.lines.first), depthMax: 64).array ?? []
            return all.filter { $0["_type"] == "location" }.count
        }
        #expect(try friends("location") == 1)
        #expect(try friends("report") == 0)
        try bob.call("sharing.set", ["state": "off"])
        #expect(try friends("location") == 0)
    }

    @Test func `after a restore nobody is shown until they say so, and then to those who are listed`() throws {
        let ada = try signIn("ada")
        let bob = try bring("bob", by: ada)
        try ada.share()
        #expect(try bob.sees() == [ada.id])
        let file = stage.folder + "/family.kinwire"
        try stage.run("kin", "backup", file)
        house.kill()
        try stage.run("kin", "restore", file, "--data", stage.folder + "/restored")
        let again = try House(stage, data: "restored", isNew: false)
        func signInAgain(_ username: String) throws -> Person {
            let client = try again.door()
            return try Person(
                client,
                client.call("session.open", ["username": .string(username), "password": .string(House.password)]))
        }
        let (first, second) = (try signInAgain("ada"), try signInAgain("bob"))
        #expect(try second.sees().isEmpty)
        #expect(try first.call("sharing.show")["sharing"]?["paused"] == true)
        try first.call("sharing.set", ["state": "on", "confirms": []])
        #expect(try second.sees().isEmpty)
        try first.call("sharing.admit", ["viewer": .id(bob.id), "admit": true])
        #expect(try second.sees() == [ada.id])
    }
}
