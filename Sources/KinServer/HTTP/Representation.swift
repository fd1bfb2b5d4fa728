import KinCodec
import KinKeeper

/// What is to be known of content before it is sent: the conditions of a request are judged by it (RFC 9110 §13), and
/// its head is made of it.
struct Representation {
    /// How long it is.
    let bytes: Int
    /// Its strong validator, quotes included; `nil` where nobody knows it before all is made.
    let etag: String?
    let type: ServedType
    /// What it is called where it is saved, without a path; letters, digits, dots.
    var fileName: String?
    /// What those in between may keep of it.
    let cacheControl: String

    /// What a request gets of it.
    enum Plan: Equatable {
        case whole
        case part(Range<Int>)
        /// 304, 412 or 416.
        case answered(HTTPAnswer)
    }

    /// A validator made of a digest: equal content has an equal one, wherever it lies.
    static func etag(_ digest: [UInt8]) -> String { "\"" + hex(digest.prefix(16)) + "\"" }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Judges the conditions in the order of RFC 9110 §13.2.2. Dates play no part: nothing here is dated.
    func plan(_ head: HTTPRequestHead) -> Plan {
        let match = head.headers.values("If-Match")
        if !match.isEmpty, !Self.has(match, etag, isWeak: false) {
            return .answered(
                .problem(412, "What is here now is not what If-Match names.", headers: etag.map { ["ETag": $0] } ?? [:])
            )
        }
        let noneMatch = head.headers.values("If-None-Match")
        if !noneMatch.isEmpty, Self.has(noneMatch, etag, isWeak: true) {
            var answer = HTTPAnswer(304, ["Cache-Control": cacheControl])
            if let etag { answer.headers.append("ETag", etag) }
            return .answered(answer)
        }
        // Ranges are for GET alone (§14.2), and parts of what one does not have already would fit nothing.
        guard head.method == .get, let range = head.headers["Range"], etag != nil else { return .whole }
        if let condition = head.headers["If-Range"], condition != etag { return .whole }
        switch ByteRange(range, of: bytes) {
        case .whole: return .whole
        case .part(let part): return .part(part)
        case .beyond:
            return .answered(
                .problem(
                    416, "There are \(bytes) bytes, and none of those asked for.",
                    headers: ["Content-Range": "bytes */\(bytes)"]))
        }
    }

    /// Whether a list of validators has this one; `*` is any that there is. Weak ones match where no byte is counted.
    private static func has(_ lists: [String], _ etag: String?, isWeak: Bool) -> Bool {
        lists.contains { list in
            if list == "*" { return true }
            guard let etag else { return false }
            return list.split(separator: ",").contains { element in
                let element = element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }
                let text = String(element.reversed())
                return text == etag || isWeak && text == "W/" + etag
            }
        }
    }

    /// The fields of the answer that carries it, or a part of it.
    func headers(_ part: Range<Int>? = nil) -> HTTPHeaders {
        var headers: HTTPHeaders = ["Content-Type": type.field]
        if !type.isShown {
            let name = fileName.map { "; filename=\"\($0)\"" } ?? ""
            headers.append("Content-Disposition", "attachment" + name)
        }
        headers.append("Cache-Control", cacheControl)
        if let etag { headers.append("ETag", etag) }
        headers.append("Accept-Ranges", etag == nil ? "none" : "bytes")
        if let part { headers.append("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes)") }
        headers.append("Content-Security-Policy", ServedType.contentSecurityPolicy)
        return headers
    }
}

extension HTTPAnswer: Equatable {
    static func == (one: HTTPAnswer, other: HTTPAnswer) -> Bool {
        one.status == other.status && one.headers == other.headers && one.body == other.body
    }
}
