import Glibc
import KinModel
import Testing

/// What rings, and when, as a member sets it on the page.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed")) struct PageRuleTests {
    @Test func `a member mutes, sets quiet hours by weekday, and says who rings and who makes a sound`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        try stage.run("kin", "inbox", "mute", "voted", "--as", "ada")
        let browser = try Browser(stage)
        try browser.screen(width: 390, height: 844, isDark: false)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open=\"family.rules\"]")
        try browser.wait("the rules") { try browser.sees("#save-rules") }
        // One of the kinds is muted: neither all nor none.
        #expect(try browser.run("return document.querySelector('[data-kinds=meetings]').indeterminate").bool == true)
        #expect(try !browser.sees("#rules-from"))
        try browser.click("[data-kinds=posts]")
        try browser.click("#rules-quiet")
        try browser.run(
            "document.querySelector('#rules-from').value = '21:30'; document.querySelector('#rules-to').value = '06:15'"
        )
        for day in ["fri", "sat"] { try browser.click("[data-day=\(day)]") }
        try browser.draw("rules")
        try browser.click("[data-still]")
        try browser.click("#rules-some")
        try browser.click("[data-sound]")
        // Whoever does not ring makes no sound: one is ticked in one of the two.
        #expect(try browser.run("return document.querySelector('[data-still]').checked").bool == false)
        try browser.draw("rules-below")
        if let axe = PageTests.axe {
            let wrong = try browser.violations(axe)
            #expect(wrong == [], "\(wrong.text)")
        }
        let wide = try browser.run("return document.documentElement.scrollWidth").int
        #expect(wide ?? 0 <= 390)
        try browser.click("#save-rules")
        try browser.wait("it to be saved") { try !browser.sees("#save-rules") }
        let set = try stage.run("kin", "inbox", "rules", "--as", "ada").lines.joined(separator: "\n")
        for words in ["posted", "liked", "voted", "21:30", "06:15", "Monday", "Sunday", "Bob"] {
            #expect(set.contains(words), "\(words): \(set)")
        }
        #expect(!set.contains("Friday") && !set.contains("invited"), "\(set)")
        // And back again: what was set is shown.
        try browser.click("[data-open=\"family.rules\"]")
        try browser.wait("the rules") { try browser.sees("#save-rules") }
        #expect(try browser.run("return document.querySelector('#rules-from').value").string == "21:30")
        #expect(try browser.run("return document.querySelector('[data-day=fri]').checked").bool == false)
        try browser.click("#rules-quiet")
        try browser.click("#rules-some")
        try browser.click("[data-kinds=meetings]")
        try browser.click("[data-kinds=meetings]")
        try browser.click("#save-rules")
        try browser.wait("it to be saved") { try !browser.sees("#save-rules") }
        let back = try stage.run("kin", "inbox", "rules", "--as", "ada").lines.joined(separator: "\n")
        #expect(!back.contains("21:30") && back.contains("posted"), "\(back)")
        #expect(try browser.log() == [])
    }

    @Test func `a device has rules of its own, from the page and from kin`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        try stage.run("kin", "phone", "add", "pixel", "--app", "ntfy", "--as", "ada")
        try stage.run("kin", "inbox", "quiet", "20:00-7:00", "--device", "pixel", "--as", "ada")
        let browser = try Browser(stage)
        try browser.screen(width: 390, height: 844, isDark: false)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open=\"family.ringing\"]")
        try browser.wait("the device") { try browser.sees("[data-rules]") }
        try browser.draw("ringing-rules")
        try browser.click("[data-rules]")
        try browser.wait("the rules") { try browser.sees("#save-rules") }
        #expect(try browser.run("return document.querySelector('#rules-from').value").string == "20:00")
        try browser.click("[data-kinds=posts]")
        try browser.click("[data-still]")
        try browser.draw("device-rules")
        try browser.click("#save-rules")
        // The devices are shown again.
        try browser.wait("the device") { try browser.sees("[data-rules]") }
        let device = try stage.run("kin", "inbox", "rules", "--device", "pixel", "--as", "ada").lines.joined(
            separator: "\n")
        for words in ["\"pixel\"", "posted", "20:00", "Bob"] { #expect(device.contains(words), "\(words): \(device)") }
        let own = try stage.run("kin", "inbox", "rules", "--as", "ada").lines.joined(separator: "\n")
        #expect(!own.contains("posted") && !own.contains("20:00") && !own.contains("Bob"), "\(own)")
        #expect(try browser.log() == [])
    }

    @Test func `a device is called otherwise, and says less`() throws {
        let stage = try Stage()
        let house = try House(stage, family: [])
        try stage.run("kin", "phone", "add", "pixel", "--app", "ntfy", "--as", "ada")
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=family]")
        try browser.click("[data-open=\"family.ringing\"]")
        try browser.wait("the device") { try browser.sees("[data-change]") }
        try browser.click("[data-change]")
        try browser.click("#ring-discreet")
        try browser.click("#ring-official")
        try browser.click("dialog button[type=submit]")
        try browser.wait(for: "discreet · official messages and alarms alone", in: "dialog")
        #expect(try browser.log() == [])
    }
}
