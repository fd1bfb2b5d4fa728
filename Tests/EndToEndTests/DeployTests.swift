import Glibc
import Testing

/// What the commands in `deploy` say where they cannot go on.
@Suite struct DeployTests {
    @Test func `without a Swift compiler it says in one sentence where to get one`() throws {
        let stage = try Stage()
        stage.environment["PATH"] = "/usr/bin:/bin"
        for command in ["run", "test"] where access("/usr/bin/swift", X_OK) != 0 {
            let script = stage.start([Stage.root + "/deploy/" + command], input: "")
            script.closeInput()
            try stage.wait("deploy/\(command) to end") { script.status != nil }
            script.take()
            #expect(script.status == 1, "\(command)")
            #expect(script.said.split(separator: "\n").count == 1, "\(script.said)")
            #expect(script.said.contains("Swift 6.3 toolchain"), "\(script.said)")
        }
    }

    /// Somebody who is not root and has no sudo: the whole command to type is in the sentence, nothing else happens.
    @Test(.enabled(if: geteuid() != 0 || BadDayTests.canBecomeWeak))
    func `what only root may install is named with its command`() throws {
        let stage = try Stage()
        mkdir(stage.folder + "/bin", 0o755)
        chmod(stage.folder, 0o755)
        let tools = ["sh", "dpkg-query", "printf", "sort", "tr", "id", "env", "apt-get", "cat", "sed", "mkdir"]
        let script = """
            PATH=\(stage.folder)/bin
            . '\(Stage.root)/deploy/packages'
            install_packages no-such-package-of-kinwire
            """
        for tool in tools {
            for place in ["/usr/bin/", "/bin/"] where access(place + tool, X_OK) == 0 {
                symlink(place + tool, stage.folder + "/bin/" + tool)
            }
        }
        let user = geteuid() == 0 ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []
        let program = stage.start(user + ["/bin/sh", "-euc", script], input: "")
        try stage.wait("the sentence") { program.status != nil }
        program.take()
        #expect(program.status == 1, "\(program.said)")
        #expect(
            program.said == """
                These Debian packages are missing, and only root may install them: \
                sudo apt-get install --no-install-recommends no-such-package-of-kinwire

                """, "\(program.said) \(program.lines)")
    }
}
