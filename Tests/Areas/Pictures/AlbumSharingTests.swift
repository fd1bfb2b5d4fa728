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
}
