import Glibc

/// A process that a test started. Its input stays open until ``closeInput()``; its output is gathered by the
/// ``Stage`` it runs on.
final class Program {
    let name: String
    let process: pid_t
    private var input: CInt
    private(set) var output: CInt
    private(set) var errors: CInt
    /// Whole lines of the output so far.
    private(set) var lines: [String] = []
    /// Everything said on the standard error.
    private(set) var said = ""
    /// The exit code; 128 and more for a signal.
    private(set) var status: Int32?
    private var part: [UInt8] = []
    /// A line that has not ended, such as a question.
    var unended: String { String(decoding: part, as: UTF8.self) }

    /// Starts a program that the PATH finds, with exactly this environment.
    init(_ arguments: [String], environment: [String: String], input text: String? = nil) {
        name = arguments[0].split(separator: "/").last.map { String($0) } ?? arguments[0]
        let (inRead, inWrite) = Self.pipe()
        let (outRead, outWrite) = Self.pipe()
        let (errRead, errWrite) = Self.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, inRead, 0)
        posix_spawn_file_actions_adddup2(&actions, outWrite, 1)
        posix_spawn_file_actions_adddup2(&actions, errWrite, 2)
        // What the test's own threads have blocked or ignored is not the program's.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var started: pid_t = 0
        let result = posix_spawnp(&started, arguments[0], &actions, &attributes, words, variables)
        precondition(result == 0, "\(arguments[0]) can be started")
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        for descriptor in [inRead, outWrite, errWrite] { close(descriptor) }
        process = started
        (input, output, errors) = (inWrite, outRead, errRead)
        for descriptor in [outRead, errRead] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        if let text { write(text) }
    }

    deinit { kill() }

    /// Sends it something; small enough for a pipe to take at once.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// No longer reads what it prints, as `head -1` does.
    func closeOutput() {
        if output >= 0 { close(output) }
        output = -1
    }

    func signal(_ number: CInt) { if status == nil { Glibc.kill(process, number) } }

    /// SIGKILL, and everything it had printed until then.
    func kill() {
        if status == nil {
            Glibc.kill(process, SIGKILL)
            reap(options: 0)
        }
        take()
        closeInput()
        closeOutput()
        if errors >= 0 { close(errors) }
        errors = -1
    }

    /// Reads what there is, and looks whether it ended.
    func take() {
        read(&output) { bytes in
            part += bytes
            while let end = part.firstIndex(of: 0x0A) {
                lines.append(String(decoding: part[..<end], as: UTF8.self))
                part.removeSubrange(...end)
            }
        }
        read(&errors) { said += String(decoding: $0, as: UTF8.self) }
        if output < 0, errors < 0 { closeInput() }
        if status == nil { reap(options: WNOHANG) }
    }

    private func read(_ descriptor: inout CInt, _ use: (ArraySlice<UInt8>) -> Void) {
        guard descriptor >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                use(buffer[..<count])
            } else if count == 0 {
                close(descriptor)
                descriptor = -1
                return
            } else if errno != EINTR {
                return
            }
        }
    }

    private func reap(options: CInt) {
        var word: CInt = 0
        while true {
            let found = waitpid(process, &word, options)
            if found == process { status = word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + (word & 0x7F) }
            if found >= 0 || errno != EINTR { return }
        }
    }

    private static func pipe() -> (CInt, CInt) {
        var pair: [CInt] = [0, 0]
        precondition(Glibc.pipe(&pair) == 0, "there are descriptors left")
        for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (pair[0], pair[1])
    }
}
