import KinCrypto
import Testing

@Suite struct `Bytes as text` {
    @Test func `follow RFC 4648's vectors`() {
        for (plain, text) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let bytes = Array(plain.utf8)
            #expect(Base64.encode(bytes) == text)
            #expect(Base64.decode(text) == bytes)
            let bare = text.replacing("=", with: "")
            #expect(Base64.urlEncode(bytes) == bare && Base64.urlDecode(bare) == bytes)
            #expect(Base64.encode(bytes, padding: false) == bare && Base64.decode(bare, padding: false) == bytes)
        }
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=" && Base64.urlEncode([0xFB, 0xFF]) == "-_8")
    }

    @Test(arguments: ["Zg", "Zg=", "Z===", "====", "=", "Zh==", "Zm9=", "Zm 8=", "Zm8=\n", "Zm-_", "Zg==Zg==", "Zgé="])
    func `are refused when another text means the same`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["Zg==", "Z", "Zh", "Zm9v+/", "Zm9v\n", "Zm 9"])
    func `are refused in links too`(text: String) {
        #expect(Base64.urlDecode(text) == nil)
    }

    @Test func `come back from both alphabets`() {
        for count in 0..<70 {
            let bytes = Randomness.bytes(count)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.urlDecode(Base64.urlEncode(bytes)) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }

    @Test func `are hexadecimal digits in either case`() {
        #expect(Hex.encode([0, 0x0F, 0xA5, 0xFF]) == "000fa5ff")
        #expect(Hex.decode("000FA5ff") == [0, 0x0F, 0xA5, 0xFF])
        for text in ["0", "0g", "+1", " 1", "é"] { #expect(Hex.decode(text) == nil) }
    }
}

@Suite struct `A secretbox` {
    private let key = Array("a family's passphrase".utf8)

    @Test func `opens with its key only`() {
        let box = SecretBox.seal(Array("{\"_type\":\"location\"}".utf8), key: key)
        #expect(box.count == 24 + 16 + 20)
        #expect(SecretBox.open(box, key: key) == Array("{\"_type\":\"location\"}".utf8))
        #expect(SecretBox.open(box, key: Array("another".utf8)) == nil)
        #expect(SecretBox.seal([1], key: key) != SecretBox.seal([1], key: key))
        // Zeros at the end of a key are the same key, and past 32 bytes nothing counts.
        #expect(SecretBox.open(box, key: key + [0, 0]) != nil)
        let long = [UInt8](repeating: 7, count: 32)
        #expect(SecretBox.open(SecretBox.seal([], key: long + [1]), key: long) == [])
    }

    @Test func `stays shut when any byte was changed or is missing`() {
        let box = SecretBox.seal([1, 2, 3], key: key)
        for index in box.indices {
            var changed = box
            changed[index] ^= 1
            #expect(SecretBox.open(changed, key: key) == nil)
            #expect(SecretBox.open(Array(box.prefix(index)), key: key) == nil)
        }
    }

    @Test func `is the one of NaCl`() throws {
        // From NaCl's tests/secretbox.c: this key, nonce and message give a box with this code and first bytes.
        let key = try #require(Hex.decode("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389"))
        let nonce = try #require(Hex.decode("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37"))
        let message = try #require(
            Hex.decode(
                "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01"
                    + "233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f5"
                    + "9ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705"))
        let box = SecretBox.seal(message, key: key, nonce: nonce)
        #expect(Hex.encode(Array(box[24..<56])) == "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce")
        #expect(SecretBox.open(box, key: key) == message)
    }
}
