import CJansson
import Glibc
public import KinModel

extension JSON {
    /// The treatment of a name that occurs twice in one object.
    public enum DuplicatePolicy: Sendable, Hashable {
        /// An error, as everywhere in Kinwire's own protocol.
        case refused
        /// The last value counts, in the first one's place: for phone apps.
        case lastWins
    }

    /// The default bound on nested arrays and objects.
    public static var depthMaxDefault: Int { 32 }
    /// The length from which on parsing makes pauses.
    public static var pausesBeyondBytes: Int { 16 << 10 }

    /// Reads one JSON value (RFC 8259), any kind of value, and nothing after it but white space.
    ///
    /// UTF-8 is checked; NUL in a string or name is refused; an integer past Int64 is an error, not a rounded number.
    /// Members keep their order. `depthMax` is at most 1,024, whatever is asked for. While a text of more than
    /// ``pausesBeyondBytes`` is read, it yields the core to other threads every hundred microseconds. The scheduler by
    /// itself would let them wait for milliseconds, even for a thread of low priority. `pausing: false` is for the
    /// thread on which others wait.
    public static func parse(
        _ bytes: Span<UInt8>, depthMax: Int = depthMaxDefault, duplicates: DuplicatePolicy = .refused,
        pausing: Bool = true
    ) throws(JSONFailure) -> JSON {
        // Jansson recurses up to 2,048 deep, and so do we when copying: judged beforehand.
        if let place = placeDeeper(than: min(depthMax, 1024), in: bytes) { throw JSONFailure(.tooDeep, at: place) }
        let pauses = pausing && bytes.count > pausesBeyondBytes
        var flags = JSON_DECODE_ANY
        if duplicates == .refused { flags |= JSON_REJECT_DUPLICATES }
        var error = json_error_t()
        // The pointer does not leave the closure: Jansson copies what it keeps.
        let root = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) {
                unsafe kin_json_read($0.baseAddress, $0.count, pauses ? 1 : 0, Int(flags), &error)
            }
        }
        guard let root = unsafe root else { throw failure(error, in: bytes) }
        // Owned here: freed with everything under it when the copy is made.
        defer { unsafe json_decref(root) }
        return unsafe copy(root, pausing: pauses)
    }

    /// The same over an array.
    public static func parse(
        _ bytes: [UInt8], depthMax: Int = depthMaxDefault, duplicates: DuplicatePolicy = .refused, pausing: Bool = true
    ) throws(JSONFailure) -> JSON {
        try parse(bytes.span, depthMax: depthMax, duplicates: duplicates, pausing: pausing)
    }

    /// The same over a string.
    public static func parse(
        _ text: String, depthMax: Int = depthMaxDefault, duplicates: DuplicatePolicy = .refused
    ) throws(JSONFailure) -> JSON {
        try parse(Array(text.utf8), depthMax: depthMax, duplicates: duplicates)
    }

    /// Where brackets outside strings first stand deeper than allowed.
    private static func placeDeeper(than depthMax: Int, in bytes: Span<UInt8>) -> Int? {
        // The pointer stays within the closure, and every index within its bounds. A span would check each byte again,
        // which takes a millisecond for a week of a phone's points.
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var depth = 0
            var isInString = false
            var index = 0
            let count = bytes.count
            while index < count {
                let byte = unsafe bytes[index]
                index += 1
                // Letters and digits are most of it.
                if byte & 0x40 == 0 ? byte != UInt8(ascii: "\"") : byte & 0x18 != 0x18 { continue }
                if isInString {
                    if byte == UInt8(ascii: "\"") { isInString = false }
                    if byte == UInt8(ascii: "\\") { index += 1 }
                } else if byte == UInt8(ascii: "\"") {
                    isInString = true
                } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
                    depth += 1
                    if depth > depthMax { return index - 1 }
                } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                    depth -= 1
                }
            }
            return nil
        }
    }

    /// A value of ours, made from Jansson's, which stays its owner's.
    private static func copy(_ value: UnsafeMutablePointer<json_t>, pausing: Bool) -> JSON {
        switch unsafe value.pointee.type {
        case JSON_OBJECT:
            var object = Object()
            unsafe object.reserveCapacity(Int(json_object_size(value)))
            var iterator = unsafe json_object_iter(value)
            while let member = unsafe iterator {
                if let name = unsafe json_object_iter_key(member), let under = unsafe json_object_iter_value(member) {
                    let name = unsafe text(name, json_object_iter_key_len(member))
                    unsafe object.append(name, copy(under, pausing: pausing))
                }
                unsafe iterator = json_object_iter_next(value, member)
            }
            return .object(object)
        case JSON_ARRAY:
            let count = unsafe json_array_size(value)
            return .array(
                (0..<count).map { index in
                    if pausing, index % 64 == 63 { sched_yield() }
                    return unsafe json_array_get(value, index).map { unsafe copy($0, pausing: pausing) } ?? .null
                })
        case JSON_STRING:
            return unsafe .string(json_string_value(value).map { unsafe text($0, json_string_length(value)) } ?? "")
        case JSON_INTEGER: return unsafe .int(json_integer_value(value))
        case JSON_REAL: return unsafe .double(json_real_value(value))
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        default: return .null
        }
    }

    /// Jansson's text, which it has judged to be UTF-8, copied.
    private static func text(_ bytes: UnsafePointer<CChar>, _ count: Int) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private static func failure(_ error: json_error_t, in bytes: Span<UInt8>) -> JSONFailure {
        var error = error
        let offset = min(max(Int(error.position), 0), bytes.count)
        switch unsafe json_error_code(&error) {
        case json_error_invalid_utf8: return JSONFailure(.utf8, at: offset)
        case json_error_numeric_overflow: return JSONFailure(.number, at: offset)
        case json_error_duplicate_key: return JSONFailure(.duplicate(name(endingAt: offset, in: bytes)), at: offset)
        default: return JSONFailure(.syntax, at: offset)
        }
    }

    /// The name whose string literal ends right before that place. Every quote within a literal has an odd number of
    /// backslashes before it, the one that opens it has none.
    private static func name(endingAt end: Int, in bytes: Span<UInt8>) -> String {
        var start = end - 2
        while start >= 0 {
            if bytes[start] == UInt8(ascii: "\"") {
                var backslashes = 0
                while start > backslashes, bytes[start - 1 - backslashes] == UInt8(ascii: "\\") { backslashes += 1 }
                if backslashes % 2 == 0 { break }
            }
            start -= 1
        }
        guard start >= 0, let name = try? parse(bytes.extracting(start..<end)).string else { return "" }
        return name
    }
}
