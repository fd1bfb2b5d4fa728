import Glibc
import KinCodec
import KinModel
import Testing

/// Clients that others wrote read and write the family's contacts, on the real daemon.
@Suite(.serialized) struct DavClientTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    private func copy(of who: String, _ name: String, conflict: String = "b wins") throws -> SyncedFolder {
        try SyncedFolder(.contacts, "family", of: who, in: house, stage, name, conflict: conflict)
    }

    private func write(_ copy: SyncedFolder, _ name: String, _ lines: [String]) throws {
        try copy.write(name, ["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD"])
    }

    @Test(.enabled(if: SyncedFolder.hasVdirsyncer, "vdirsyncer is not installed"))
    func `vdirsyncer keeps two copies alike, both ways, and a conflict loses nothing unseen`() throws {
        let ada = try house.door(as: "ada")
        _ = try ada.call(
            "contact.add",
            ["firstName": "Nora", "lastName": "Öztürk", "phones": [["value": "+49 30 1", "label": "work"]]])
        let desk = try copy(of: "ada", "desk")
        let laptop = try copy(of: "ada", "laptop", conflict: "none")
        #expect(
            try desk.all().values.first?.contains("FN:Nora Öztürk\r\nN:Öztürk;Nora;;;\r\nTEL;TYPE=WORK:+49 30 1")
                == true)
        // Written at one, read at the other, with what contacts have no place for.
        try write(desk, "uwe.vcf", ["UID:uwe-1", "FN:Uwe Kern", "N:Kern;Uwe;;;", "X-ODD;X-P=1:kept", "NICKNAME:Uwi"])
        try desk.sync()
        try laptop.sync()
        let read = try #require(try laptop.all().values.first { $0.contains("UID:uwe-1") })
        #expect(read.contains("X-ODD;X-P=1:kept") && read.contains("NICKNAME:Uwi"))
        let listed = try ada.call("contact.list", [:])["contacts"]?.array ?? []
        #expect(listed.map { $0["lastName"] } == ["Kern", "Öztürk"])
        // Both change it: who comes second is told, and changes nothing.
        try write(desk, "uwe.vcf", ["UID:uwe-1", "FN:Uwe Kern", "N:Kern;Uwe;;;", "NICKNAME:Desk"])
        let name = try #require(try laptop.all().first { $0.value.contains("UID:uwe-1") }?.key)
        try write(laptop, name, ["UID:uwe-1", "FN:Uwe Kern", "N:Kern;Uwe;;;", "NICKNAME:Laptop"])
        try desk.sync()
        try laptop.sync(exits: 1)
        #expect(try laptop.all()[name]?.contains("NICKNAME:Laptop") == true)
        // Changed in Kinwire, and at one: the family's is taken where that was chosen.
        _ = try ada.call("contact.update", ["contact": listed[0]["id"] ?? .null, "note": "Mornings"])
        try write(desk, "uwe.vcf", ["UID:uwe-1", "FN:Uwe Kern", "N:Kern;Uwe;;;", "NICKNAME:Late"])
        try desk.sync()
        let settled = try #require(try desk.all()["uwe.vcf"])
        #expect(settled.contains("NOTE:Mornings") && settled.contains("NICKNAME:Desk"))
        // Removed at one, gone everywhere.
        try stage.run("rm", desk.files + "/uwe.vcf")
        try desk.sync()
        #expect(try ada.call("contact.list", [:])["contacts"]?.array?.map { $0["lastName"] } == ["Öztürk"])
    }

    @Test(.enabled(if: SyncedFolder.hasVdirsyncer, "vdirsyncer is not installed"))
    func `a member who is no admin has the contacts, and writes none`() throws {
        let ada = try house.door(as: "ada")
        _ = try ada.call("contact.add", ["lastName": "Roth"])
        let bob = try copy(of: "bob", "bob")
        #expect(try bob.all().values.map { $0.contains("FN:Roth") } == [true])
        try write(bob, "mine.vcf", ["UID:mine", "FN:Kern", "N:Kern;;;;"])
        try bob.sync(exits: 1)
        #expect(try ada.call("contact.list", [:])["contacts"]?.array?.count == 1)
    }
}
