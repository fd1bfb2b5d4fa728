import KinCodec
import KinCrypto
import KinModel
import KinQR
import Testing

@testable import kin

@Suite struct QRCodeTests {
    @Test func `the smallest code is a square of 21 modules with its three finders`() throws {
        let code = try #require(QRCode("kin"))
        #expect(code.side == 21)
        // ISO/IEC 18004 §6.3.3: rings of dark, light and dark around 3 × 3 dark modules.
        for (row, column) in [(0, 0), (0, 14), (14, 0)] {
            for y in 0..<7 {
                for x in 0..<7 {
                    let ring = min(x, y, 6 - x, 6 - y)
                    #expect(code[row + y, column + x] == (ring != 1))
                }
            }
        }
        // §6.3.5: the timing patterns between them alternate.
        for index in 8..<13 {
            #expect(code[6, index] == (index % 2 == 0))
            #expect(code[index, 6] == (index % 2 == 0))
        }
        // §6.9: the dark module.
        #expect(code[13, 8])
    }

    @Test func `more text makes a larger code, too much none`() throws {
        #expect(try #require(QRCode(String(repeating: "a", count: 200))).side == 17 + 4 * 10)
        #expect(QRCode(String(repeating: "a", count: 3000)) == nil)
        #expect(QRCode("") == nil)
    }

    @Test func `drawn, two rows share a line and light surrounds it`() throws {
        let code = try #require(QRCode("kin"))
        let plain = code.lines(isColoured: false)
        #expect(plain.count == 15)
        #expect(plain.allSatisfy { $0.count == 29 })
        #expect(plain[0] == String(repeating: "█", count: 29))
        #expect(plain[2].hasPrefix("████ ▄▄▄▄▄ "))
        #expect(plain[14] == String(repeating: "▀", count: 29))
        let coloured = code.lines(isColoured: true)
        #expect(coloured[0] == "\u{1B}[30;107m" + String(repeating: " ", count: 29) + "\u{1B}[0m")
        #expect(coloured[2].contains("    █▀▀▀▀▀█ "))
    }

    @Test func `the phone's link carries what OwnTracks needs, and no plus that a query would lose`() throws {
        for device in ["phone", "~~~~~", "???>>>"] {
            let link = Phones.setUpLink(url: "https://h:1/owntracks", username: "ada", password: "p~?>", device: device)
            #expect(link.hasPrefix("owntracks:///config?inline="))
            #expect(!link.contains("+"))
            let inline = link.dropFirst(27).replacing("%2B", with: "+")
            let json = try JSON.parse(try #require(Base64.decode(String(inline))))
            #expect(json["mode"] == 3)
            #expect(json["url"] == "https://h:1/owntracks")
            #expect(json["deviceId"]?.string == device)
            #expect(json["tid"] == "ad")
        }
    }
}
