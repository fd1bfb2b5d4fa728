import Glibc
import KinCodec
import KinModel
import Testing

/// The page of recipes, typed into a shell as it stands there, and its outputs compared.
@Suite struct RecipeTests {
    /// Commands, and what the page says comes of them.
    struct Recipe {
        let commands: String
        let output: [String]
        /// Whether it goes on until somebody ends it.
        var isStream: Bool { commands.hasPrefix("curl -sN ") }
    }

    static func page() throws -> [Recipe] {
        let text = String(
            decoding: try [UInt8](file: Stage.root + "/Sources/KinServer/KinServer.docc/Recipes.md"), as: UTF8.self)
        var recipes: [Recipe] = []
        var commands: String?
        for part in text.split(separator: "```", omittingEmptySubsequences: false) {
            if part.hasPrefix("sh\n") {
                if let commands { recipes.append(Recipe(commands: commands, output: [])) }
                commands = String(part.dropFirst(3))
            } else if part.hasPrefix("json\n"), let typed = commands {
                let lines = part.dropFirst(5).split(separator: "\n").map { String($0) }
                recipes.append(Recipe(commands: typed, output: lines))
                commands = nil
            }
        }
        return recipes
    }

    /// Whether a line is as the page says; three dots stand for anything.
    static func fits(_ line: String, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
        var rest = line[...]
        guard let first = parts.first, rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        guard parts.count > 1, let last = parts.last else { return rest.isEmpty }
        return rest.hasSuffix(last)
    }

    @Test func `three dots stand for anything`() {
        #expect(Self.fits("{}", "{}") && Self.fits("a1b2c", "a…b…c") && Self.fits("ab", "a…b") && Self.fits("abc", "…"))
        #expect(!Self.fits("{}x", "{}") && !Self.fits("acb", "a…b…c") && !Self.fits("xab", "a…"))
    }

    @Test func `the page has ten recipes`() throws {
        let text = String(
            decoding: try [UInt8](file: Stage.root + "/Sources/KinServer/KinServer.docc/Recipes.md"), as: UTF8.self)
        #expect(
            text.split(separator: "\n").count { $0.hasPrefix("## ") && $0.dropFirst(3).first?.isNumber == true } == 10)
    }

    @Test func `each recipe does what the page says`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try Self.picture.write(file: stage.folder + "/photo.png")
        let shell = stage.start(["env", "-C", stage.folder, "sh"])
        var cursor = ""
        for (number, recipe) in try Self.page().enumerated() {
            let commands = recipe.commands.replacing("http://127.0.0.1:5469", with: house.url)
            let lines: [String]
            if recipe.isStream {
                lines = try follow(commands, recipe, shell, stage, &cursor)
            } else {
                let before = shell.lines.count
                shell.write(commands + "\necho \"== \(number)\"\n")
                try stage.wait("recipe \(number)") { shell.lines.last == "== \(number)" || shell.status != nil }
                lines = shell.lines.dropFirst(before).dropLast()
            }
            #expect(lines.count == recipe.output.count, "\(commands)\n\(lines)\n\(shell.said)")
            for (line, pattern) in zip(lines, recipe.output) {
                #expect(Self.fits(line, pattern), "\(commands)\nshould say \(pattern)\nand says \(line)")
            }
        }
        #expect(shell.said.isEmpty)
    }

    /// Follows until what the page says has come, and ends it, as Ctrl-C would.
    private func follow(
        _ commands: String, _ recipe: Recipe, _ shell: Program, _ stage: Stage, _ cursor: inout String
    ) throws -> [String] {
        func variable(_ name: String) throws -> String {
            shell.write("echo \"\(name) is $\(name)\"\n")
            try stage.wait(name) { shell.lines.last?.hasPrefix(name + " is ") == true || shell.status != nil }
            return String(try #require(shell.lines.last).dropFirst((name + " is ").count))
        }
        let variables = try ["URL", "ADA", "BEN"].map { "\($0)=\(try variable($0))" } + ["CURSOR=\(cursor)"]
        let stream = stage.start(["env"] + variables + ["sh", "-c", "exec " + commands])
        func told() -> [String] { stream.lines.filter { $0.hasPrefix("id:") || $0.hasPrefix("data:") } }
        try stage.wait(commands) { told().count >= recipe.output.count || stream.status != nil }
        stream.kill()
        let lines = Array(told().prefix(recipe.output.count))
        cursor = lines.last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) } ?? cursor
        return lines
    }

    /// Eight by eight pixels, red.
    private static let picture: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
        0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x08, 0x02, 0x00, 0x00, 0x00, 0x4B, 0x6D, 0x29,
        0xDC, 0x00, 0x00, 0x00, 0x11, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8, 0xCF, 0xC0, 0x80,
        0x15, 0x31, 0x0C, 0x2D, 0x09, 0x00, 0x28, 0xFF, 0x3F, 0xC1, 0xCE, 0x77, 0xC8, 0x4F, 0x00, 0x00,
        0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
}
