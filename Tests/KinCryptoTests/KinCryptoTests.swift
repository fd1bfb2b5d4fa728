import Testing

@testable import KinCrypto

@Test func `the basics work`() {
    #expect(Hex.encode(Digest.sha256(Array("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let e = PasswordHash.make("correct horse", salt: [1,2,3])
    print(e)
    #expect(PasswordHash.matches("correct horse", e))
    #expect(!PasswordHash.matches("correct horsf", e))
    #expect(!PasswordHash.matches("correct horse", PasswordHash.decoy))
    let box = SecretBox.seal([1,2,3], key: Array("hi".utf8))
    #expect(SecretBox.open(box, key: Array("hi".utf8)) == [1,2,3])
    for p in ["", "short", "password1", "adalovelace", "Ada1815!", "correct horse battery", "qwertyuiop", "aaaaaaaaaaaaaa", "abcdefghij", "hund katze maus", "Tr0ub4dor&3", "J5x!kq0z", "12.03.1984", "sunday roast", "p@ssw0rd!", "kinwire kinwire", String(repeating: "x1Y", count: 60), "dfa\tdfasdf"] {
        print(p, PasswordQuality.judge(p, knownWords: ["Ada Lovelace", "ada"]))
    }
    let block = AES128Block(key: Array(repeating: 7, count: 16))
    let c = ContinuousClock()
    var x: (UInt64, UInt64) = (1, 2)
    print(c.measure { for _ in 0..<100000 { x = block.encrypt(x.0, x.1) } } / 100000)
    print(c.measure { for _ in 0..<1000 { _ = Digest.sha256(Array("abc".utf8)) } } / 1000)
    print(c.measure { for _ in 0..<1000 { _ = Digest.hmacSHA256(key: [1], Array("abc".utf8)) } } / 1000)
    print(c.measure { _ = PasswordQuality.judge(String(repeating: "passworx1Y", count: 10))  })
    print(c.measure { _ = PasswordQuality.judge("correct horse battery") })
    print(c.measure { _ = PasswordHash.matches("", PasswordHash.decoy) })
}
