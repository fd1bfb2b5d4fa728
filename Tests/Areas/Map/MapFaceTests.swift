import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct MapFaceTests {
    @Test func `a phone with OwnTracks is given the faces of those who share, and of no one without a picture`() throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let cleo = try box.join("cleo", by: ada)
        box.substitute = { work in
            if case PictureWork.squarePicture(let bytes) = work {
                .picture([9] + bytes, face: [7] + bytes)
            } else {
                nil
            }
        }
        let picture = JSON.string("AQI=")
        try box.call(ben, "member.setPicture", ["member": .id(ben.id), "picture": picture])
        for person in [ben, cleo] {
            try box.call(person, "sharing.set", ["state": "on"])
            try box.call(person, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
        }
        func cards() throws -> [JSON] {
            let messages = try box.call(ada, "owntracks.publish", ["message": [:]]).array ?? []
            return messages.filter { $0["_type"] == "card" }.sorted {
                ($0["name"]?.string ?? "") < ($1["name"]?.string ?? "")
            }
        }
        let first = try cards()
        #expect(first.map { $0["name"]?.string } == ["Ben", "Cleo"])
        #expect(first.map { $0["face"]?.string } == ["BwEC", nil])
        // Another picture is another face; none is none; it was made once, not for each answer.
        try box.call(ben, "member.setPicture", ["member": .id(ben.id), "picture": "Aw=="])
        #expect(try cards().first?["face"]?.string == "BwM=")
        #expect(box.works.count { if case PictureWork.squarePicture = $0 { true } else { false } } == 2)
        try box.call(ben, "member.removePicture", ["member": .id(ben.id)])
        #expect(try cards().first?["face"] == nil)
    }

    @Test func `faces in one answer are bounded`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        box.substitute = { work in
            if case PictureWork.squarePicture(let bytes) = work {
                .picture([9] + bytes, face: Array(repeating: 7, count: Limits.facesBytesMax / 4))
            } else {
                nil
            }
        }
        for name in ["ben", "cleo", "dan", "eve"] {
            let person = try box.join(name, by: ada)
            try box.call(person, "member.setPicture", ["member": .id(person.id), "picture": "AQI="])
            try box.call(person, "sharing.set", ["state": "on"])
            try box.call(person, "position.report", ["lat": 1, "lon": 2, "at": .time(box.clock)])
        }
        let cards = try box.call(ada, "owntracks.publish", ["message": [:]]).array?.filter { $0["_type"] == "card" }
        #expect(cards?.count == 4)
        #expect(cards?.count { $0["face"] != nil } == 2)
    }
}
