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
        house = try House(stage)
        try house.found()
        try house.join("bob")
    }

    private static let hasVdirsyncer = access("/usr/bin/vdirsyncer", X_OK) == 0

    private func password(of who: String) throws -> String {
        let made = try house.door(as: who).call("appPassword.create", ["device": "laptop", "scope": "calendar"])
        return try #require(made["password"]?.string)
    }

    /// A computer that keeps a copy of the contacts in a folder.
    private struct Copy {
        let stage: Stage
        let folder: String
        var contacts: String { folder + "/contacts/family" }

        func sync(_ what: String = "sync", exits code: Int32? = 0) throws {
            let arguments = ["env", "VDIRSYNCER_CONFIG=\(folder)/config", "LC_ALL=C.UTF-8", "vdirsyncer", what]
            let program = stage.start(arguments, input: "y\ny\ny\n")
            program.closeInput()
            try stage.wait("vdirsyncer to end") { program.status != nil }
            if let code { #expect(program.status == code, "\(program.said)") }
        }

        /// The cards in the folder, by the names of their files.
        func cards() throws -> [String: String] {
            let names = try stage.run("ls", contacts).lines
            return try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, String(decoding: try [UInt8](file: contacts + "/" + name), as: UTF8.self))
                })
        }

        func write(_ name: String, _ lines: [String]) throws {
            let text = (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
            try Array(text.utf8).write(file: contacts + "/" + name)
        }
    }

    private func copy(of who: String, _ name: String, conflict: String = "b wins") throws -> Copy {
        let copy = Copy(stage: stage, folder: stage.folder + "/" + name)
        try stage.run("mkdir", "-p", copy.folder + "/contacts")
        let config = """
            [general]
            status_path = "\(copy.folder)/status/"
            [pair contacts]
            a = "here"
            b = "family"
            collections = [["family", "family", "family"]]
            conflict_resolution = \(conflict == "none" ? "null" : "\"\(conflict)\"")
            [storage here]
            type = "filesystem"
            path = "\(copy.folder)/contacts"
            fileext = ".vcf"
            [storage family]
            type = "carddav"
            url = "\(house.url)/"
            username = "\(who)"
            password = "\(try password(of: who))"

            """
        try Array(config.utf8).write(file: copy.folder + "/config")
        try copy.sync("discover")
        try copy.sync()
        return copy
    }

    @Test(.enabled(if: Self.hasVdirsyncer, "vdirsyncer is not installed"))
    func `vdirsyncer keeps two copies alike, both ways, and a conflict loses nothing unseen`() throws {
        let ada = try house.door(as: "ada")
        _ = try ada.call(
            "contact.add",
            ["firstName": "Nora", "lastName": "Öztürk", "phones": [["value": "+49 30 1", "label": "work"]]])
        let desk = try copy(of: "ada", "desk")
        let laptop = try copy(of: "ada", "laptop", conflict: "none")
        #expect(
            try desk.cards().values.first?.contains("FN:Nora Öztürk\r\nN:Öztürk;Nora;;;\r\nTEL;TYPE=WORK:+49 30 1")
                == true)
        // Written at one, read at the other, with what contacts have no place for.
        try desk.write("uwe.vcf", ["UID:uwe-1", "FN:Uwe Kern", "N:Kern;Uwe;;;", "X-ODD;X-P=1:kept", "NICKNAME:Uwi"])
        try desk.sync()
        try laptop.sync()
        let read = try #require(try laptop.cards().values.first { $0.contains("UID:uwe-1") })
        #expect(read.contains("X-ODD;X-P=1:kept") && read.contains("NICKNAME:Uwi"))
        let listed = try ada.call("contact.list", [:])["contacts"]?.array ?? []
        #expect(listed.map { $0["lastName"] } == ["Kern", "Öztürk"])
        // Both change it: who comes second is told, and changes nothing.
        try desk.write("uwe.vcf", ["UID:uwe-1", "FN:Uwe Kern", "N:Kern;Uwe;;;", "NICKNAME:Desk"])
        let name = try #require(try laptop.cards().first { $0.value.contains("UID:uwe-1") }?.key)
        try laptop.write(name, ["UID:uwe-1", "FN:Uwe Kern", "N:Kern;Uwe;;;", "NICKNAME:Laptop"])
        try desk.sync()
        try laptop.sync(exits: 1)
        #expect(try laptop.cards()[name]?.contains("NICKNAME:Laptop") == true)
        // Changed in Kinwire, and at one: the family's is taken where that was chosen.
        _ = try ada.call("contact.update", ["contact": listed[0]["id"] ?? .null, "note": "Mornings"])
        try desk.write("uwe.vcf", ["UID:uwe-1", "FN:Uwe Kern", "N:Kern;Uwe;;;", "NICKNAME:Late"])
        try desk.sync()
        let settled = try #require(try desk.cards()["uwe.vcf"])
        #expect(settled.contains("NOTE:Mornings") && settled.contains("NICKNAME:Desk"))
        // Removed at one, gone everywhere.
        try stage.run("rm", desk.contacts + "/uwe.vcf")
        try desk.sync()
        #expect(try ada.call("contact.list", [:])["contacts"]?.array?.map { $0["lastName"] } == ["Öztürk"])
    }

    @Test(.enabled(if: Self.hasVdirsyncer, "vdirsyncer is not installed"))
    func `a member who is no admin has the contacts, and writes none`() throws {
        let ada = try house.door(as: "ada")
        _ = try ada.call("contact.add", ["lastName": "Roth"])
        let bob = try copy(of: "bob", "bob")
        #expect(try bob.cards().values.map { $0.contains("FN:Roth") } == [true])
        try bob.write("mine.vcf", ["UID:mine", "FN:Kern", "N:Kern;;;;"])
        try bob.sync(exits: 1)
        #expect(try ada.call("contact.list", [:])["contacts"]?.array?.count == 1)
    }
}
