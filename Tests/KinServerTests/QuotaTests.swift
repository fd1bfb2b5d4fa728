import KinKeeper
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// The room for files: of each member and of the family, as an admin says.
@Suite struct QuotaTests {
    private let box: Box

    init() throws { box = try Box.family() }

    private func begin(_ who: String, bytes: Int) throws -> Int {
        let person = try box.person(who)
        let client = box.connect()
        client.post(
            "PUT /api/members/\(person.id)/picture HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(person.token)\r\n"
                + "Content-Type: image/jpeg\r\nUpload-Complete: ?0\r\nUpload-Length: \(bytes)\r\nContent-Length: 3\r\n\r\nabc"
        )
        try box.settle()
        return try client.responses().last?.status ?? 0
    }

    @Test func `an admin says how much there may be, and everybody reads it`() throws {
        let (ada, ben) = (try box.line("ada"), try box.line("ben"))
        #expect(
            try ben.result("quota.show")
                == [
                    "member": .int(Limits.fileBytesPerMember), "family": .int(Limits.fileBytesOfFamily), "used": 0,
                ])
        #expect(try ben.refusal("quota.set", ["member": 20_000_000]) == 1403)
        let set = try ada.result("quota.set", ["member": 20_000_000, "family": 30_000_000])
        #expect(set["member"] == 20_000_000 && set["family"] == 30_000_000)
        #expect(try ada.refusal("quota.set", ["member": 40_000_000]) == 1422)
        #expect(try ada.refusal("quota.set", ["member": 1]) != nil)
        #expect(try ben.result("quota.show")["member"] == 20_000_000)
    }

    @Test func `a member is told before it is full, and nobody else's files are touched when it is`() throws {
        let (ada, ben) = (try box.line("ada"), try box.line("ben"))
        _ = try ada.result("quota.set", ["member": 20_000_000, "family": 60_000_000])
        #expect(try begin("ben", bytes: 10_000_000) == 201)
        #expect(try ben.result("quota.show")["used"] == 10_000_000)
        let before = try ben.result("activity.list", ["limit": 50])
        #expect(!"\(before)".contains("quotaNear"))
        #expect(try begin("ben", bytes: 7_000_000) == 201)
        let after = try ben.result("activity.list", ["limit": 50])
        #expect("\(after)".contains("quotaNear"))
        #expect(try begin("ben", bytes: 4_000_000) == 413)
        // Others have room of their own, until the family has none.
        #expect(try begin("ada", bytes: 16_000_000) == 201)
        #expect(try begin("hal", bytes: 16_000_000) == 201)
        #expect("\(try ada.result("activity.list", ["limit": 50]))".contains("familyFiles"))
        #expect(try begin("gil", bytes: 16_000_000) == 413)
        #expect(try ada.result("daemon.status")["used"]?["fileBytes"] == 49_000_000)
    }

    @Test func `what is kept counts until it is removed`() throws {
        let ben = try box.person("ben")
        box.pictureWork = .picture([UInt8](repeating: 7, count: 5000), face: [8])
        let line = try box.line("ben")
        _ = try line.result("member.setPicture", ["member": .id(ben.id), "picture": "aGFsbG8="])
        #expect(try line.result("quota.show")["used"] == 5000)
        box.pictureWork = .picture([UInt8](repeating: 9, count: 300), face: [8])
        _ = try line.result("member.setPicture", ["member": .id(ben.id), "picture": "aGFsbG8h"])
        #expect(try line.result("quota.show")["used"] == 300)
        _ = try line.result("member.removePicture", ["member": .id(ben.id)])
        #expect(try line.result("quota.show")["used"] == 0)
    }
}
