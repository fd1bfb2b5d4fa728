import KinModel
import Testing

extension PageCalendarTests {
    @Test func `on a night on which clocks change an entry ends when its form says so`() throws {
        let made = try house.door(as: "ada").call(
            "entry.add",
            [
                "subject": "Night", "start": "2036-10-25T22:00", "end": "2036-10-26T06:00", "zone": "Europe/Berlin",
                "calendar": try family(),
            ])
        let id = try #require(made["entry"]?["id"])
        let browser = try open("ada", at: "2036-10-25")
        try browser.click("td[data-day=\"2036-10-25\"] .event")
        try browser.click("#entry-change")
        try browser.wait("the form") { try browser.sees("#entry-form") }
        #expect(try browser.run("return document.querySelector('[name=endTime]').value").string == "06:00")
        try browser.run(
            """
            const input = document.querySelector('[name=endTime]')
            input.value = '07:00'
            input.dispatchEvent(new Event('change', { bubbles: true }))
            """)
        try browser.click("#entry-form button[type=submit]")
        try browser.wait("the form to close") { try !browser.sees("dialog") }
        let shown = try house.door(as: "ada").call("entry.show", ["entry": id])
        #expect(shown["entry"]?["times"]?["minutes"] == 600)
        #expect(try browser.log() == [])
    }
}
