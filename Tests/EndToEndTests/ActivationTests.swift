import Glibc
import Testing

/// What the daemon and systemd have with each other, with a program in systemd's place (`Fixtures/holder.py`).
@Suite struct ActivationTests {
    @Test func `nobody is refused while systemd holds the port, and it is told what it wants to know`() throws {
        let stage = try Stage()
        let holder = stage.start(
            [
                Sandbox.python, Stage.fixtures + "/holder.py", stage.folder, Stage.built + "/kinwired", "--data",
                stage.folder + "/data", "--unix", stage.folder + "/kinwire.sock", "--listen", "127.0.0.1:1",
            ])
        try stage.wait("the port") { holder.lines.first?.hasPrefix("port ") == true }
        let port = try #require(holder.lines.first?.split(separator: " ").last)
        // Before there is any daemon: the kernel keeps it until there is one.
        let early = stage.start(["curl", "-s", "http://127.0.0.1:\(port)/healthz"], input: "")
        holder.write("start\n")
        try stage.wait("the early answer") { early.status != nil }
        #expect(early.status == 0)
        #expect(!holder.said.contains("127.0.0.1:1."), "--listen does not count")
        try stage.wait("the notices") {
            holder.lines.contains("notice READY=1") && holder.lines.contains("notice WATCHDOG=1")
        }

        let process = try #require(
            holder.lines.first { $0.hasPrefix("started ") }?.split(separator: " ").last.flatMap { pid_t($0) })
        kill(process, SIGTERM)
        try stage.wait("a good end") { holder.lines.contains("ended 0") }
        try stage.wait("the notice of it") { holder.lines.contains("notice STOPPING=1") }
        // Between two lives.
        let between = stage.start(["curl", "-s", "http://127.0.0.1:\(port)/healthz"], input: "")
        holder.write("start\n")
        try stage.wait("the answer of the second life") { between.status != nil }
        #expect(between.status == 0)
        let second = holder.lines.last { $0.hasPrefix("started ") }?.split(separator: " ").last.flatMap { pid_t($0) }
        kill(try #require(second), SIGTERM)
        holder.closeInput()
        try stage.wait("the end") { holder.status != nil }
    }
}
