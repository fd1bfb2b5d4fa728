import KinCrypto
import KinModel
import KinNotices
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinNotices

/// New posts, likes and pictures wait in the inbox; they ring for whoever asks for that.
@Suite struct RingRuleTests {
    @Test func `a new post rings for whoever has that for a rule, and for nobody else`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        for person in [ben, cleo] {
            try box.call(person, "notice.add", ["name": "Phone", "discreet": false])
        }
        /// What rings for Ben and Cleo when Ada writes something.
        func rings(_ text: String) throws -> [[String]] {
            for person in [ben, cleo] { _ = box.allHeard(person) }
            box.clock = box.clock.adding(seconds: 600)
            try box.call(ada, "post.add", ["text": .string(text)])
            return [ben, cleo].map { box.allHeard($0).compactMap { $0[NoticeDevice.rang]?.notice.title } }
        }
        #expect(try rings("Soup") == [[], []])
        try box.call(ben, "activity.setRules", ["ring": ["posted"]])
        #expect(try rings("Bread") == [["Bread"], []])
        try box.call(ben, "activity.setRules", ["ring": ["liked", "pictures"]])
        #expect(try rings("Cheese") == [[], []])
        // It is in the inbox of both all the same.
        for person in [ben, cleo] {
            let titles = try box.fresh(person.id).inbox.entries.filter { $0.about.hasPrefix("post/") }.map(\.title)
            #expect(Set(titles) == ["Soup", "Bread", "Cheese"])
        }
    }

    /// Another picture of one pixel for each number.
    private func gif(_ number: UInt8) -> JSON {
        let bytes: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, number, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        return .string(Base64.encode(bytes))
    }

    @Test func `of what a family shares only who is named or asked for it is rung, each thing by itself`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let snapshot = try box.fresh(ada.id)
        let room = JSON.id(try #require(snapshot.rooms.values.first { $0.room.kind == .family }).room.id)
        for person in [ben, cleo] { try box.call(person, "notice.add", ["name": "Phone", "discreet": false]) }
        /// How often a deed rings for Ben and for Cleo.
        func rings(_ deed: () throws -> Void) throws -> [Int] {
            // A burst is held together; what was rung before is read.
            try box.readAll(ben, cleo)
            box.clock = box.clock.adding(seconds: 600)
            for person in [ben, cleo] { _ = box.allHeard(person) }
            try deed()
            return [ben, cleo].map { person in
                box.allHeard(person).compactMap { $0[NoticeDevice.rang]?.notice }.count { $0.act == .ring }
            }
        }
        let post = try #require(try box.call(ada, "post.add", ["text": "Soup"])["post"]?["id"])
        #expect(try rings { try box.call(ada, "comment.add", ["post": post, "text": "Hot, @ben"]) } == [1, 0])
        let until = JSON.time(box.reading.wall.adding(days: 2))
        try box.call(cleo, "room.set", ["room": room, "mutedUntil": until])
        #expect(try rings { try box.call(ada, "message.send", ["room": room, "text": "Soup"]) } == [1, 0])
        #expect(try rings { try box.call(ada, "message.send", ["room": room, "text": "Now, @cleo"]) }.last == 1)
        // A burst of pictures is one entry, and rings nobody but who is said to be in one.
        let burst = try rings {
            for number in 1...20 as ClosedRange<UInt8> {
                try box.call(ada, "picture.add", ["picture": gif(number), "audience": "everyone"])
            }
        }
        #expect(burst == [0, 0])
        #expect(try box.fresh(ben.id).inbox.entries.count { $0.about == "pictures" } == 1)
        let named: JSON.Object = ["picture": gif(21), "audience": "everyone", "people": [.id(cleo.id)]]
        #expect(try rings { try box.call(ada, "picture.add", named) } == [0, 1])
        // Lists only when asked.
        let made = try box.call(ada, "list.add", ["name": "Groceries", "audience": "everyone"])
        let list = try #require(made["list"]?["id"])
        func put(_ number: Int) throws {
            let id = JSON.string("01980000-0000-7000-8000-0000000000\(number)")
            try box.call(ada, "item.put", ["list": list, "items": [["id": id, "text": "Milk"]]])
        }
        #expect(try rings { try put(10) } == [0, 0])
        try box.call(ben, "list.notify", ["list": list, "on": true])
        #expect(try rings { try put(11) } == [1, 0])
    }

    @Test func `what rang of a post is deleted on the phone of who sees the post no longer`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "notice.add", ["name": "Phone", "discreet": false])
        _ = box.allHeard(ben)
        let post = try #require(try box.call(ada, "post.add", ["text": "Soup, @ben"])["post"]?["id"])
        let rung = box.allHeard(ben).compactMap { $0[NoticeDevice.rang]?.notice }
        #expect(rung.map(\.act) == [.ring] && rung.first?.title == "Soup, @ben")
        try box.call(ada, "post.update", ["post": post, "audience": []])
        let after = box.allHeard(ben).compactMap { $0[NoticeDevice.rang]?.notice }
        #expect(after.map(\.act) == [.delete] && after.first?.entry == rung.first?.entry)
    }
}
