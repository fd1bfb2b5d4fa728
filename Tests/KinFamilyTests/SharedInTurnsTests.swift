import KinFamily
import KinModel
import KinStore
import Testing

@testable import KinFamilyBox
@testable import KinKeeper

/// Of very many things sight comes and goes in turns of the keeper, and in between nobody sees what they may not.
@Suite struct SharedInTurnsTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let bob: FamilyBox.Person

    init() throws {
        box = try FamilyBox(registry: Letters.registry)
        ada = try box.found()
        bob = try box.join("bob", by: ada)
    }

    /// Letters of Ada's for everyone, the oldest first, which some see.
    private func write(_ count: Int, seenBy seers: FamilyBox.Person...) throws -> [Identifier] {
        let ids = (1...count).map { Identifier(high: 1, low: UInt64($0)) }
        try box.store.beginTurn()
        for (number, id) in ids.enumerated() {
            try box.store.database.run(
                "INSERT INTO letters (number, id, owner, audience) VALUES (?, ?, ?, 'everyone')",
                .int(Int64(1000 + number)), .id(id), .id(ada.id))
            for seer in seers {
                try box.store.database.run(
                    "INSERT INTO letter_sight (member, letter) VALUES (?, ?)", .id(seer.id), .int(Int64(1000 + number)))
            }
        }
        try box.store.commitTurn()
        return ids
    }

    /// The letters that somebody sees, the oldest first.
    private func seen(_ who: FamilyBox.Person) throws -> [Identifier] {
        try box.store.database.rows(
            "SELECT l.id FROM letter_sight s JOIN letters l ON l.number = s.letter WHERE s.member = ? ORDER BY l.id",
            .id(who.id)
        ) { row in row.identifier(0) }
    }

    private func role(_ who: FamilyBox.Person) throws -> Role? { try box.keeper.roster()[who.id]?.role }

    private func setRole(_ who: FamilyBox.Person, _ role: JSON) -> Request {
        box.request(ada.credential, "member.setRole", ["member": .id(who.id), "role": role])
    }

    private let planned = "SELECT count(*) FROM due WHERE kind = 'shared.goOn'"

    @Test func `who comes to see very many is shown the newest first, and the others in the next turns`() throws {
        let most = Limits.sharedGainedPerTurn
        let eve = try box.join("eve", role: .guest, by: ada)
        let letters = try write(2 * most + 10, seenBy: ada, bob)
        #expect(try seen(eve) == [])
        _ = try #require(try box.turn(setRole(eve, "member")).replies.first).result.get()
        #expect(try seen(eve) == Array(letters.suffix(most)) && role(eve) == .member)
        // It goes on after the daemon began anew.
        try box.restart(after: 1)
        #expect(try seen(eve) == Array(letters.suffix(2 * most)))
        _ = box.heard(eve)
        try box.wait(seconds: 1)
        #expect(try seen(eve) == letters && box.count(planned) == 0)
        // A snapshot that was made in between need not say that there is more.
        #expect(box.types(eve).last == "reset")
        #expect(try seen(bob) == letters)
    }

    @Test func `who becomes a guest meanwhile comes to see none of the rest, and keeps none`() throws {
        let most = Limits.sharedGainedPerTurn
        let eve = try box.join("eve", role: .guest, by: ada)
        _ = try write(2 * most, seenBy: ada, bob)
        try box.call(ada, "member.setRole", ["member": .id(eve.id), "role": "member"])
        try box.call(ada, "member.setRole", ["member": .id(eve.id), "role": "guest"])
        for _ in 0..<5 { try box.wait(seconds: 60) }
        #expect(try seen(eve) == [] && role(eve) == .guest && box.count(planned) == 0)
    }

    @Test func `who becomes a guest loses very many in turns, and becomes one when few are left`() throws {
        let most = Limits.sharedLostPerTurn
        let own = try #require(try box.call(bob, "letter.write", ["audience": "everyone"])["letter"]?.identifier)
        var request = setRole(bob, "guest")
        let count = 2 * most + 10
        _ = try write(count, seenBy: ada, bob)
        _ = box.heard(bob)
        var (hidden, turns) = (0, 0)
        while true {
            let reply = try #require(try box.turn(request).replies.first)
            let now = box.types(bob).filter { $0 == "letter.hidden" }.count
            hidden += now
            #expect(try now <= most && seen(bob).count == count + 1 - hidden)
            guard case .later = reply.effect else {
                _ = try reply.result.get()
                break
            }
            #expect(try role(bob) == .member, "nobody is a guest who sees what a guest may not")
            turns += 1
            request.work = .rest(after: 0)
        }
        #expect(try turns == 2 && role(bob) == .guest && seen(bob) == [own])
        #expect(try seen(ada).count == count + 1)
        // What falls due for the case that it had been refused gives nothing back.
        try box.wait(seconds: 2 * Limits.sharedLosingSeconds)
        #expect(try seen(bob) == [own] && box.count(planned) == 0)
    }

    @Test func `who was to become a guest, and did not, gets back what was taken`() throws {
        let letters = try write(2 * Limits.sharedLostPerTurn, seenBy: ada, bob)
        let reply = try #require(try box.turn(setRole(bob, "guest")).replies.first)
        guard case .later = reply.effect else { throw Rejection(.invalid, "it was done in one turn") }
        #expect(try seen(bob).count < letters.count)
        // The daemon ends before the next turn.
        try box.restart(after: 1)
        #expect(try seen(bob).count < letters.count)
        try box.wait(seconds: Limits.sharedLosingSeconds)
        #expect(try seen(bob) == letters && role(bob) == .member && box.count(planned) == 0)
    }

    @Test func `who was to become a guest, and did not, has what does not come back with sight`() throws {
        let room = try #require(try box.fresh(bob.id).rooms.values.first { $0.room.kind == .family }).room.id
        try box.call(ada, "message.send", ["room": .id(room), "text": "Soup is ready"])
        let added = try box.call(ada, "list.add", ["name": "Shop", "kind": "shopping", "audience": "everyone"])
        let list = try #require(added["list"]?["id"]?.identifier)
        try box.call(bob, "list.notify", ["list": .id(list), "on": true])
        let letters = try write(2 * Limits.sharedLostPerTurn, seenBy: ada, bob)
        let reply = try #require(try box.turn(setRole(bob, "guest")).replies.first)
        guard case .later = reply.effect else { throw Rejection(.invalid, "it was done in one turn") }
        try box.restart(after: 1)
        try box.wait(seconds: Limits.sharedLosingSeconds)
        #expect(try seen(bob) == letters && role(bob) == .member)
        let said = try box.call(bob, "message.list", ["room": .id(room)])["messages"]?.array ?? []
        #expect(said.compactMap { $0["text"]?.string } == ["Soup is ready"])
        #expect(try box.count("SELECT count(*) FROM list_asked") == 1)
        // With the change all of it goes.
        try box.call(ada, "member.setRole", ["member": .id(bob.id), "role": "guest"])
        #expect(try box.refusal(bob, "message.list", ["room": .id(room)])?.kind == .notFound)
        #expect(try box.fresh(bob.id).lists.isEmpty && box.count("SELECT count(*) FROM list_asked") == 0)
    }

    @Test func `who was to become a guest, and did not, cooks and eats as before, and links are good`() throws {
        let planned = try box.call(ada, "meal.put", ["date": "2026-11-24", "title": "Soup"])
        let meal = try #require(planned["meal"]?["id"]?.identifier)
        try box.call(bob, "meal.cook", ["meal": .id(meal), "cooks": true])
        try box.call(bob, "meal.eat", ["meal": .id(meal), "eats": "in"])
        let post = try #require(
            try box.call(ada, "post.add", ["text": "New oven", "audience": "everyone"])["post"]?["id"]?.identifier)
        let until = JSON.time(box.clock.adding(days: 2))
        try box.call(ada, "post.share", ["post": .id(post), "until": until])
        let letters = try write(2 * Limits.sharedLostPerTurn, seenBy: ada, bob)
        let reply = try #require(try box.turn(setRole(bob, "guest")).replies.first)
        guard case .later = reply.effect else { throw Rejection(.invalid, "it was done in one turn") }
        try box.restart(after: 1)
        try box.wait(seconds: Limits.sharedLosingSeconds)
        #expect(try seen(bob) == letters && role(bob) == .member)
        let said = try #require(try box.fresh(ada.id).meals[meal])
        #expect(said.cook == bob.id && said.parts.map(\.member) == [bob.id])
        #expect(try box.count("SELECT count(*) FROM post_links") == 1)
        #expect(try box.fresh(bob.id).posts[post] != nil && box.fresh(bob.id).meals[meal] != nil)
        // With the change all of it goes.
        try box.call(ada, "member.setRole", ["member": .id(bob.id), "role": "guest"])
        let after = try #require(try box.fresh(ada.id).meals[meal])
        #expect(try after.cook == nil && after.parts.isEmpty && box.count("SELECT count(*) FROM post_links") == 0)
        #expect(try box.fresh(bob.id).posts.isEmpty && box.fresh(bob.id).meals.isEmpty)
    }

    @Test func `what somebody saw who is removed is forgotten in turns`() throws {
        let eve = try box.join("eve", by: ada)
        _ = try write(Limits.sharedForgottenPerTurn + 10, seenBy: eve)
        let remove = box.request(ada.credential, "member.remove", ["member": .id(eve.id), "keep": "delete"])
        _ = try #require(try box.turn(remove).replies.first).result.get()
        #expect(try seen(eve).count == 10)
        try box.wait(seconds: 0)
        #expect(try seen(eve) == [] && box.count(planned) == 0)
    }
}
