import Glibc
import KinModel
import KinWords

/// A new file. It never replaces an existing file, and it is removed if it is not finished.
final class NewFile {
    private let path: String
    private let descriptor: CInt
    private var isWhole = false

    init(_ path: String) throws(Problem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // At this point there is no file of our own yet, so a file at the path stays.
        guard descriptor >= 0 else { throw Self.failed(path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if !isWhole { unlink(path) }
    }

    private static func failed(_ path: String) -> Problem {
        errno == EEXIST
            ? .failed(phrase("file.exists", ["path": path]))
            : .failed(phrase("file.unwritable", ["path": path]) + ": \(Problem.reason(errno)).")
    }

    func keep() { isWhole = true }

    func write(_ text: String) throws(Problem) { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws(Problem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failed(path) }
            rest = rest.dropFirst(count)
        }
    }
}

extension NewFile {
    /// Asks for a method's file piece by piece, and writes it into a new file or prints it. Answers the number of
    /// things in it, which `member` of each piece counts.
    static func takeOut(
        _ method: String, _ params: JSON, to path: String?, counting member: String, _ call: Invocation
    ) throws(Problem) -> Int64 {
        var params = params
        // A refused export leaves no file behind.
        var piece = try call.call(method, params)
        let file = try path.map { (path) throws(Problem) in try NewFile(path) }
        var count: Int64 = 0
        while true {
            let text = piece["text"]?.string ?? ""
            count += piece[member]?.int ?? 0
            if let file {
                try file.write(text)
            } else if !text.isEmpty {
                call.output.say(Array(text.utf8.dropLast()))
            }
            guard let next = piece["next"] else { break }
            params["after"] = next
            piece = try call.call(method, params)
        }
        file?.keep()
        return count
    }
}
