import KinCrypto
import KinModel
package import KinStore

/// Secrets. Only their SHA-256 is kept. They hold at least 80 random bits, so a plain digest is enough, and checking
/// one is cheap.
package enum Secret {
    /// The digest of a secret. It is stored and searched for in place of the secret.
    package static func digest(_ text: String) -> Value { .blob(Digest.sha256(Array(text.utf8))) }

    /// A code that a person can read out and type: groups of four characters with hyphens between. The 32 characters
    /// are hard to mistake for each other, and make 20 random bits a group.
    package static func readable(groups: Int, _ act: Act) -> String {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        var text: [UInt8] = []
        for (index, byte) in act.randomBytes(groups * 4).enumerated() {
            if index > 0, index % 4 == 0 { text.append(UInt8(ascii: "-")) }
            text.append(alphabet[Int(byte & 31)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A readable code as a person may have typed it: in capitals, with other hyphens or none, with spaces.
    package static func typed(_ code: String) -> String {
        var text: [UInt8] = []
        var count = 0
        for byte in code.utf8 {
            let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            guard lower != UInt8(ascii: "-"), lower != UInt8(ascii: " ") else { continue }
            if count > 0, count % 4 == 0 { text.append(UInt8(ascii: "-")) }
            text.append(lower)
            count += 1
        }
        return String(decoding: text, as: UTF8.self)
    }
}
