import Glibc
import Testing

/// The first two minutes of two people who have read nothing: `deploy/stranger` types only what a screen has printed.
@Suite(.serialized) struct StrangerTests {
    @Test func `two strangers come to their first vote and position by what the screens say`() throws {
        let stage = try Stage()
        let house = try House(stage)
        stage.environment["KINWIRE_SOCKET"] = nil
        stage.environment["PATH"] = "\(Stage.built):" + (stage.environment["PATH"] ?? "")
        let screen = stage.folder + "/screen"
        try house.firstWords.write(toFile: screen)
        var homes: [String] = []
        for name in ["ada", "bob"] {
            homes.append("env HOME=\(stage.folder)/\(name)")
            mkdir("\(stage.folder)/\(name)", 0o700)
        }
        let played = try stage.run(Stage.root + "/deploy/stranger", screen, "--first", homes[0], "--second", homes[1])
        let last = try #require(played.lines.last)
        let commands = try #require(last.split(separator: " ").first.flatMap { Int($0) }, "\(played.lines)")
        #expect(commands <= 8, "\(played.lines)")
    }
}

extension String {
    fileprivate func write(toFile path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fputs(self, file) >= 0)
    }
}
