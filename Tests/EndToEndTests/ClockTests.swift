import Glibc
import KinCodec
import KinModel
import Testing

/// libfaketime, by which a program sees another wall clock.
private enum WrongClock {
    static let library: String? = {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/usr/lib/*/faketime/libfaketime.so.1", 0, nil, &found) == 0, let path = found.gl_pathv[0] else {
            return nil
        }
        return String(cString: path)
    }()
}

/// The real daemon on a machine whose wall clock shows what a test wants: libfaketime between it and the C library. The
/// clock that nobody can set is the machine's own.
@Suite(.enabled(if: WrongClock.library != nil, "Debian's package faketime is not installed"))
struct ClockTests {
    private let stage: Stage
    private let house: House
    private let clock: String
    private let synchronised: String

    init() throws {
        let stage = try Stage()
        (clock, synchronised) = (stage.folder + "/clock", stage.folder + "/synchronised")
        let kernel = stage.folder + "/kernel.so"
        try stage.run("clang", "-shared", "-fPIC", "-o", kernel, Stage.fixtures + "/kernel.c")
        try Array("+0".utf8).write(file: clock)
        stage.environment.merge([
            "LD_PRELOAD": "\(WrongClock.library ?? ""):\(kernel)", "FAKETIME_TIMESTAMP_FILE": clock,
            "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
            "KERNEL_SYNCHRONISED": synchronised,
            // Arguments may not be seen behind a preloaded library.
            "KINWIRE_DATA": stage.folder + "/data", "KINWIRE_LISTEN": "127.0.0.1:0",
            "KINWIRE_UNIX": stage.folder + "/kinwire.sock",
        ]) { $1 }
        self.stage = stage
        house = try House(stage)
        try house.found()
    }

    /// The wall clock is so far from the truth.
    private func put(_ offset: String) throws { try Array(offset.utf8).write(file: clock) }

    private func status() throws -> JSON { try house.door().call("daemon.status", [:])["clock"] ?? .null }

    private var doubt: String? { get throws { try status()["doubt"]?["why"]?.string } }

    /// What a program without another clock before it prints.
    private func kin(_ words: String...) throws -> String {
        let preloaded = stage.environment.removeValue(forKey: "LD_PRELOAD")
        defer { stage.environment["LD_PRELOAD"] = preloaded }
        let program = stage.start(["kin"] + words)
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect(program.status == 0, "\(program.said)")
        return program.lines.joined(separator: " ")
    }

    private func points() throws -> Int {
        let door = try house.door()
        let ada = try door.call("session.as", ["username": "ada"])["member"]?["id"]
        let answer = try door.call(
            "position.history",
            ["member": ada ?? .null, "from": "2020-01-01T00:00:00Z", "to": "2090-01-01T00:00:00Z"])
        return answer["positions"]?.array?.count ?? 0
    }

    private func report() throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let at = Instant(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
        _ = try house.door(as: "ada").call("position.report", ["lat": 52.5, "lon": 13.4, "at": .time(at)])
    }

    @Test func `a year ahead, across a kill, costs nothing and prolongs nothing`() throws {
        try report()
        let token = try house.token("ada")
        let code = try house.door(as: "ada").call("invite.create", [:])["code"] ?? .null
        let before = try #require(try status()["time"]?.instant)
        try put("+400d")
        _ = try house.door(as: "ada").call("activity.announce", ["text": "What year is it?"])
        #expect(try doubt == "jumped")
        #expect(try #require(try status()["time"]?.instant) < before.adding(days: 1))
        try stage.wait("the daemon to say so") { house.daemon.said.contains("The clock is doubted: it jumped") }
        #expect(try kin("status").contains("DOUBTED"))
        let refusal = #expect(throws: LineClient.Refusal.self) {
            try house.door().call("invite.show", ["code": code])
        }
        #expect(refusal?.code == 1503)
        house.kill()
        try house.start()
        #expect(try doubt == "jumped")
        try report()
        #expect(try points() == 2)
        try put("+0")
        #expect(try doubt == nil)
        _ = try house.door().call("session.resume", ["token": .string(token)])
        let shown = try house.door().call("invite.show", ["code": code])
        #expect(try #require(shown["expires"]?.instant) < before.adding(days: 8))
        try report()
        #expect(try points() == 3)
    }

    @Test func `a clock that comes right from 1972 is believed as soon as the kernel says so`() throws {
        try report()
        let code = try house.door(as: "ada").call("invite.create", [:])["code"] ?? .null
        house.daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        try put("-20000d")
        try house.start()
        #expect(try doubt != nil)
        try report()
        #expect(throws: LineClient.Refusal.self) { try house.door().call("invite.show", ["code": code]) }
        // The machine had been off for an hour.
        try Array("".utf8).write(file: synchronised)
        try put("+3600")
        #expect(try doubt == nil)
        #expect(try status()["isSynchronised"] == true)
        _ = try house.door().call("invite.show", ["code": code])
        #expect(try points() == 2)
    }

    @Test func `an admin who sets the clock by hand says that it is right`() throws {
        try put("+7200")
        #expect(try doubt == "jumped")
        #expect(try kin("clock").contains("DOUBTED"))
        #expect(try kin("clock", "trust").contains("trusted"))
        #expect(try doubt == nil)
        try put("+3600")
        #expect(try doubt == "jumped")
        #expect(try kin("clock", "trust").contains("trusted"))
        #expect(try !kin("status").contains("DOUBTED"))
    }

    @Test func `a certificate is made and kept by the time that is believed`() throws {
        func end() throws -> Instant {
            try #require(try house.door().call("daemon.status", [:])["certificate"]?["notAfter"]?.instant)
        }
        let before = try end()
        try report()
        house.daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        try put("+400d")
        try house.start()
        #expect(try doubt == "jumped")
        // By the clock on the wall it would be time for another, which begins in a year.
        #expect(try end() == before)
        // One that is made now is good now.
        house.daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { house.daemon.status != nil }
        try stage.run("rm", "-r", stage.folder + "/data/authority")
        try house.start()
        #expect(try doubt == "jumped")
        #expect(try end() < before.adding(days: 1))
    }

    @Test(arguments: [true, false])
    func `which start of the machine it is says the service manager`(isSame: Bool) throws {
        let digits = "3f9c2b1e77aa4d0e9f1b0a2b3c4d5e6f"
        func restart(_ boot: String, at offset: String) throws {
            house.daemon.signal(SIGTERM)
            try stage.wait("the daemon to end") { house.daemon.status != nil }
            try put(offset)
            stage.environment["KINWIRE_BOOT"] = boot
            try house.start()
        }
        try restart(digits, at: "+0")
        try report()
        try restart(isSame ? digits : String(digits.reversed()), at: "+400d")
        // Within one start of the machine the clock jumped; across two nobody knows for how long it was off.
        #expect(try doubt == (isSame ? "jumped" : "ahead"))
    }
}
