import KinCrypto
import KinKeeper
import KinModel
import KinWords

/// The content of a push, in the form of Declarative Web Push. A browser that knows this form shows the push by itself.
/// Any other browser hands it to the page's worker, which shows the same.
struct PushText {
    let bytes: [UInt8]
    /// Seconds for which a push service keeps the push (RFC 8030 §5.2).
    let lifeSeconds: Int64
    /// The urgency of the push (RFC 8030 §5.3).
    let urgency: String
    /// A later push with the same topic replaces it (RFC 8030 §5.4). The topic reveals nothing.
    let topic: String

    /// - Parameters:
    ///   - page: The address of the family's page, as the browser knows it.
    ///   - key: The key of the secrets of the browser's buttons.
    ///   - reader: The reader for whom the words are written.
    ///   - discreet: The text that replaces everything on a discreet device.
    ///   - closed: Entries that are no longer to be shown.
    init(
        _ notice: Notice, page: String, salt: [UInt8], key: [UInt8], discreet: String?, reader: Reader,
        closed: [Identifier]
    ) {
        let priority = notice.priority ?? 3
        lifeSeconds = priority >= 5 ? 3600 : 86_400
        urgency = priority >= 4 ? "high" : priority == 3 ? "normal" : "low"
        topic = Base64.urlEncode(
            Array(Digest.sha256(salt + Array("topic".utf8) + notice.entry.bytes).prefix(24)))
        // Declared pushes carry 4 kB in all.
        var (titleMax, textMax) = (Limits.pushTitleCharactersMax, Limits.pushTextCharactersMax)
        while true {
            let json = Self.json(
                notice, page: page, key: key, discreet: discreet, reader: reader, closed: closed,
                titleMax: titleMax, textMax: textMax)
            let bytes = json.bytes
            if bytes.count <= PushEncoding.plainBytesMax || textMax < 16 {
                self.bytes = bytes
                return
            }
            titleMax = titleMax / 2
            textMax = textMax / 2
        }
    }

    private static func json(
        _ notice: Notice, page: String, key: [UInt8], discreet: String?, reader: Reader, closed: [Identifier],
        titleMax: Int, textMax: Int
    ) -> JSON {
        let click = discreet == nil ? notice.click ?? "/" : "/"
        let place = click.hasPrefix("/") ? page + click : click
        var buttons: [JSON] = []
        var answers: JSON.Object = [:]
        if discreet == nil {
            for answer in notice.answers ?? [] {
                guard let offer = answer.offer else { continue }
                answers[answer.name] = .string("/answer/" + ButtonSecret.make(offer, answer.name, key: key))
                buttons.append([
                    "action": .string(answer.name), "title": .string(answer.label), "navigate": .string(place),
                ])
            }
        }
        let title = discreet ?? notice.title ?? "Kinwire"
        let text = discreet == nil ? notice.text ?? "" : ""
        var data: JSON.Object = ["id": .string(notice.id), "page": .string(place)]
        if !closed.isEmpty { data["closed"] = .array(closed.map { .id($0) }) }
        if !buttons.isEmpty {
            data["answers"] = .object(answers)
            data["away"] = .string(reader.noticeAway)
        }
        var shown: JSON.Object = [
            "title": .string(cut(title, titleMax)), "body": .string(cut(text, textMax)),
            "lang": .string(reader.language.rawValue),
            "dir": "auto", "tag": .id(notice.entry), "navigate": .string(place),
            "silent": .bool(notice.priority ?? 3 <= 2),
            "data": .object(data),
        ]
        if notice.priority ?? 3 >= 5 { shown["requireInteraction"] = .bool(true) }
        if !buttons.isEmpty { shown["actions"] = .array(buttons) }
        return ["web_push": 8030, "notification": .object(shown), "mutable": .bool(true)]
    }

    private static func cut(_ text: String, _ max: Int) -> String {
        guard text.unicodeScalars.count > max else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(max - 1))) + "…"
    }
}
