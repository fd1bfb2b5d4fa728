import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// Names that people give: what turns a line around or cannot be seen is refused.
@Suite struct NameTests {
    private func refusal(_ name: String) -> Rejection? {
        do throws(Rejection) {
            try Shape.name.check(.string(name), field: "displayName")
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
        "\u{200E}", "\u{200F}", "\u{061C}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{2061}", "\u{2064}",
        "\u{FEFF}", "\u{00AD}", "\u{180E}", "\u{3164}", "\u{115F}", "\u{1160}", "\u{FFA0}", "\u{034F}", "\u{FE0F}",
        "\u{FE0E}", "\u{E0041}", "\u{E0100}", "\u{FFF9}", "\u{2800}", "\u{17B4}", "\u{206A}", "\u{1D173}",
    ])
    func `a character that turns the line or is not seen is refused`(scalar: String) {
        for name in ["A" + scalar + "da", scalar + "Ada", "Ada" + scalar] {
            let refusal = refusal(name)
            #expect(refusal?.kind == .invalid && refusal?.field == "displayName")
            #expect(refusal?.message.contains("U+") == true, "a sentence that says which")
        }
    }

    @Test(arguments: [
        "Ada", "Zoë", "Zoe\u{308}", "Łukasz", "Nguyễn Thị Ánh", "Ада", "Άννα", "עדה", "عادة", "阿达", "에이다", "アダ",
        "می\u{200C}خواهم", "علی\u{200C}رضا", "क्\u{200D}ष", "ශ්\u{200D}රී", "ന്\u{200D}", "র\u{200D}্যাব", "ক্\u{200C}ষ",
        "👩\u{200D}👩\u{200D}👧\u{200D}👦", "👩🏽\u{200D}🚀", "❤\u{FE0F}\u{200D}🔥", "Ada ❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "🇩🇪",
        "🏴\u{200D}☠\u{FE0F}", "O’Neill", "Jean-Luc",
        // The forms of ideographs that people's registers know; of other letters that have forms.
        "葛\u{E0100}城", "渡邉\u{E0101}", "神\u{FE00}", "\u{A856}\u{FE00}", "က\u{FE00}", "∩\u{FE00}", "❤\u{FE0E}",
        // Mongolian: forms of a letter, and the vowel that is written apart.
        "ᠠ\u{180B}ᠮ", "ᠭ\u{180D}ᠠ", "ᠨ\u{180E}ᠠ", "ᠭ\u{180B}\u{180E}ᠠ", "ᠠ\u{180F}",
        // Scotland, England, Texas, and Scotland within a name.
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}",
        "Iona 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}!",
    ])
    func `what scripts and emoji need is taken`(name: String) { #expect(refusal(name) == nil) }

    @Test(arguments: [
        "A\u{200C}da", "Ада\u{200D}", "👩\u{200D}", "\u{200D}👩", "a\u{200D}👩", "👩\u{200D}a", "م\u{200C}\u{200C}ن",
        "1\u{FE0F}", "❤\u{FE0F}\u{FE0F}", "ada\u{FE0F}", "م\u{200C} ن",
        // Selectors after what takes none, or not that one, or twice.
        "a\u{E0100}", "か\u{E0100}", "葛\u{E0100}\u{E0101}", "神\u{FE03}", "a\u{FE00}", "❤\u{FE00}", "a\u{180B}",
        "ᠠ\u{180B}\u{180B}",
        "神\u{180B}", "ᠨ\u{180E}", "ᠨ\u{180E}ᠮ", "a\u{180E}ᠠ",
        // Tags that are no flag: without the flag, without an end, without a code, too long, other signs, two ends.
        "a\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}",
        "🏴\u{E007F}",
        "🏴\u{E0067}\u{E0062}\u{E007F}",
        "🏴\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E0061}\u{E007F}",
        "🏴\u{E0047}\u{E0042}\u{E0053}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E007F}\u{E007F}",
        "👩\u{E0067}\u{E0062}\u{E0073}\u{E007F}",
        "🏴\u{E0001}\u{E0067}\u{E0062}\u{E0073}\u{E007F}", "\u{E007F}",
    ])
    func `joiners and selectors where nothing needs them are refused`(name: String) {
        #expect(refusal(name)?.kind == .invalid)
    }

    @Test func `marks on one character are bounded, with joiners between them too`() {
        #expect(refusal("e" + String(repeating: "\u{301}", count: 8)) == nil)
        #expect(refusal("e" + String(repeating: "\u{301}", count: 9))?.kind == .invalid)
        let painted = "क" + String(repeating: "\u{301}\u{94D}\u{200D}", count: 6)
        #expect(refusal(painted)?.kind == .invalid)
    }

    @Test func `the names of everything go by the same rule`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let turned = JSON.string("gnp.\u{202E}exe")
        let mill = try box.household(of: ada)
        for (method, field, params) in [
            ("member.update", "displayName", ["member": .id(ada.id), "displayName": turned]),
            ("household.rename", "name", ["household": .id(mill), "name": turned]),
            ("household.found", "name", ["name": turned]),
            ("place.add", "name", ["name": turned, "lat": 50, "lon": 8]),
            ("appPassword.create", "device", ["device": turned, "scope": "location"]),
            ("meeting.propose", "title", ["title": turned, "kind": "solo", "zone": "UTC", "slots": []]),
        ] as [(String, String, JSON.Object)] {
            let refusal = try box.refusal(ada, method, params)
            #expect(refusal?.kind == .invalid && refusal?.field == field, "\(method)")
        }
    }
}
