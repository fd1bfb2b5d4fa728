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
}
