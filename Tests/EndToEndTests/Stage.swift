import Glibc
import Testing

/// Where programs run together: waiting for one of them reads from all, so that none stands still.
final class Stage {
    /// Generous, because nothing is measured: a machine with other work must not fail a test.
    static let patienceSeconds = 60.0

    let folder: String
    /// What programs find in their environment: nothing of this machine's settings, proxies above all.
    var environment: [String: String]
    private var programs: [Program] = []

    init() throws {
        Glibc.signal(SIGPIPE, SIG_IGN)
        var template = Array("\(Self.temporary)/kinwire-e2e-XXXXXX".utf8CString)
        let made = mkdtemp(&template) != nil
        try #require(made, "a temporary folder can be made")
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = [
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8",
            "TZ": "UTC", "TMPDIR": folder, "PYTHONUNBUFFERED": "1", "KINWIRE_SOCKET": folder + "/kinwire.sock",
        ]
        // What the toolchain's libraries are found by, where they are not in their usual place.
        if let path = getenv("LD_LIBRARY_PATH") { environment["LD_LIBRARY_PATH"] = String(cString: path) }
    }

    deinit {
        for program in programs { program.kill() }
        _ = Program(["rm", "-rf", folder], environment: environment).waited()
    }

    static var temporary: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// The folder with the built programs: the tests' own.
    static let built: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let beside = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
        return access(beside + "/kinwired", X_OK) == 0 ? beside : root + "/.build/debug"
    }()

    /// Whether those are optimised.
    static let isOptimised = !built.hasSuffix("/debug")

    /// The top of the tree.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    static let fixtures = root + "/Tests/EndToEndTests/Fixtures"

    /// Starts a program; `kin` and `kinwired` are the built ones.
    func start(_ arguments: [String], input: String? = nil) -> Program {
        var arguments = arguments
        if ["kin", "kinwired"].contains(arguments[0]) { arguments[0] = Self.built + "/" + arguments[0] }
        let program = Program(arguments, environment: environment, input: input)
        programs.append(program)
        return program
    }

    /// Runs a program to its end.
    @discardableResult
    func run(
        _ arguments: String..., input: String = "", exits code: Int32? = 0,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Program {
        let program = start(arguments, input: input)
        program.closeInput()
        try wait("\(arguments.joined(separator: " ")) to end", location) { program.status != nil }
        program.take()
        if let code { #expect(program.status == code, "\(arguments): \(program.said)", sourceLocation: location) }
        return program
    }

    /// Waits for something the programs bring about; meanwhile reads what all of them print.
    func wait(_ what: String, _ location: SourceLocation = #_sourceLocation, until isSo: () throws -> Bool) throws {
        let end = Self.seconds + Self.patienceSeconds
        while true {
            for program in programs { program.take() }
            if try isSo() { return }
            guard Self.seconds < end else { break }
            var entries = programs.flatMap { [$0.output, $0.errors] }.filter { $0 >= 0 }
                .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // An end is no event of a pipe that a grandchild holds: look again soon.
            poll(&entries, nfds_t(entries.count), 20)
        }
        let story = programs.map {
            "\($0.name) (\($0.status.map { "\($0)" } ?? "runs")): \($0.lines.count) lines; \($0.said.suffix(600))"
        }
        try #require(
            Bool(false), "waited in vain for \(what)\n\(story.joined(separator: "\n"))", sourceLocation: location)
    }

    /// Seconds of a clock that only goes forward.
    static var seconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}

extension Program {
    /// Waits for its end, whatever it prints.
    func waited() -> Int32 {
        closeInput()
        while status == nil {
            take()
            var entries = [output, errors].filter { $0 >= 0 }.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&entries, nfds_t(entries.count), 20)
        }
        return status ?? -1
    }
}
