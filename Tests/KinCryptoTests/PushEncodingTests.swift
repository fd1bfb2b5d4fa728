import Testing

@testable import KinCrypto

/// What goes through push services, by the examples of its RFCs.
@Suite struct PushEncodingTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64.urlDecode(text)) }

    @Test func `RFC 8291 Appendix A comes out byte by byte`() throws {
        let key = try #require(P256Key(scalar: try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
        #expect(
            Base64.urlEncode(key.point)
                == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
        let browser = try #require(P256Key(scalar: try bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")))
        let sealed = PushEncoding.seal(
            Array("When I grow up, I want to be a watermelon".utf8), to: browser.point,
            auth: try bytes("BTBZMqHH6r4Tts7J_aSIgg"), salt: try bytes("DGv6ra1nlYgDCS1FRnbzlw"), key: key,
            isPadded: false)
        #expect(
            sealed.map(Base64.urlEncode)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
                + "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
        #expect(key.agree(with: browser.point) == browser.agree(with: key.point))
    }

    @Test func `RFC 8188 §3.1 comes out byte by byte`() throws {
        let sealed = PushEncoding.seal(
            Array("I am the walrus".utf8), material: try bytes("yqdlZ-tYemfogSmv7Ws5PQ"),
            salt: try bytes("I1BsxtFttlv3u_Oo94xnmw"), keyID: [], isPadded: false)
        #expect(
            sealed.map(Base64.urlEncode)
                == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
    }

    @Test func `what is carried has one of three lengths, and never more than a push service takes`() throws {
        let (key, browser) = (P256Key(Randomness.bytes), P256Key(Randomness.bytes))
        func length(_ count: Int) -> Int? {
            PushEncoding.seal(
                [UInt8](repeating: 0x61, count: count), to: browser.point, auth: Randomness.bytes(16),
                salt: Randomness.bytes(16), key: key)?.count
        }
        #expect(Set([0, 1, 500, 1024].map(length)) == [1024 + 103])
        #expect(length(1025) == 2048 + 103)
        #expect(length(PushEncoding.plainBytesMax) == PushEncoding.bytesMax)
        #expect(length(PushEncoding.plainBytesMax + 1) == nil)
    }

    @Test func `a point that is none, and numbers beyond the curve, are told`() throws {
        let key = P256Key(Randomness.bytes)
        var wrong = key.point
        wrong[40] ^= 1
        #expect(key.agree(with: wrong) == nil && key.agree(with: []) == nil)
        #expect(key.agree(with: [UInt8](repeating: 4, count: 65)) == nil)
        for bad in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32), [1]] {
            #expect(P256Key(scalar: bad) == nil)
        }
    }

    @Test func `a signature has two numbers, and another each time`() {
        let key = P256Key(Randomness.bytes)
        // Short numbers are filled up: of so many, some begin with a zero.
        let signatures = (0..<600).map { key.sign([UInt8($0 % 256)]) }
        #expect(signatures.allSatisfy { $0.count == 64 })
        #expect(Set(signatures).count == 600)
    }
}
