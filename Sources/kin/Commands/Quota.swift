import KinModel
import KinWords

extension Command {
    static let quota = Command(
        name: "quota", usage: ["quota [--member SIZE] [--family SIZE]"],
        options: [.value("member", "SIZE"), .value("family", "SIZE")], words: 0...0,
        run: { (call) throws(Problem) in
            var params = JSON.Object()
            for name in ["member", "family"] {
                guard let text = call.value(name) else { continue }
                guard let bytes = FileSize.bytes(text) else {
                    throw .usage(phrase("quota.no-size", ["text": Plain.line(text)]))
                }
                params[name] = .int(bytes)
            }
            let result = try params.members.isEmpty ? call.call("quota.show") : call.call("quota.set", .object(params))
            if call.wantsJSON { return call.output.say(result) }
            func size(_ name: String) -> String { FileSize.text(result[name]?.int ?? 0) }
            call.output.say(
                phrase(
                    "quota.shown", ["used": size("used"), "member": size("member"), "family": size("family")]))
        })
}

/// Sizes of files, as they are typed and shown.
enum FileSize {
    /// `500M`, `20G`, `1T`, or a number of bytes; units of 1,024. `nil` for anything else.
    static func bytes(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard (1...15).contains(digits.utf8.count), let number = Int64(digits) else { return nil }
        let shift: Int64
        switch text.dropFirst(digits.count).uppercased() {
        case "": shift = 0
        case "M", "MB", "MIB": shift = 20
        case "G", "GB", "GIB": shift = 30
        case "T", "TB", "TIB": shift = 40
        default: return nil
        }
        guard number <= Int64.max >> (shift + 1) else { return nil }
        return number << shift
    }

    /// The size in the largest unit of which it has at least one, rounded up.
    static func text(_ bytes: Int64) -> String {
        for (unit, shift) in [("TB", Int64(40)), ("GB", 30)] where bytes >= 1 << shift && bytes & (1 << shift - 1) == 0
        {
            return "\(bytes >> shift) \(unit)"
        }
        return "\((bytes + (1 << 20) - 1) >> 20) MB"
    }
}
