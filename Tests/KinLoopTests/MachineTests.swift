import Glibc
import Testing

@testable import KinLoop

@Suite struct `The machine` {
    @Test func `a start of the machine is the same whoever says it, and what says nothing is never the same`() {
        let kernel = Array("3f9c2b1e-77aa-4d0e-9f1b-0a2b3c4d5e6f\n".utf8)
        let digits = "3f9c2b1e77aa4d0e9f1b0a2b3c4d5e6f"
        // systemd's %b has no hyphens; under its sandbox there is no file.
        #expect(SystemTime.boot(said: digits, file: nil) == digits)
        #expect(SystemTime.boot(said: nil, file: kernel) == digits)
        #expect(SystemTime.boot(said: digits.uppercased(), file: kernel) == digits)
        for said in ["", "%b", "unknown"] { #expect(SystemTime.boot(said: said, file: kernel) == digits) }
        #expect(SystemTime.boot(said: "%b", file: nil) != SystemTime.boot(said: "%b", file: nil))
    }

    @Test func `says who and where we are`() {
        #expect(Machine.processID == getpid())
        #expect(!Machine.hostName.isEmpty && !Machine.hostName.contains("."))
        #expect(Machine.environment("PATH") != nil)
        #expect(Machine.environment("KINWIRE_NOT_SET_ANYWHERE") == nil)
        #expect(Machine.residentBytes() > 1 << 20)
        #expect(Machine.contextSwitches() > 0)
        #expect(Machine.localAddresses().allSatisfy { !$0.isLoopback && !$0.isLinkLocal })
        #expect(descriptorLimit() >= 256)
    }

    @Test func `code that nobody needs at present goes, and comes back when it is needed`() throws {
        func resident() throws -> Int {
            let lines = String(decoding: try Files.read("/proc/self/smaps", max: 1 << 22), as: UTF8.self)
                .split(separator: "\n").map { $0.split(separator: " ") }
            var (isCode, sum) = (false, 0)
            for fields in lines {
                if fields[0].contains("-") { isCode = fields[1] == "r-xp" && fields.count > 5 }
                if isCode, fields[0] == "Rss:" { sum += try #require(Int(fields[1])) }
            }
            return sum
        }
        let before = try resident()
        Machine.letGoOfCode()
        #expect(try resident() < before)
        #expect(Machine.processID == getpid())
    }

    @Test func `gives times that make sense together`() {
        let time = SystemTime()
        let before = time.monotonicNanoseconds()
        // After 2001 and before 2286; a clock in 1970 is the server's business, not a trap here.
        #expect((1_000_000_000_000...9_999_999_999_999).contains(time.wallMilliseconds()))
        #expect(time.monotonicNanoseconds() >= before)
    }

    @Test func `has a sentence for every failure`() {
        let failures: [LoopFailure] = [
            .system(call: "epoll_wait", errno: ENOMEM), .addressInUse("x"), .notPermitted("x"), .badAddress("x"),
            .unknownHost("x"), .timedOut("x"),
        ]
        for failure in failures { #expect(failure.sentence.hasSuffix(".") && failure.sentence.count > 20) }
        #expect(failures[0].sentence == "epoll_wait failed: Cannot allocate memory.")
    }
}

@Suite struct `Small files` {
    @Test func `are put in place whole, with their mode`() throws {
        let folder = try TemporaryFolder()
        try Files.write(Array("one".utf8), to: folder("a"), mode: 0o600)
        try Files.write(Array("two".utf8), to: folder("a"), mode: 0o644)
        #expect(try Files.read(folder("a")) == Array("two".utf8))
        #expect(Files.mode(of: folder("a")) == 0o644)
        #expect(Files.owner(of: folder("a")) == geteuid())
        #expect(folder.names == ["a"])
        #expect(throws: LoopFailure.self) { try Files.write([1], to: folder("none/a"), mode: 0o600) }
        #expect(throws: LoopFailure.system(call: "read \(folder("a"))", errno: EFBIG)) {
            try Files.read(folder("a"), max: 2)
        }
        try Files.remove(folder("a"))
        try Files.remove(folder("a"))
        #expect(throws: LoopFailure.system(call: "open \(folder("a"))", errno: ENOENT)) { try Files.read(folder("a")) }
    }

    @Test func `lie in folders that are made once`() throws {
        let folder = try TemporaryFolder()
        try Files.makeDirectory(folder("data"), mode: 0o750)
        #expect(Files.mode(of: folder("data")) == 0o750)
        try Files.makeDirectory(folder("data"), mode: 0o700)
        #expect(Files.mode(of: folder("data")) == 0o750)
        try Files.syncDirectory(folder("data"))
        #expect(Files.isDirectory(folder("data")))
        #expect(try #require(Files.freeBytes(at: folder("data"))) > 0)
        #expect(Files.freeBytes(at: folder("none")) == nil)
        #expect(Files.mode(of: folder("none")) == nil)
        #expect(throws: LoopFailure.self) { try Files.makeDirectory(folder("none/deep"), mode: 0o700) }
        try Files.write([], to: folder("file"), mode: 0o600)
        #expect(throws: LoopFailure.self) { try Files.makeDirectory(folder("file"), mode: 0o700) }
        #expect(throws: LoopFailure.self) { try Files.syncDirectory(folder("file")) }
    }
}

@Suite struct `The terminal` {
    @Test func `is asked for a password without showing it`() async {
        await #expect(processExitsWith: .success) {
            var (main, other): (Int32, Int32) = (-1, -1)
            try #require(openpty(&main, &other, nil, nil, nil) == 0)
            dup2(other, 0)
            #expect(Terminal.isTerminal(0))
            for (typed, expected) in [("secret\n", "secret"), ("half\u{3}", nil)] as [(String, String?)] {
                let keys = main
                let typist = try startThread(name: "typist") {
                    // Typed only once nothing is echoed any more: earlier keys are thrown away.
                    while isEchoing(keys) { sched_yield() }
                    _ = write(keys, typed, typed.utf8.count)
                }
                #expect(Terminal.readPassword(prompt: "") == expected)
                typist.join()
                #expect(isEchoing(main))
            }
            var shown = [UInt8](repeating: 0, count: 100)
            let count =
                Readiness.wait(main, readable: true, writable: false, timeoutMilliseconds: 0) == .timedOut
                ? 0 : read(main, &shown, shown.count)
            #expect(!String(decoding: shown.prefix(count), as: UTF8.self).contains("se"))
        }
    }

    @Test func `gives way to a pipe, line by line`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        _ = write(ends[1], "first\r\nsecond\nrest", 18)
        close(ends[1])
        #expect(!Terminal.isTerminal(ends[0]))
        #expect(Terminal.readLine(ends[0]) == "first")
        #expect(Terminal.readLine(ends[0]) == "second")
        #expect(Terminal.readLine(ends[0]) == "rest")
        #expect(Terminal.readLine(ends[0]) == nil)
        close(ends[0])
    }
}

// Declared in pty.h, which Glibc's module leaves out.
@_silgen_name("openpty")
private func openpty(
    _ main: UnsafeMutablePointer<Int32>, _ other: UnsafeMutablePointer<Int32>, _ name: UnsafeMutablePointer<CChar>?,
    _ mode: UnsafePointer<termios>?, _ size: UnsafePointer<winsize>?
) -> Int32

private func isEchoing(_ fd: Int32) -> Bool {
    var mode = termios()
    tcgetattr(fd, &mode)
    return mode.c_lflag & tcflag_t(ECHO) != 0
}
