import KinModel
import KinPictures
import Testing

@testable import KinFamilyBox
@testable import KinKeeper

/// With whom an album is shared as a whole, when its owner or its pictures move.
@Suite struct AlbumSharingTests: SendsPictures {
    private func add(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ number: UInt8, _ more: JSON.Object
    ) throws -> JSON {
        var params = more
        params["picture"] = gif(number)
        return try #require(try box.call(person, "picture.add", params)["picture"]?["id"])
    }

    private func sees(_ box: FamilyBox, _ person: FamilyBox.Person, _ picture: JSON) throws -> Bool {
        try box.refusal(person, "picture.show", ["picture": picture]) == nil
    }

    @Test func `an album of one household is not shared with the next that its owner is in`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let first = try add(box, ben, 1, ["album": "Italy"])
        try box.call(ben, "picture.shareAlbum", ["album": "Italy", "audience": "household"])
        #expect(try sees(box, ada, first))
        try box.call(ben, "household.found", ["name": "Lake"])
        let cleo = try box.join("cleo", into: box.household(of: ben), by: ada)
        try box.wait(seconds: 1)
        let later = try add(box, ben, 2, ["album": "Italy"])
        #expect(try !sees(box, cleo, later))
    }

    @Test func `a picture that waits for a post is not shown with its album`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let shown = try add(box, ada, 1, ["album": "Alps", "audience": []])
        try box.wait(seconds: 1)
        let waiting = try add(box, ada, 2, ["album": "Alps", "for": "post"])
        let told = try box.call(ada, "picture.shareAlbum", ["album": "Alps", "audience": "everyone"])
        #expect(told == ["pictures": 1])
        #expect(try sees(box, ben, shown) && !sees(box, ben, waiting))
    }

    @Test func `an album whose pictures stand in a post is shared for what comes into it later`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, cleo) = (try box.join("ben", by: ada), try box.join("cleo", by: ada))
        let hung = try add(box, ada, 1, ["album": "Summer"])
        try box.call(ada, "post.add", ["pictures": [["picture": hung]], "audience": "everyone"])
        let told = try box.call(ada, "picture.shareAlbum", ["album": "Summer", "audience": [.id(ben.id)]])
        #expect(told == ["pictures": 0])
        #expect(try sees(box, cleo, hung), "it is seen by who sees the post")
        try box.wait(seconds: 1)
        let later = try add(box, ada, 2, ["album": "Summer"])
        #expect(try sees(box, ben, later) && !sees(box, cleo, later))
        // Who sees the album and put nothing there is told so; that there is one is told to nobody else.
        let refused = try box.refusal(cleo, "picture.shareAlbum", ["album": "Summer", "audience": "everyone"])
        #expect(refused?.kind == .conflict)
        try box.call(ada, "picture.update", ["picture": later, "album": "Winter"])
        let unseen = try box.refusal(cleo, "picture.shareAlbum", ["album": "Winter", "audience": "everyone"])
        #expect(unseen?.kind == .notFound)
    }
}
