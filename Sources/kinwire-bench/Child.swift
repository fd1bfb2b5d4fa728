import Glibc
import KinLoop

/// A process started by this one: its words on standard error are read here, and it is ended with this object.
final class Child {
    let process: pid_t
    private let words: Int32
    private let asks: Int32
    private var text: [UInt8] = []
    private var isEnded = false

    /// Starts a program.
    init(_ path: String, _ arguments: [String]) throws(Trouble) {
        var fromChild: [Int32] = [0, 0]
        var toChild: [Int32] = [0, 0]
        guard pipe(&fromChild) == 0, pipe(&toChild) == 0 else {
            throw Trouble("There are no pipes to be had.")
        }
        for end in fromChild + toChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 2)
        var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var process: pid_t = 0
        let result = posix_spawn(&process, path, &actions, nil, arguments, environ)
        close(fromChild[1])
        close(toChild[0])
        guard result == 0 else {
            throw Trouble("\(path) cannot be started: \(String(cString: strerror(result))). Build it first.")
        }
        self.process = process
        words = fromChild[0]
        asks = toChild[1]
    }

    deinit {
        end()
        close(words)
        close(asks)
    }

    /// The next whole line on its standard error; `nil` when it says no more.
    func line() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let feed = text.firstIndex(of: 0x0A) {
                defer { text.removeFirst(feed + 1) }
                return String(decoding: text[..<feed], as: UTF8.self)
            }
            let count = read(words, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            text += buffer[..<count]
        }
    }

    /// Reads what it has said and drops it, so that it never waits for a reader.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var entry = pollfd(fd: words, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0, read(words, &buffer, buffer.count) > 0 {}
        text = []
    }

    /// Sends it a line.
    func ask(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(asks, bytes, bytes.count)
    }

    /// Ends it politely, and waits until it is gone.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        kill(process, SIGTERM)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    // MARK: What the kernel says of it

    /// A number in `/proc/PID/FILE`, behind `name:`.
    func number(_ name: String, in file: String) -> Int {
        Self.number(name, in: "/proc/\(process)/" + file)
    }

    static func number(_ name: String, in path: String) -> Int {
        guard let bytes = try? KinLoop.Files.read(path) else { return 0 }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix(name + ":") {
            let digits = line.dropFirst(name.count + 1).filter { $0.isNumber }
            return Int(digits) ?? 0
        }
        return 0
    }

    /// The peak of its memory (`VmHWM`) is counted anew from here (proc(5), clear_refs).
    func forgetPeak() {
        let file = open("/proc/\(process)/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }

    /// Its threads' numbers.
    var threads: [String] {
        guard let folder = opendir("/proc/\(process)/task") else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Context switches of all its threads so far.
    var contextSwitches: (voluntary: Int, involuntary: Int) {
        var sum = (voluntary: 0, involuntary: 0)
        for thread in threads {
            sum.voluntary += number("voluntary_ctxt_switches", in: "task/\(thread)/status")
            sum.involuntary += number("nonvoluntary_ctxt_switches", in: "task/\(thread)/status")
        }
        return sum
    }

    /// Microseconds of CPU time of all its threads so far, from the scheduler's own count.
    var cpuMicroseconds: Double {
        var sum = 0.0
        for thread in threads {
            guard let bytes = try? KinLoop.Files.read("/proc/\(process)/task/\(thread)/schedstat") else { continue }
            let first = String(decoding: bytes, as: UTF8.self).split(separator: " ").first
            sum += (first.flatMap { Double($0) } ?? 0) / 1000
        }
        return sum
    }
}
