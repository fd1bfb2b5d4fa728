import KinFamily
import KinModel
import KinPictures
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinStore

/// What members think of pictures: one state everywhere, for those who see the picture.
@Suite struct `A like of a picture`: SendsPictures {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let cleo: FamilyBox.Person

    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        cleo = try box.join("cleo", by: ada)
    }

    private func likes(_ picture: Identifier, _ person: FamilyBox.Person) throws -> [Like]? {
        try box.fresh(person.id).pictures[picture]?.likes
    }

    private func inbox(_ person: FamilyBox.Person) throws -> [JSON] {
        try box.fresh(person.id).inbox.entries.filter { $0.about.hasPrefix("picture/") }.flatMap(\.lines)
    }

    @Test func `is the same in the snapshot, in lists, alone and in what is told, and is taken back`() throws {
        let picture = try send(box, ada, 1)
        for person in [ada, ben, cleo] { _ = box.heard(person) }
        try box.call(ben, "picture.like", ["picture": .id(picture), "reaction": "love"])
        let answer = try box.call(cleo, "picture.like", ["picture": .id(picture), "reaction": "wow"])
        let expected = [Like(member: ben.id, reaction: .love), Like(member: cleo.id, reaction: .wow)]
            .sorted { $0.member < $1.member }
        let json = JSON.array(expected.map(\.json))
        #expect(answer["likes"] == json)
        for person in [ada, ben, cleo] {
            #expect(try likes(picture, person) == expected)
            #expect(try box.call(person, "picture.list")["pictures"]?.array?.first?["likes"] == json)
            #expect(try box.call(person, "picture.show", ["picture": .id(picture)])["picture"]?["likes"] == json)
            let told = box.heard(person).filter { $0.type == "picture.liked" }.map(\.data)
            #expect(told.map { $0["reaction"] } == ["love", "wow"])
            #expect(told.allSatisfy { $0["picture"] == .id(picture) })
        }
        // The same once more is nothing new.
        try box.call(ben, "picture.like", ["picture": .id(picture), "reaction": "love"])
        #expect(!box.types(ada).contains("picture.liked"))
        // Another change of the picture keeps what they think.
        try box.call(ada, "picture.update", ["picture": .id(picture), "caption": "Soup"])
        #expect(try likes(picture, cleo) == expected)
        try box.call(ben, "picture.like", ["picture": .id(picture), "reaction": .null])
        #expect(try likes(picture, ada) == [Like(member: cleo.id, reaction: .wow)])
    }

    @Test func `is given and seen only by who sees the picture, and says nothing to others`() throws {
        let gil = try box.join("gil", role: .guest, by: ada)
        let picture = try send(box, ada, 1, [.id(ben.id)])
        for person in [cleo, gil] { _ = box.heard(person) }
        try box.call(ben, "picture.like", ["picture": .id(picture), "reaction": "love"])
        let absent: JSON = "01980000-0000-7000-8000-0000000000ff"
        for person in [cleo, gil] {
            let refusals = try [JSON.id(picture), absent].map {
                try box.refusal(person, "picture.like", ["picture": $0, "reaction": "like"])
            }
            #expect(refusals.allSatisfy { $0?.kind == .notFound })
            #expect(box.heard(person).isEmpty)
        }
        #expect(try likes(picture, ada) == [Like(member: ben.id, reaction: .love)])
        // Who comes to see it sees it with what others think.
        try box.call(ada, "picture.update", ["picture": .id(picture), "audience": [.id(ben.id), .id(gil.id)]])
        #expect(try likes(picture, gil)?.map(\.member) == [ben.id])
        try box.call(gil, "picture.like", ["picture": .id(picture), "reaction": "thanks"])
        #expect(try likes(picture, ben)?.count == 2)
        #expect(
            try box.refusal(ben, "picture.like", ["picture": .id(picture), "reaction": "<b>"])?.field == "reaction")
    }

    @Test func `is told to its author once for each word, quietly, and to nobody else`() throws {
        let picture = try send(box, ada, 1, "everyone", ["caption": "Soup"])
        for reaction in ["love", nil, "love"] as [JSON?] {
            try box.call(ben, "picture.like", ["picture": .id(picture), "reaction": reaction ?? .null])
        }
        try box.call(ada, "picture.like", ["picture": .id(picture), "reaction": "like"])
        let lines = try inbox(ada)
        #expect(lines.map { $0["kind"] } == ["pictureLiked"] && lines.map { $0["reaction"] } == ["love"])
        #expect(lines.first?["by"] == .id(ben.id))
        #expect(try inbox(ben).isEmpty && inbox(cleo).isEmpty)
        #expect(Registry.family.inboxKinds["pictureLiked"]?.isQuiet == true)
        // Whoever mutes it is not told.
        try box.call(ada, "activity.setRules", ["mute": ["pictureLiked"]])
        let other = try send(box, ada, 2)
        try box.call(ben, "picture.like", ["picture": .id(other), "reaction": "love"])
        #expect(try inbox(ada).count == 1)
    }

    @Test func `goes with the picture, and with the member who leaves, in turns where they are many`() throws {
        let picture = try send(box, ada, 1)
        try box.call(ben, "picture.like", ["picture": .id(picture), "reaction": "love"])
        try box.call(ada, "picture.remove", ["picture": .id(picture)])
        #expect(
            try box.refusal(ada, "picture.like", ["picture": .id(picture), "reaction": "love"])?.kind == .conflict)
        try box.call(ada, "picture.restore", ["picture": .id(picture)])
        #expect(try likes(picture, cleo)?.map(\.member) == [ben.id], "who liked it still does")
        try box.call(ada, "picture.remove", ["picture": .id(picture), "atOnce": true])
        let count = "SELECT count(*) FROM picture_likes"
        #expect(try box.count(count) == 0)
        let most = Limits.picturesPerTurnMax
        for number in 1...UInt8(most + 5) {
            let one = try send(box, ada, number)
            try box.call(ben, "picture.like", ["picture": .id(one), "reaction": "love"])
        }
        let kept = try send(box, ada, 255)
        try box.call(cleo, "picture.like", ["picture": .id(kept), "reaction": "wow"])
        let remove = box.request(ada.credential, "member.remove", ["member": .id(ben.id), "keep": "hand-over"])
        _ = try #require(try box.turn(remove).replies.first).result.get()
        #expect(try box.count(count) == 6)
        try box.wait(seconds: 1)
        #expect(try box.count(count) == 1)
        #expect(try likes(kept, ada)?.map(\.member) == [cleo.id])
        #expect(try box.fresh(ada.id).pictures.values.allSatisfy { !$0.likes.contains { $0.member == ben.id } })
    }
}
