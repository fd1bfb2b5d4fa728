import KinCrypto
import Testing

@Suite struct `Digests` {
    @Test func `give the published values`() {
        // FIPS 180-4 examples.
        #expect(
            Hex.encode(Digest.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            Hex.encode(Digest.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Hex.encode(Digest.sha256([UInt8](repeating: 0x61, count: 1_000_000)))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(Hex.encode(Digest.sha1(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }

    @Test func `give the accept value of RFC 6455`() {
        let accept = Digest.sha1(Array("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        #expect(Base64.encode(accept) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func `are keyed as RFC 4231 says`() {
        func code(_ key: [UInt8], _ bytes: [UInt8]) -> String { Hex.encode(Digest.hmacSHA256(key: key, bytes)) }
        #expect(
            code([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            code(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            code([UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50))
                == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
        #expect(
            code(
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        // No key and no message.
        #expect(code([], []) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}

@Suite struct `AES-128 over one block` {
    private func halves(_ hex: String) -> (UInt64, UInt64) {
        let bytes = Hex.decode(hex) ?? []
        func half(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        return (half(bytes.prefix(8)), half(bytes.dropFirst(8)))
    }

    @Test(arguments: [
        // FIPS 197 appendix C.1, then NIST SP 800-38A F.1.1.
        ("000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"),
        ("2b7e151628aed2a6abf7158809cf4f3c", "6bc1bee22e409f96e93d7e117393172a", "3ad77bb40d7a3660a89ecaf32466ef97"),
        ("2b7e151628aed2a6abf7158809cf4f3c", "ae2d8a571e03ac9c9eb76fac45af8e51", "f5d3d58503b9699de785895a96fdbaaf"),
        ("2b7e151628aed2a6abf7158809cf4f3c", "30c81c46a35ce411e5fbc1191a0a52ef", "43b1cd7f598ece23881b00e3ed030688"),
        ("2b7e151628aed2a6abf7158809cf4f3c", "f69f2445df4f9b17ad2b417be66c3710", "7b0c785e27e8ad3f8223207104725dd4"),
    ])
    func `gives the published blocks`(key: String, plain: String, cipher: String) throws {
        let block = AES128Block(key: try #require(Hex.decode(key)))
        let (high, low) = halves(plain)
        #expect(block.encrypt(high, low) == halves(cipher))
        #expect(block.encrypt(high, low) == halves(cipher))
        let (cipherHigh, cipherLow) = halves(cipher)
        #expect(block.decrypt(cipherHigh, cipherLow) == (high, low))
    }

    @Test func `comes back from any block`() {
        let block = AES128Block(key: Randomness.bytes(16))
        for _ in 0..<200 {
            let (high, low) = (Randomness.uint64(), Randomness.uint64())
            let hidden = block.encrypt(high, low)
            #expect(hidden != (high, low))
            #expect(block.decrypt(hidden.0, hidden.1) == (high, low))
        }
    }
}

@Suite struct `Random bytes` {
    @Test func `do not repeat`() {
        #expect(Randomness.bytes(0) == [])
        #expect(Set((0..<100).map { _ in Randomness.uint64() }).count == 100)
        #expect(Set((0..<100).map { _ in Randomness.bytes(16) }).count == 100)
    }

    @Test func `are compared in constant time, and rightly`() {
        #expect(equalInConstantTime([], []) && equalInConstantTime([1, 2], [1, 2]))
        #expect(!equalInConstantTime([1, 2], [1, 3]) && !equalInConstantTime([1], [1, 2]))
    }
}
