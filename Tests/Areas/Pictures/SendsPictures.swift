import KinCrypto
import KinModel
import Testing

@testable import KinFamilyBox

/// Tests that send pictures, each of one pixel, and ask for them.
protocol SendsPictures {}

extension SendsPictures {
    /// A picture of one pixel: a GIF made by code, another for each number.
    func gif(_ number: UInt8) -> JSON {
        let bytes: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, number, 0, 0, 255, 255, 255]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        return .string(Base64.encode(bytes))
    }

    @discardableResult
    func send(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ number: UInt8, _ audience: JSON = "everyone",
        _ more: JSON.Object = [:]
    ) throws -> Identifier {
        var params: JSON.Object = ["picture": gif(number), "audience": audience]
        for member in more.members { params[member.name] = member.value }
        return try #require(try box.call(person, "picture.add", params)["picture"]?["id"]?.identifier)
    }

    func listed(
        _ box: FamilyBox, _ person: FamilyBox.Person, _ params: JSON.Object = [:]
    ) throws -> [Identifier] {
        (try box.call(person, "picture.list", params)["pictures"]?.array ?? []).compactMap { $0["id"]?.identifier }
    }
}
