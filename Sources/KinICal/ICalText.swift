internal import CICal
import KinModel

/// Texts and folding of iCalendar (RFC 5545, 3.1 and 3.3.11).
public enum ICalText {
    /// A text as a value: `\`, `;`, `,` and ends of lines are escaped.
    public static func escaped(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",") && byte != 0x0A
                && byte != 0x0D
        }
        if isPlain { return text }
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case ";": escaped += "\\;"
            case ",": escaped += "\\,"
            case "\n": escaped += "\\n"
            case "\r": break
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// A value as a text.
    public static func unescaped(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
        var text = ""
        var isEscaped = false
        for character in value.unicodeScalars {
            if isEscaped {
                text.unicodeScalars.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.unicodeScalars.append(character)
            }
        }
        return text
    }

    /// The parts of a value that is a list: commas part them unless they are escaped.
    public static func parts(_ value: String) -> [String] {
        var parts = [""]
        var isEscaped = false
        for character in value.unicodeScalars {
            if character == ",", !isEscaped {
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return parts
    }

    /// A line folded to at most 75 bytes, never within a character, with its end.
    public static func folded(_ line: String, into text: inout String) {
        if line.utf8.count <= 75 {
            text += line
            text += "\r\n"
            return
        }
        var room = 75
        for character in line.unicodeScalars {
            let bytes = UTF8.width(character)
            if bytes > room {
                text += "\r\n "
                room = 74
            }
            text.unicodeScalars.append(character)
            room -= bytes
        }
        text += "\r\n"
    }

    /// A duration (RFC 5545, 3.3.6) in seconds, by libical; `nil` for what is none, or is longer than ten years.
    public static func seconds(ofDuration text: String) -> Int? {
        guard text.utf8.count <= 32, !text.utf8.contains(0) else { return nil }
        let seconds: Int64? = Library.use {
            let duration = unsafe icaldurationtype_from_string(text)
            guard icaldurationtype_is_bad_duration(duration) == 0 else { return nil }
            let days = Int64(duration.weeks) * 7 + Int64(duration.days)
            return days * 86_400 + Int64(duration.hours) * 3600 + Int64(duration.minutes) * 60
                + Int64(duration.seconds)
        }
        guard let seconds, seconds <= 315_360_000 else { return nil }
        return Int(text.hasPrefix("-") ? -seconds : seconds)
    }

    /// A number of seconds as a duration.
    public static func duration(seconds: Int) -> String {
        let all = abs(seconds)
        let sign = seconds < 0 ? "-" : ""
        if all % 604_800 == 0, all > 0 { return "\(sign)P\(all / 604_800)W" }
        var text = "\(sign)P"
        if all >= 86_400 { text += "\(all / 86_400)D" }
        let (hours, minutes, rest) = (all % 86_400 / 3600, all % 3600 / 60, all % 60)
        if hours > 0 || minutes > 0 || rest > 0 || all < 86_400 { text += "T" }
        if hours > 0 { text += "\(hours)H" }
        if minutes > 0 { text += "\(minutes)M" }
        if rest > 0 || all == 0 { text += "\(rest)S" }
        return text
    }
}
