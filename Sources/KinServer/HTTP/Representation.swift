import KinCodec
import KinKeeper
import KinStore

/// The facts of a file before it is sent. The request's conditions are judged by it (RFC 9110 §13), and the head
/// of the answer is made from it.
struct Representation {
    /// Its length.
    let bytes: Int
    /// Its validator, quotes included: a weak one where the content is not known before all of it is made, but the state is
    /// that it is made of; `nil` where that is not known either.
    let etag: String?
    let type: ServedType
    /// A file name to save it under, without a path.
    var fileName: String?
    /// The rule for caches.
    let cacheControl: String

    /// The answer that a request gets.
    enum Plan: Equatable {
        case whole
        case part(Range<Int>)
        /// 304, 412 or 416.
        case answered(HTTPAnswer)
    }

    /// A validator made from a digest: equal content has an equal one, at any address.
    static func etag(_ digest: [UInt8]) -> String { Condition.tag(digest) }

    /// A weak validator (RFC 9110 §8.8.1): the same state makes content that says the same. Its bytes may differ from one
    /// version of the daemon to the next.
    static func etag(ofState state: String) -> String { weakMark + etag(Blobs.digest(of: Array(state.utf8))) }

    private static let weakMark = "W/"
    private static let compressedEnd = "-gzip\""

    /// The validator of the same content as gzip. Its bytes are others, so a strong validator is another, too (RFC 9110
    /// §8.8.3.3); a weak one stays.
    static func compressed(_ etag: String) -> String {
        etag.hasPrefix(weakMark) ? etag : String(etag.dropLast()) + compressedEnd
    }

    /// The validator of the same content as it is, whichever form a client names.
    private static func plain(_ etag: String) -> String {
        etag.hasSuffix(compressedEnd) ? String(etag.dropLast(compressedEnd.count)) + "\"" : etag
    }

    /// Whether the validator promises equal bytes.
    private var isStrong: Bool { etag.map { !$0.hasPrefix(Self.weakMark) } ?? false }

    /// Judges the conditions in the order of RFC 9110 §13.2.2. Dates are ignored: nothing here has one.
    func plan(_ head: HTTPRequestHead) -> Plan {
        if let answer = Self.judge(head, etag, cacheControl) { return .answered(answer) }
        // Ranges are for GET alone (§14.2). Without a strong validator the parts of different versions could be mixed.
        guard head.method == .get, let range = head.headers["Range"], isStrong else { return .whole }
        // What a client has of a compressed form is continued by no part of this one (§13.1.5).
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

    /// The answer that the conditions require, if they do: 412 or 304. `etag` is that of the form that would be sent. A
    /// client that has the content in the other form, compressed or not, has the same content.
    static func judge(_ head: HTTPRequestHead, _ etag: String?, _ cacheControl: String) -> HTTPAnswer? {
        let match = head.headers.values("If-Match")
        if !match.isEmpty, !has(match, etag, isWeak: false) {
            return .problem(
                412, "What is here now is not what If-Match names.", headers: etag.map { ["ETag": $0] } ?? [:])
        }
        let noneMatch = head.headers.values("If-None-Match")
        guard !noneMatch.isEmpty, has(noneMatch, etag, isWeak: true) else { return nil }
        var answer = HTTPAnswer(304, ["Cache-Control": cacheControl])
        if let etag { answer.headers.append("ETag", etag) }
        return answer
    }

    /// The validators that `If-Match` names, in all its fields (RFC 9110 §13.1.1); `nil`: any. Weak validators are
    /// ignored. That of a compressed form stands for what was compressed: who read that may write.
    static func named(by lists: [String]) -> Set<String>? {
        var tags: Set<String> = []
        for list in lists {
            if trimmed(list[...]) == "*" { return nil }
            tags.formUnion(list.split(separator: ",").map { plain(trimmed($0)) })
        }
        return tags
    }

    private static func trimmed(_ text: Substring) -> String {
        let rest = text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }
        return String(rest.reversed())
    }

    /// Whether a list of validators has this one; `*` matches any. Weak ones match where `isWeak` allows it.
    private static func has(_ lists: [String], _ etag: String?, isWeak: Bool) -> Bool {
        lists.contains { list in
            if list == "*" { return true }
            guard let etag, isWeak || !etag.hasPrefix(weakMark) else { return false }
            let tag = plain(etag.hasPrefix(weakMark) ? String(etag.dropFirst(weakMark.count)) : etag)
            return list.split(separator: ",").contains { element in
                let text = plain(trimmed(element))
                return text == tag || isWeak && text == weakMark + tag
            }
        }
    }

    /// The fields of the answer that carries it, or a part of it.
    func headers(_ part: Range<Int>? = nil) -> HTTPHeaders {
        var headers: HTTPHeaders = ["Content-Type": type.field]
        if !type.isShown { headers.append("Content-Disposition", AttachmentName.field(fileName)) }
        headers.append("Cache-Control", cacheControl)
        if let etag { headers.append("ETag", etag) }
        headers.append("Accept-Ranges", isStrong ? "bytes" : "none")
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
