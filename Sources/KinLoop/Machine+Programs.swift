import Glibc

/// The person that a command runs for: under `sudo`, the user who called it.
public struct Person: Sendable, Equatable {
    /// The user's number.
    public let userID: UInt32
    /// The user's own group.
    public let groupID: UInt32
    /// The user's folder.
    public let home: String
}

extension Machine {
    /// Where this program's file lies; `nil` where `/proc` does not say.
    public static let program: String? = unwrapped(link("/proc/self/exe"), begunAs: arguments.first)

    /// The program's file, also where the system's loader was started by name with the program as its argument. The
    /// kernel then names the loader as the program, and the first argument is what was typed.
    static func unwrapped(_ file: String?, begunAs typed: String?) -> String? {
        guard let file, let typed, typed.contains("/"), file.split(separator: "/").last?.hasPrefix("ld-linux") == true
        else { return file }
        return real(typed) ?? typed
    }

    /// How a person types the program with this name beside this one: its name where `PATH` leads to that very file,
    /// else its whole path.
    public static func typed(_ name: String) -> String {
        guard let own = program, let slash = own.lastIndex(of: "/") else { return name }
        let beside = String(own[...slash]) + name
        guard unsafe access(beside, X_OK) == 0 else { return name }
        let folders = (environment("PATH") ?? "").split(separator: ":")
        let found = folders.map { "\($0)/\(name)" }.first { (path: String) -> Bool in unsafe access(path, X_OK) == 0 }
        if let found, real(found) == real(beside) { return name }
        return quoted(beside)
    }

    /// A word for a shell: in quotes where it needs them (POSIX, Shell Command Language, 2.2).
    public static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_-./:@%+=,".utf8.contains(byte)
        }
        guard word.isEmpty || !isPlain else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Who called `sudo`; `nil` where this is not run by it, or by root for root.
    public static var caller: Person? {
        guard effectiveUserID == 0, let number = environment("SUDO_UID").flatMap({ UInt32($0) }), number != 0,
            let entry = unsafe getpwuid(number)
        else { return nil }
        return unsafe Person(
            userID: number, groupID: entry.pointee.pw_gid, home: String(cString: entry.pointee.pw_dir))
    }

    /// Runs a body with another user's rights, so that the files it makes are theirs and none of their links lead root
    /// elsewhere. Only for programs of one thread; `nil` where it is not permitted.
    public static func with<Result>(rightsOf person: Person, _ body: () -> Result) -> Result? {
        var former = [gid_t](repeating: 0, count: 256)
        let count = unsafe getgroups(Int32(former.count), &former)
        let own = getegid()
        guard count >= 0, setgroups(0, nil) == 0, setegid(person.groupID) == 0 else { return nil }
        defer {
            // If its own rights cannot be restored, the program must not go on as another user.
            let isAgain = unsafe setgroups(Int(count), former) == 0
            precondition(isAgain && setegid(own) == 0, "root is root again")
        }
        guard seteuid(person.userID) == 0 else { return nil }
        defer { precondition(seteuid(0) == 0, "root is root again") }
        return body()
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    private static func real(_ path: String) -> String? {
        guard let found = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }
}
