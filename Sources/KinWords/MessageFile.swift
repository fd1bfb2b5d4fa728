internal import CWords

/// The bytes of a file of messages. It is data of the program, which is never freed.
// Nothing writes to the bytes, and they stay where they are.
@safe package struct MessageFile: RandomAccessCollection, @unchecked Sendable {
    private let start: UnsafePointer<UInt8>?
    package let count: Int

    /// Bytes that nobody frees or changes.
    package init(start: UnsafePointer<UInt8>?, count: Int) {
        unsafe self.start = start
        self.count = count
    }

    /// The same bytes, kept for ever: for tests, which write files of their own.
    package init(_ bytes: [UInt8]) {
        let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        for index in bytes.indices { unsafe (kept + index).initialize(to: bytes[index]) }
        unsafe self.init(start: UnsafePointer(kept), count: bytes.count)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(place: Int) -> UInt8 {
        guard (0..<count).contains(place), let start = unsafe start else {
            preconditionFailure("a file of messages has no byte \(place)")
        }
        return unsafe start[place]
    }

    /// One of the library's, such as `lists.de`.
    static func named(_ name: String) -> MessageFile {
        guard let file = all[name] else { preconditionFailure("there is no file of messages \(name)") }
        return file
    }

    /// How many areas have files: as many as `Package.swift` lists.
    static var areaCount: Int { kin_words_area_count() }

    private static let all: [String: MessageFile] = {
        var all: [String: MessageFile] = [:]
        let rows = unsafe UnsafeBufferPointer(start: kin_words_files(), count: kin_words_file_count())
        for index in 0..<kin_words_file_count() {
            let row = unsafe rows[index]
            unsafe all[String(cString: row.name)] = MessageFile(start: row.bytes, count: row.count)
        }
        return all
    }()
}
