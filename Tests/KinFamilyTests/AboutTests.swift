import KinCrypto
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper

/// Posts and messages are about things of every area, named by the words that events name them by.
@Suite struct AboutTests {
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

    private func made(_ kind: String, by method: String, _ params: JSON.Object) throws -> String {
        let id = try #require(try box.call(ada, method, params)[kind]?["id"]?.identifier, "\(kind)")
        return "\(kind)/\(id)"
    }

    /// One thing of each kind that Ada and Ben see and Cleo does not.
    private func things() throws -> [String] {
        let both: JSON = [.id(ben.id)]
        let pixel: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 1, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        let gif = JSON.string(Base64.encode(pixel))
        let meeting = try box.propose(by: ada, invitees: [ben])
        return [
            "meeting/\(meeting.id)",
            try made("place", by: "place.add", ["name": "Hall", "lat": 52.5, "lon": 13.4, "audience": both]),
            try made("entry", by: "entry.add", ["subject": "Choir", "start": "2026-11-24", "invitees": both]),
            try made("list", by: "list.add", ["name": "Groceries", "audience": both]),
            try made("meal", by: "meal.put", ["title": "Soup", "date": "2026-11-24", "audience": both]),
            try made("picture", by: "picture.add", ["picture": gif, "audience": both]),
            try made("post", by: "post.add", ["text": "A secret", "audience": both]),
        ]
    }

    @Test func `a post and a message name what their author sees, and nothing else, of every kind`() throws {
        let room = try #require(try box.fresh(ada.id).rooms.values.first { $0.room.kind == .family }).room.id
        let absent = "01980000-0000-7000-8000-0000000000ff"
        for about in try things() {
            let word = String(about.prefix { $0 != "/" })
            for person in [ada, ben] {
                let sent = try box.call(person, "message.send", ["room": .id(room), "about": .string(about)])
                #expect(sent["message"]?["about"]?.string == about)
                let told = try box.call(person, "post.add", ["about": .string(about)])
                #expect(told["post"]?["about"]?.string == about)
            }
            // Whether there is one is not told either.
            for id in [about, "\(word)/\(absent)"] {
                let unsent = try box.refusal(cleo, "message.send", ["room": .id(room), "about": .string(id)])
                let untold = try box.refusal(cleo, "post.add", ["about": .string(id)])
                for refused in [unsent, untold] {
                    #expect(refused?.kind == .notFound && refused?.field == "about", "\(word)")
                    #expect(refused?.message == "What it is about is not there, or not for you to see.")
                }
            }
        }
        // The word is that of events, and no other.
        let place = try made("place", by: "place.add", ["name": "Mill", "lat": 52.5, "lon": 13.4])
        let pin = place.replacing("place/", with: "pin/")
        #expect(try box.refusal(ada, "post.add", ["about": .string(pin)])?.field == "about")
    }
}
