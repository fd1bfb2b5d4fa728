import KinCrypto
import KinModel
import KinPictures
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What becomes of pictures when somebody leaves, in turns of the keeper where they are very many.
@Suite struct `A picture when somebody leaves`: SendsPictures {
    @Test func `of somebody who leaves goes, unless others saw it`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let (shared, own) = (try send(box, ben, 1), try send(box, ben, 2, []))
        try send(box, ada, 3, "everyone", ["people": [.id(ben.id)]])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        let left = try box.fresh(ada.id).pictures
        #expect(left[shared]?.author == ben.id && left[own] == nil)
        #expect(left.values.allSatisfy { $0.people.isEmpty })
    }

    @Test func `of somebody who leaves with very many is seen by nobody at once, and goes in turns`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let others = try send(box, ada, 255)
        let count = UInt8(Limits.picturesPerTurnMax + 10)
        for number in 1...count { try send(box, ben, number, "everyone", ["people": [.id(ben.id)]]) }
        let last = try #require(try listed(box, cleo).first { $0 != others })
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        let dan = try box.join("dan", by: ada)
        for person in [ada, cleo, dan] {
            #expect(try listed(box, person) == [others])
            #expect(try Array(box.fresh(person.id).pictures.keys) == [others])
            let image: JSON.Object = ["picture": .id(last), "size": "small"]
            #expect(try box.refusal(person, "picture.image", image)?.kind == .notFound)
        }
        try box.restart(after: 1)
        for _ in 0..<10 { try box.wait(seconds: 30) }
        #expect(try box.count("SELECT count(*) FROM pictures") == 1)
        #expect(try box.store.blobs.all().count == 1)
        #expect(try box.count("SELECT count(*) FROM picture_leavers") == 0)
    }

    @Test func `of somebody who leaves with very many is out of sight by any way before any of it is gone`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let people = try ["ben", "cleo", "dan", "eve"].map { try box.join($0, by: ada) }
        let (ben, cleo, dan, eve) = (people[0], people[1], people[2], people[3])
        let others = try send(box, ada, 255)
        let most = Limits.picturesPerTurnMax
        for number in 1...UInt8(most + 10) {
            try send(
                box, ben, number, [.id(ada.id), .id(cleo.id)],
                ["caption": "Soup", "category": "kitchen", "people": [.id(cleo.id)]])
        }
        let shown = try send(box, ben, UInt8(most + 11), [.id(dan.id)], ["people": [.id(dan.id)]])
        for person in people + [ada] { _ = box.heard(person) }
        // In one turn, so that most of them are there still, with who saw them.
        let remove = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        _ = try #require(try box.turn(remove).replies.first).result.get()
        #expect(try box.count("SELECT count(*) FROM pictures") == 12)
        #expect(try box.count("SELECT count(*) FROM picture_sight WHERE picture > 1") > 20)
        for person in [ada, cleo, dan, eve] {
            #expect(try Array(box.fresh(person.id).pictures.keys) == [others])
            #expect(try listed(box, person) == [others])
            #expect(try listed(box, person, ["who": .id(cleo.id)]) == [])
            let left = try box.store.database.rows("SELECT id FROM pictures") { row in row.identifier(0) }
            for picture in left where picture != others {
                for (method, more) in [
                    ("picture.show", [:] as JSON.Object), ("picture.image", ["size": "small"]), ("picture.leave", [:]),
                    ("picture.original", [:]), ("picture.like", ["reaction": "love"]),
                ] {
                    var params = more
                    params["picture"] = .id(picture)
                    #expect(try box.refusal(person, method, params)?.kind == .notFound, "\(method)")
                }
                #expect(try box.refusal(person, "picture.list", ["before": .id(picture)])?.kind == .notFound)
            }
            let words = try box.call(person, "picture.categories")["categories"]?.array ?? []
            #expect(!words.contains { $0["name"] == "kitchen" })
            #expect(try box.fresh(person.id).inbox.entries.allSatisfy { !$0.about.hasPrefix("picture/") })
        }
        // Who saw few is told of each, who saw very many begins anew, and who saw none is told nothing.
        let told = Dictionary(
            uniqueKeysWithValues: [ada, cleo, dan, eve].map { person in
                (person.id, box.heard(person).filter { $0.type == "reset" || $0.type.hasPrefix("picture.") })
            })
        #expect(told[cleo.id]?.map(\.type) == ["reset"] && told[ada.id]?.map(\.type) == ["reset"])
        #expect(told[dan.id]?.map(\.type) == ["picture.hidden"])
        #expect(told[dan.id]?.first?.data["picture"]?.identifier == shown)
        #expect(told[eve.id]?.isEmpty == true)
        try box.wait(seconds: 1)
        #expect(try box.count("SELECT count(*) FROM pictures") == 1)
        #expect(try box.count("SELECT count(*) FROM picture_sight") == 4)
    }

    @Test func `of somebody who leaves with ten thousand is out of sight at once, and no turn writes much`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        try box.store.beginTurn()
        try box.store.database.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO pictures (
                id, owner, author, at, moment, day, width, height, large, middle, small, bytes, digest, audience)
            SELECT randomblob(16), ?1, ?1, 1000 * i, 1000 * i, 101, 10, 10, 'l' || i, 'm' || i, 's' || i, 100, i,
                'everyone' FROM n
            """, .id(ben.id))
        try box.store.database.run("INSERT INTO picture_sight SELECT m.id, p.number FROM members m, pictures p")
        try box.store.commitTurn()
        box.forgetFollowers()
        try box.wait(seconds: 1)
        #expect(try listed(box, cleo).count == 20)
        func written(_ body: () throws -> Void) throws -> Int64 {
            let before = try box.count("SELECT total_changes()")
            try body()
            return try box.count("SELECT total_changes()") - before
        }
        let first = try written {
            let remove = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "delete"])
            _ = try #require(try box.turn(remove).replies.first).result.get()
        }
        #expect(try first < 10_000 && listed(box, cleo) == [] && box.fresh(cleo.id).pictures.isEmpty)
        #expect(try box.count("SELECT count(*) FROM pictures") == 10_000 - 2 * Int64(Limits.picturesPerTurnMax))
        var turns = 0
        while try box.count("SELECT count(*) FROM pictures") > 0 {
            let more = try written { try box.wait(seconds: 0) }
            turns += 1
            #expect(more < 10_000, "turn \(turns)")
            try #require(turns < 100)
        }
        #expect(turns == 10_000 / Limits.picturesPerTurnMax - 2)
        #expect(try box.count("SELECT count(*) FROM picture_sight") == 0)
        #expect(try box.count("SELECT count(*) FROM picture_leavers") == 0)
    }

    @Test func `of somebody who leaves with very many is looked for in turns among what others see, and told of then`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let people = try ["ben", "cleo", "dan"].map { try box.join($0, by: ada) }
        let (ben, cleo, dan) = (people[0], people[1], people[2])
        func add(_ count: Int, of owner: FamilyBox.Person, _ kind: String) throws {
            try box.store.database.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO pictures (
                    id, owner, author, at, moment, day, width, height, large, middle, small, bytes, digest, audience)
                SELECT CAST(CAST(x'01\(kind)' AS TEXT) || printf('%014d', i) AS BLOB), ?1, ?1, 1000 * i, 1000 * i, 101,
                    10, 10, 'l\(kind)' || i, 'm\(kind)' || i, 's\(kind)' || i, 100, i, 'members' FROM n
                """, .id(owner.id))
        }
        // Ben's are older than what the others see in one turn.
        let (old, new) = (15_000, Limits.picturesLookedPerTurn * 3 / 4)
        try box.store.beginTurn()
        try add(old, of: ben, "90")
        try add(new, of: ada, "91")
        for (person, numbers) in [(ada, "number > 0"), (cleo, "number > \(old - 3)"), (dan, "number > \(old)")] {
            try box.store.database.run(
                "INSERT INTO picture_sight (member, picture) SELECT ?1, number FROM pictures WHERE \(numbers)",
                .id(person.id))
            try box.store.database.run(
                """
                INSERT INTO picture_named (picture, member) SELECT number, ?1 FROM pictures
                WHERE \(numbers) AND owner <> ?1
                """, .id(person.id))
        }
        try box.store.commitTurn()
        _ = box.store.database.takeChangedRows()
        box.forgetFollowers()
        try box.wait(seconds: 1)
        for person in people + [ada] { _ = box.heard(person) }
        let oldest = try #require(
            try box.store.database.first("SELECT id FROM pictures WHERE number = ?", .int(Int64(old))) { row in
                row.identifier(0)
            })
        let shown: JSON.Object = ["picture": .id(oldest)]
        try box.call(cleo, "picture.show", shown)
        let remove = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        _ = try #require(try box.turn(remove).replies.first).result.get()
        // As long as it is looked for, nothing of it goes, and nobody sees any of it.
        #expect(try box.count("SELECT count(*) FROM pictures") == Int64(old + new))
        #expect(try box.refusal(cleo, "picture.show", shown)?.kind == .notFound)
        try box.restart(after: 1)
        #expect(try box.refusal(cleo, "picture.show", shown)?.kind == .notFound)
        var turns = 0
        while try box.count("SELECT count(*) FROM picture_leavers") > 0 {
            try box.wait(seconds: 0)
            turns += 1
            try #require(turns < 200)
        }
        let told = [ada, cleo, dan].map { person in
            box.types(person).filter { $0 == "reset" || $0.hasPrefix("picture.") }
        }
        #expect(told[0] == ["reset"] && told[1] == ["picture.hidden", "picture.hidden", "picture.hidden"])
        #expect(told[2] == [])
        #expect(try box.count("SELECT count(*) FROM pictures") == Int64(new))
        #expect(try box.count("SELECT count(*) FROM due WHERE kind = 'picturesOfLeaver'") == 0)
    }

    @Test func `in posts of somebody who leaves with very many goes in turns, too, and is seen by nobody`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let most = Limits.picturesPerTurnMax
        let count = most / 12 * 12 + 24
        for first in stride(from: 1, to: count, by: 12) {
            // One after the other: the oldest of very many are not told to whoever comes to see them.
            let pictures = try (first..<first + 12).map {
                box.clock = box.clock.adding(seconds: 1)
                return try send(box, ben, UInt8($0), [])
            }
            try box.call(
                ben, "post.add",
                ["pictures": .array(pictures.map { ["picture": .id($0)] }), "audience": "everyone"])
        }
        #expect(try box.count("SELECT count(*) FROM pictures WHERE post IS NOT NULL") == Int64(count))
        let remove = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        _ = try #require(try box.turn(remove).replies.first).result.get()
        #expect(try box.count("SELECT count(*) FROM pictures") == Int64(count - most))
        #expect(try box.fresh(ada.id).posts.isEmpty && box.fresh(ada.id).pictures.isEmpty && listed(box, ada) == [])
        try box.wait(seconds: 1)
        #expect(try box.count("SELECT count(*) FROM pictures") == 0 && box.store.blobs.all() == [])
    }

    @Test func `of somebody who leaves with very many is not seen by whoever comes before all are gone`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, gil) = (try box.join("ben", by: ada), try box.join("gil", role: .guest, by: ada))
        let others = try send(box, ada, 255, "household")
        let count = UInt8(Limits.picturesPerTurnMax + 10)
        for number in 1...count { try send(box, ben, number, "household") }
        // In one turn, so that some of them are there still.
        let commit = try box.turn(
            box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "delete"]),
            box.request(ada.credential, "member.setRole", ["member": .id(gil.id), "role": "member"]))
        for reply in commit.replies { _ = try reply.result.get() }
        #expect(try box.count("SELECT count(*) FROM pictures") == 11)
        #expect(try box.fresh(gil.id).pictures.keys.sorted() == [others])
        try box.wait(seconds: 1)
        #expect(try box.count("SELECT count(*) FROM pictures") == 1)
        #expect(try box.count("SELECT count(*) FROM picture_leavers") == 0)
    }

    @Test func `somebody who leaves ceases in turns to be in very many, and to own them`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let most = Int64(Limits.picturesPerTurnMax)
        for number in 1...UInt8(most + 5) { try send(box, ben, number, "everyone", ["people": [.id(ben.id)]]) }
        let hidden = try (6...10).map { try send(box, ben, UInt8(most + $0), []) }
        try send(box, ada, 1, "everyone", ["people": [.id(ben.id), .id(cleo.id)]])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        let people = "SELECT count(*) FROM picture_people"
        let ofBen = "SELECT count(*) FROM pictures WHERE owner = author AND author NOT IN (SELECT id FROM members)"
        #expect(try box.count(people) == 7 && box.count(ofBen) == 10)
        // What others see stays in sight all the while, and what they do not see is in nobody's.
        let sight = "SELECT count(*) FROM picture_sight s JOIN members m ON m.id = s.member"
        #expect(try box.count(sight) == 2 * (most + 6))
        for _ in 0..<3 { try box.wait(seconds: 1) }
        #expect(try box.count(people) == 1 && box.count(ofBen) == 0 && box.count(sight) == 2 * (most + 6))
        #expect(try box.count("SELECT count(*) FROM pictures") == most + 6)
        for picture in hidden {
            #expect(try box.refusal(ada, "picture.show", ["picture": .id(picture)])?.kind == .notFound)
        }
        #expect(try box.fresh(cleo.id).pictures.values.allSatisfy { !$0.people.contains(ben.id) })
    }
}
