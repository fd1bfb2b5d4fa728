import KinActivity
import KinCrypto
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// OwnTracks' own card, and commands in the answer.
@Suite struct PhoneCardTests {
    private let phone: PhoneAtDoor

    init() throws { phone = try PhoneAtDoor() }

    private func post(_ message: JSON) throws -> JSON {
        let answer = try phone.post(
            "/owntracks", message.text, ["Authorization: \(phone.basic)", "Content-Type: application/json"])
        #expect(answer.status == 200)
        return answer.json ?? .null
    }

    private func picture() throws -> String? {
        try phone.box.line("ada").result("member.show", ["member": .id(try phone.box.person("ada").id)])["member"]?[
            "picture"]?.string
    }

    @Test func `the face of a card becomes its member's picture where there is none`() throws {
        // The box takes bytes that begin with a zero for a picture.
        let face = Base64.encode([0, 1, 2, 3])
        #expect(try post(["_type": "card", "tid": "AM", "name": "Not Ada", "face": .string(face)]) == [])
        let first = try #require(try picture())
        let member = try phone.box.line("ada").result("member.show", ["member": .id(try phone.box.person("ada").id)])
        #expect(member["member"]?["displayName"] == "Ada")
        #expect(try post(["_type": "card", "face": .string(Base64.encode([0, 9, 9]))]) == [])
        #expect(try picture() == first)
    }

    @Test(arguments: ["", "!", "AAAA=", String(repeating: "A", count: 300_000)])
    func `a card without a face that can be used changes nothing`(face: String) throws {
        phone.box.pictureWork = .refused("That is no picture.")
        #expect(try post(["_type": "card", "face": .string(face)]) == [])
        #expect(try post(["_type": "card", "face": .string(Base64.encode([0, 1]))]) == [])
        #expect(try post(["_type": "card", "face": 7]) == [])
        #expect(try picture() == nil)
    }

    @Test func `an app password that is revoked takes its phone along`() throws {
        _ = try post(["_type": "lwt"])
        let ada = try phone.box.line("ada")
        #expect(try ada.result("phone.list")["phones"]?.array?.count == 1)
        #expect(try ada.result("phone.list")["phones"]?.array?.first?["name"] == "pixel")
        let id = try #require(try ada.result("appPassword.list")["appPasswords"]?.array?.first?["id"])
        _ = try ada.result("appPassword.revoke", ["appPassword": id])
        #expect(try ada.result("phone.list")["phones"] == [])
    }
}
