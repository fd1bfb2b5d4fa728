import Testing

@testable import KinCrypto

@Suite struct `Password hashes` {
    @Test(arguments: [
        // RFC 7914 §12.
        (
            "", "", 4 as UInt64, 1 as UInt64, 1 as UInt64,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d"
                + "3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83"
                + "ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d65"
                + "1e40dfcf017b45575887"
        ),
    ])
    func `follow RFC 7914's vectors`(
        password: String, salt: String, costLog2: UInt64, blockSize: UInt64, parallelism: UInt64, hash: String
    ) {
        let made = PasswordHash.scrypt(
            Array(password.utf8), salt: Array(salt.utf8), costLog2: costLog2, blockSize: blockSize,
            parallelism: parallelism, count: 64)
        #expect(made.map(Hex.encode) == hash)
    }

    @Test func `match their password only`() {
        let salt = [UInt8](0..<16)
        let encoded = PasswordHash.make("grüne Wiese", salt: salt)
        #expect(encoded.hasPrefix("$scrypt$ln=15,r=8,p=3$AAECAwQFBgcICQoLDA0ODw$"))
        #expect(PasswordHash.matches("grüne Wiese", encoded))
        #expect(!PasswordHash.matches("grüne Wiesen", encoded))
        #expect(!PasswordHash.matches("", encoded))
        #expect(PasswordHash.make("grüne Wiese", salt: [1]) != encoded)
    }

    @Test func `are the same however a keyboard composes its letters`() {
        // ü as one scalar and as u with a diaeresis: a phone and a desktop differ.
        let encoded = PasswordHash.make("gr\u{FC}ne Wiese", salt: [1])
        #expect(PasswordHash.matches("gru\u{308}ne Wiese", encoded))
    }

    @Test func `take as long for an account that does not exist`() {
        // The decoy is well formed, with the same cost, so that checking it does the same work.
        let parts = PasswordHash.decoy.split(separator: "$")
        #expect(parts.count == 4 && parts[1] == "ln=15,r=8,p=3")
        #expect(Base64.decode(String(parts[2]), padding: false)?.count == 16)
        #expect(Base64.decode(String(parts[3]), padding: false)?.count == 32)
        #expect(!PasswordHash.matches("", PasswordHash.decoy))
    }

    @Test(arguments: [
        "", "$", "$scrypt$ln=15,r=8,p=3$", "scrypt$ln=4,r=1,p=1$AA$AA", "$scrypt$ln=4,r=1,p=1$AA$",
        "$scrypt$ln=63,r=8,p=3$AAAA$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$ln=20,r=32,p=16$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=-1,r=8,p=3$AAAA$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$r=8,p=3$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=1,p=1,x=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$ln=4,r=1,p=1$A$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=99999999999999999999,r=1,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA", "$argon2id$v=19$m=1$a$b",
    ])
    func `of strange forms match nothing`(encoded: String) {
        #expect(!PasswordHash.matches("", encoded))
    }
}

@Suite struct `Password quality` {
    private let family = ["Ada Lovelace", "ada", "Byron household", "kinbox"]

    @Test(arguments: [
        "password1", "adalovelace", "Ada1815!", "lovelace!", "qwertyuiop", "aaaaaaaaaaaaaa", "abcdefghij", "12.03.1984",
        "p@ssw0rd!", "ilovekinbox", "10.12.1815", "byronbyron",
    ])
    func `finds weak`(password: String) throws {
        let judgement = PasswordQuality.judge(password, knownWords: family)
        #expect(!judgement.isGoodEnough && judgement.score < 3)
        #expect(try #require(judgement.advice).hasSuffix("."))
    }

    @Test(arguments: ["correct horse battery", "hund katze maus", "J5x!kq0z", "三月の雨が降る夜でした", "vertical-oven-9-trumpet"])
    func `finds good`(password: String) {
        let judgement = PasswordQuality.judge(password, knownWords: family)
        #expect(judgement.isGoodEnough && judgement.score >= 3, "\(judgement)")
    }

    @Test func `says what to do`() {
        func advice(_ password: String) -> String { PasswordQuality.judge(password, knownWords: family).advice ?? "" }
        #expect(advice("") == "Choose a password.")
        #expect(advice("J5x!kq0").contains("at least 8"))
        #expect(advice("adalovelace").contains("names of the family"))
        #expect(advice("12.03.1984").contains("dates"))
        #expect(advice("abcdefghij").contains("sequences"))
        #expect(advice("vertical oven\ttrumpet").contains("tabs"))
        #expect(advice("vertical oven\0trumpet").contains("control"))
        #expect(advice(String(repeating: "vertical oven ", count: 100)).contains("1024"))
    }

    @Test func `knows the family's words, and only for the family`() {
        #expect(PasswordQuality.judge("lovelace-byron", knownWords: family).score < 3)
        #expect(PasswordQuality.judge("lovelace-byron", knownWords: []).score >= 3)
        // Words that are none, or hostile, do no harm.
        let odd = ["", "a", "x\0y", String(repeating: "z", count: 5000)] + (0..<5000).map { "word\($0)" }
        #expect(PasswordQuality.judge("correct horse battery", knownWords: odd).isGoodEnough)
    }

    @Test func `is found for the longest password too`() {
        let long = String(repeating: "vertical oven 9 ", count: 64)
        #expect(long.utf8.count == PasswordQuality.bytesMax)
        #expect(PasswordQuality.judge(long).isGoodEnough)
        #expect(!PasswordQuality.judge(String(repeating: "a", count: 1000)).isGoodEnough)
    }

    @Test func `scores by guesses`() {
        #expect(
            [0, 9, 10, 19, 20, 26, 27, 33, 34, 90].map { PasswordQuality.score(bits: $0) } == [
                0, 0, 1, 1, 2, 2, 3, 3, 4, 4,
            ])
    }
}

@Suite struct `Passphrases of a family` {
    private static let words = ["Lovelace", "Ockham Park", "ada", "Ada Lovelace", "kinwire", "Byron"]

    @Test(arguments: [
        "ada lovelace ockham park byron", "AdaLovelaceByronOckhamKinwire", "byron-ada-lovelace-park-2024",
        "Ockham.Park.Byron.Ada.Lovelace.1815!", "kinwirekinwirebyronbyronadaada",
    ])
    func `made of its names alone are refused`(password: String) {
        let judged = PasswordQuality.judge(password, knownWords: Self.words)
        #expect(!judged.isGoodEnough)
        #expect(judged.advice?.contains("names of the family") ?? false, "\(judged.advice ?? "")")
    }

    @Test(arguments: [
        "heron-lantern-quilt-42", "correct horse battery staple", "ada likes heron lantern quilt",
        "planning an oak parkour shed",
    ])
    func `with enough besides are good`(password: String) {
        #expect(PasswordQuality.judge(password, knownWords: Self.words).isGoodEnough)
    }
}
