import KinCrypto
import KinModel

/// The names of one member's notices: a number, and a check that only this daemon can make for that member. Twelve
/// letters and digits, as ntfy has them; they tell how many notices the member was given, and nothing of others.
struct NoticeNames {
    let salt: [UInt8]
    /// The number of the newest notice.
    let last: Int64

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let digits = 6

    /// The name for a number.
    func text(_ number: Int64) -> String {
        String(decoding: Self.digits(UInt64(clamping: number)) + check(number), as: UTF8.self)
    }

    /// The number that a name has; `nil` if it was not given to this member, or not yet.
    func number(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 2 * Self.digits else { return nil }
        var number: Int64 = 0
        for byte in bytes[..<Self.digits] {
            guard let digit = Self.alphabet.firstIndex(of: byte) else { return nil }
            number = number * 62 + Int64(digit)
        }
        guard number <= last, Array(bytes[Self.digits...]) == check(number) else { return nil }
        return number
    }

    /// The key for the secrets of a device's buttons. The buttons of a removed device are no longer valid.
    func buttonKey(of device: Identifier) -> [UInt8] {
        Digest.hmacSHA256(key: salt, Array("buttons".utf8) + device.bytes)
    }

    private func check(_ number: Int64) -> [UInt8] {
        let digest = Digest.sha256(salt + Array("\(number)".utf8))
        return Self.digits(digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The lowest digits of a number.
    private static func digits(_ number: UInt64) -> [UInt8] {
        var rest = number
        var text: [UInt8] = []
        for _ in 0..<digits {
            text.append(alphabet[Int(rest % 62)])
            rest /= 62
        }
        return text.reversed()
    }
}
