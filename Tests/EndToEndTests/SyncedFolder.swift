import Glibc
import KinModel
import Testing

/// A folder that `vdirsyncer` keeps like a collection of the family's, as a computer does.
struct SyncedFolder {
    /// What is kept.
    enum Sort: String {
        case calendar = "caldav"
        case contacts = "carddav"

        var suffix: String { self == .calendar ? ".ics" : ".vcf" }
    }

    static let hasVdirsyncer = access("/usr/bin/vdirsyncer", X_OK) == 0

    let stage: Stage
    let folder: String
    let collection: String

    /// Where the things lie, a file each.
    var files: String { folder + "/collections/" + collection }

    /// Makes a folder on the stage and fills it by an app password of a member's.
    init(
        _ sort: Sort, _ collection: String, of who: String, in house: House, _ stage: Stage, _ name: String,
        conflict: String = "b wins"
    ) throws {
        self.stage = stage
        self.collection = collection
        folder = stage.folder + "/" + name
        let made = try house.door(as: who).call("appPassword.create", ["device": "laptop", "scope": "calendar"])
        let password = try #require(made["password"]?.string)
        try stage.run("mkdir", "-p", folder + "/collections")
        let config = """
            [general]
            status_path = "\(folder)/status/"
            [pair both]
            a = "here"
            b = "family"
            collections = [["\(collection)", "\(collection)", "\(collection)"]]
            conflict_resolution = \(conflict == "none" ? "null" : "\"\(conflict)\"")
            [storage here]
            type = "filesystem"
            path = "\(folder)/collections"
            fileext = "\(sort.suffix)"
            [storage family]
            type = "\(sort.rawValue)"
            url = "\(house.url)/"
            username = "\(who)"
            password = "\(password)"

            """
        try Array(config.utf8).write(file: folder + "/config")
        try sync("discover")
        try sync()
    }

    func sync(_ what: String = "sync", exits code: Int32? = 0) throws {
        let arguments = ["env", "VDIRSYNCER_CONFIG=\(folder)/config", "LC_ALL=C.UTF-8", "vdirsyncer", what]
        let program = stage.start(arguments, input: "y\ny\ny\n")
        program.closeInput()
        try stage.wait("vdirsyncer to end") { program.status != nil }
        if let code { #expect(program.status == code, "\(program.said)") }
    }

    /// What the files say, by their names.
    func all() throws -> [String: String] {
        let names = try stage.run("ls", files).lines
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, String(decoding: try [UInt8](file: files + "/" + name), as: UTF8.self))
            })
    }

    /// Writes a file of such lines.
    func write(_ name: String, _ lines: [String]) throws {
        try Array((lines + [""]).joined(separator: "\r\n").utf8).write(file: files + "/" + name)
    }
}
