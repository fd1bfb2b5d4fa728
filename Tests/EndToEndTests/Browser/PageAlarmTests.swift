import Glibc
import KinModel
import Testing

/// Calling others from the page: seen at once by who is called, answered, and gone when it is over.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed")) struct PageAlarmTests {
    @Test func `somebody calls for help, another answers, and it ends`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let (ada, bob) = (try Browser(stage), try Browser(stage))
        try ada.screen(width: 390, height: 844, isDark: false)
        try bob.screen(width: 320, height: 700, isDark: true)
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        try bob.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try bob.stand(lat: 52.5123, lon: 13.4011)
        try bob.click("#call-others")
        try bob.wait(for: "whole family", in: "dialog")
        try bob.type("Flat tyre", into: "#alarm-text")
        try bob.draw("alarm-call")
        try bob.click("[data-alarm=sos]")
        try bob.wait(for: "You called for help", in: "kin-alarms")
        try ada.wait(for: "Bob needs help", in: "kin-alarms")
        try ada.wait(for: "Flat tyre", in: "kin-alarms")
        try ada.wait(for: "52.51230, 13.40110", in: "kin-alarms")
        // It stands above every screen.
        try ada.click("[data-tab=meetings]")
        #expect(try ada.sees("kin-alarms [data-answer=coming]"))
        #expect(try !ada.sees("kin-alarms [data-end]"))
        try ada.draw("alarm-called")
        if let axe = PageTests.axe {
            let wrong = try ada.violations(axe)
            #expect(wrong == [], "\(wrong.text)")
        }
        try ada.click("kin-alarms [data-answer=coming]")
        try ada.wait("her answer to be taken") {
            try ada.run("return !!document.querySelector('kin-alarms [data-answered=coming]')").bool == true
        }
        try bob.wait(for: "Ada: is coming", in: "kin-alarms")
        try bob.click("kin-alarms [data-end]")
        // Who is on the way learns that it is over, and so does who looks later.
        try ada.wait(for: "Bob: it is over", in: "kin-alarms .over")
        #expect(try !ada.sees("kin-alarms .alarm"))
        try ada.draw("alarm-over")
        try ada.click("kin-alarms .over button")
        try ada.wait("it to go") { try !ada.sees("kin-alarms .card") }
        try ada.run("location.hash = '#/inbox'")
        try ada.wait(for: "Bob: it is over", in: "kin-inbox")
        try bob.wait("his own to go") { try !bob.sees("kin-alarms .card") }
        for browser in [ada, bob] {
            let log = try browser.log()
            #expect(log == [], "\(log)")
        }
    }

    @Test func `who is on the way says where to and by when, in the page and by kin, and what it lends`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let door = try house.door(as: "ada")
        _ = try door.call("place.add", ["name": "School", "lat": 52.5, "lon": 13.4, "radius": 120])
        let bob = try Browser(stage)
        try bob.screen(width: 320, height: 700, isDark: false)
        try bob.signIn(house, "bob")
        try bob.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try bob.stand(lat: 52.4, lon: 13.4)
        try bob.click("#call-others")
        try bob.wait(for: "sees exactly where you are", in: "dialog")
        #expect(try bob.text("dialog").contains("one to somebody you chose stays with them"))
        // The family may come after the dialog.
        try bob.wait("the family's places") { try bob.sees("#alarm-where") }
        try bob.run(
            """
            const where = document.querySelector("#alarm-where"), by = document.querySelector("#alarm-by")
            where.value = [...where.options].find(one => one.text === "School").value
            by.value = new Date(Date.now() + 1800000).toTimeString().slice(0, 5)
            """)
        try bob.draw("alarm-way")
        try bob.click("[data-alarm=onTheWay]")
        try bob.wait(for: "You are on the way", in: "kin-alarms")
        func raised() throws -> JSON? { try door.call("alarm.list", [:])["alarms"]?.array?.first }
        #expect(try raised()?["place"]?["name"] == "School" && raised()?["expected"] != nil)
        let log = try bob.log()
        #expect(log == [], "\(log)")
        try stage.run("kin", "alarm", "end", "--as", "bob")
        let refused = try stage.run("kin", "alarm", "way", "--place", "Moon", "--as", "bob", exits: nil)
        #expect(refused.status != 0 && refused.said.contains("There is no place Moon"), "\(refused.said)")
        try stage.run("kin", "alarm", "way", "Bus", "--place", "school", "--by", "20m", "--as", "bob")
        let way = try raised()
        #expect(way?["place"]?["radius"]?.double == 120 && way?["expected"] != nil, "\(way ?? .null)")
        // It ends by itself with the arrival.
        _ = try house.door(as: "bob").call(
            "position.report",
            [
                "lat": 52.5001, "lon": 13.4, "accuracy": 10,
                "at": .time(Instant(milliseconds: Int64(time(nil)) * 1000 + 999)),
            ])
        try stage.wait("it to end") { try raised() == nil }
    }

    @Test func `a call that reaches nobody stays as it was typed, and goes out when somebody is reached`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        _ = try house.door(as: "ada").call(
            "profile.add", ["kind": "phone", "value": "+49 170 1234", "audience": "everyone"])
        let bob = try Browser(stage)
        try bob.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try bob.stand(lat: 52.4, lon: 13.4)
        try bob.signIn(house, "bob")
        try bob.wait("the page to be live") { try !bob.sees(".line") }
        house.kill()
        try bob.wait(for: "not reached", in: ".line")
        try bob.click("#call-others")
        try bob.type("Flat tyre", into: "#alarm-text")
        try bob.click("[data-alarm=sos]")
        try bob.wait(for: "cannot be done now", in: "#told")
        // A telephone needs no daemon.
        try bob.wait(for: "Call somebody by telephone", in: "#alarm-phones")
        let numbers = try bob.run("return [...document.querySelectorAll('#alarm-phones a')].map(one => one.href)")
        #expect(numbers == ["tel:112", "tel:+491701234"], "\(numbers)")
        try bob.wait("what was typed") {
            try bob.run("return document.querySelector('dialog #alarm-text')?.value") == "Flat tyre"
        }
        try house.start()
        try bob.wait("the line to be live") { try !bob.sees(".line") }
        try bob.click("[data-alarm=sos]")
        try bob.wait(for: "Flat tyre", in: "kin-alarms")
        #expect(try house.door(as: "ada").call("alarm.list", [:])["alarms"]?.array?.count == 1)
    }

    @Test func `on a phone whose clock is wrong one is expected when other clocks say so, and today is today`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let door = try house.door(as: "ada")
        _ = try house.door(as: "bob").call("settings.set", ["zone": "UTC"])
        let bob = try Browser(stage)
        // A day and three hours ahead.
        try bob.beforehand(
            """
            const Real = Date, ahead = 27 * 3_600_000
            Date = class extends Real {
              constructor(...all) { if (all.length) super(...all); else super(Real.now() + ahead) }
              static now() { return Real.now() + ahead }
            }
            window.Real = Real
            """)
        try bob.tell("Browser.grantPermissions", ["permissions": ["geolocation"]])
        try bob.stand(lat: 52.4, lon: 13.4)
        try bob.signIn(house, "bob")
        try bob.wait("the clock to be found wrong") { try bob.sees(".clock-wrong") }
        try bob.click("#call-others")
        try bob.wait("the form") { try bob.sees("#alarm-by") }
        // In half an hour, as a clock on the wall shows it.
        try bob.run(
            "document.querySelector('#alarm-by').value = new Real(Real.now() + 1_800_000).toISOString().slice(11, 16)")
        try bob.click("[data-alarm=onTheWay]")
        try bob.wait(for: "You are on the way", in: "kin-alarms")
        let raised = try door.call("alarm.list", [:])["alarms"]?.array?.first
        let expected = try #require(raised?["expected"]?.instant)
        #expect((1_600...1_830).contains(expected.milliseconds / 1000 - Int64(time(nil))), "\(expected)")
        let seen = try #require(raised?["position"]?["at"]?.instant)
        #expect((-5...90).contains(Int64(time(nil)) - seen.milliseconds / 1000), "\(seen)")
        try bob.run("location.hash = '#/calendar'")
        try bob.click("[data-view=month]")
        try bob.wait("today") {
            try bob.run(
                "return document.querySelector('.month .date[aria-current=date]')?.dataset.key === new Real().toISOString().slice(0, 10)"
            ).bool == true
        }
    }

    @Test func `a question that is answered shows the answer, and what is no emergency wears no alarm's words`() throws
    {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let door = try house.door(as: "bob")
        _ = try door.call("alarm.raise", ["kind": "check"])
        _ = try door.call("alarm.raise", ["kind": "come"])
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        try ada.wait(for: "Bob asks whether all is well", in: "kin-alarms [data-kind=check]")
        // Each says since when; only who asks others to come says where that is, or that it is not known.
        try ada.wait(for: "just now", in: "kin-alarms [data-kind=check] summary")
        try ada.wait(for: "No place comes with it", in: "kin-alarms [data-kind=come]")
        #expect(try !ada.text("kin-alarms [data-kind=check]").contains("No place"))
        try ada.click("kin-alarms [data-answer=allWell]")
        try ada.wait(for: "Ada: all is well", in: "kin-alarms [data-kind=check] h2")
        try ada.click("kin-alarms [data-kind=check] summary")
        #expect(try !ada.sees("kin-alarms [data-answer=allWell]"))
        try ada.run("location.hash = '#/inbox'")
        try ada.wait(for: "Bob asks you to come", in: "kin-inbox")
        let parts =
            try ada.run(
                "return [...document.querySelectorAll('kin-inbox section:has(> .rows > li)')].map(one => one.textContent)"
            ).array?.compactMap(\.string) ?? []
        #expect(parts.count == 2 && parts.first?.contains("An alarm") == true, "\(parts)")
        #expect(parts.last?.contains("Bob asks whether all is well") == true, "\(parts)")
        #expect(parts.last?.contains("An alarm") == false, "\(parts)")
    }

    @Test func `kin adds a shortcut, whose address raises one alarm by curl, and takes it away`() throws {
        let stage = try Stage()
        _ = try House(stage, family: ["bob"])
        let none = try stage.run("kin", "alarm", "shortcut", "--as", "bob").lines
        #expect(none == ["You have no shortcuts. Add one: kin alarm shortcut add NAME sos"])
        let added = try stage.run(
            "kin", "alarm", "shortcut", "add", "Watch", "come", "Fetch", "me", "--to", "ada", "--as", "bob"
        ).lines
        let address = try #require(added.first { $0.contains("/alarm/alarm-") }?.drop { $0 == " " })
        let pressed = stage.start(["curl", "-sk", "-X", "POST", String(address)])
        try stage.wait("curl to end") { pressed.status != nil }
        let listed = try stage.run("kin", "alarm", "--as", "ada").lines
        #expect(listed.first?.hasPrefix("1   Bob asks you to come: Fetch me") == true, "\(listed)")
        let kept = try stage.run("kin", "alarm", "shortcut", "--as", "bob").lines
        #expect(kept.contains { $0.hasPrefix("Watch") && $0.contains("come Fetch me") }, "\(kept)")
        #expect(
            try stage.run("kin", "alarm", "shortcut", "remove", "Watch", "--as", "bob").lines
                == ["Watch raises nothing any more."])
        // What push services may learn is an admin's word.
        #expect(try stage.run("kin", "notify", "push", "--as", "bob").lines.first?.contains("not allowed") == true)
        let on = try stage.run("kin", "notify", "push", "on", "--contact", "ada@example.org", "--as", "ada").lines
        #expect(
            on.prefix(2) == [
                "Push services are allowed: browsers can ring.", "They may write to mailto:ada@example.org.",
            ])
        #expect(
            on.contains { $0.hasPrefix("They learn that something came for a browser, when, how large it is") }, "\(on)"
        )
        #expect(try stage.run("kin", "notify", "push", "off", "--as", "bob", exits: nil).status != 0)
        #expect(
            try stage.run("kin", "notify", "push", "off", "--as", "ada").lines.first?.contains("not allowed") == true)
        // Nothing reaches either of them, and an admin is told so of both.
        let doctor = try stage.run("kin", "doctor", "--as", "ada", exits: nil).lines.joined(separator: " ")
        #expect(doctor.contains("Nothing reaches Bob"), "\(doctor)")
        let own = try stage.run("kin", "doctor", "--as", "bob", exits: nil).lines.joined(separator: " ")
        #expect(!own.contains("Nothing reaches Ada") && own.contains("Nothing reaches you"), "\(own)")
    }

    @Test func `kin calls, lists, answers and ends`() throws {
        let stage = try Stage()
        _ = try House(stage, family: ["bob"])
        #expect(try stage.run("kin", "alarm", "--as", "bob").lines == ["Nobody calls. Call for help: kin alarm sos"])
        let raised = try stage.run("kin", "alarm", "come", "Supper", "--to", "ada", "--as", "bob").lines
        #expect(raised.first == "You called Ada. End it when it is over: kin alarm end")
        let listed = try stage.run("kin", "alarm", "--as", "ada").lines
        #expect(listed.first?.hasPrefix("1   Bob asks you to come: Supper") == true, "\(listed)")
        #expect(listed.contains { $0.hasSuffix(": no answer yet") }, "\(listed)")
        #expect(try stage.run("kin", "alarm", "answer", "coming", "--as", "ada").lines == ["They know."])
        #expect(try stage.run("kin", "alarm", "--as", "bob").lines.contains("    Ada: is coming"))
        #expect(try stage.run("kin", "alarm", "end", "--as", "bob").lines == ["The alarm is over."])
        #expect(try stage.run("kin", "alarm", "answer", "coming", "--as", "ada", exits: nil).status != 0)
        // Of several it is said which there are; one is named by its number, or by who raised it.
        try stage.run("kin", "alarm", "come", "Supper", "--to", "ada", "--as", "bob")
        try stage.run("kin", "alarm", "check", "--to", "ada", "--as", "bob")
        let several = try stage.run("kin", "alarm", "end", "--as", "bob", exits: nil)
        #expect(several.status != 0 && several.lines.count { $0.hasPrefix("1 ") || $0.hasPrefix("2 ") } == 2)
        #expect(try stage.run("kin", "alarm", "end", "2", "--as", "bob").lines == ["The alarm is over."])
        #expect(try stage.run("kin", "alarm", "end", "bob", "--as", "ada").lines == ["The alarm is over."])
        #expect(try stage.run("kin", "alarm", "--as", "bob").lines == ["Nobody calls. Call for help: kin alarm sos"])
    }

    @Test func `kin adds nobody whose name is taken, and says so before a password is typed`() throws {
        let stage = try Stage()
        _ = try House(stage, family: ["bob"])
        let taken = try stage.run("kin", "member", "add", "bob", "--as", "ada", exits: nil)
        #expect(taken.status != 0)
        #expect(taken.said.contains("There is a bob in the family already"), "\(taken.said)")
    }

    @Test
    func `an answer that cannot be sent now waits, says so, and reaches the caller; a call for help does not wait`()
        throws
    {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let door = try house.door(as: "bob")
        _ = try door.call("alarm.raise", ["kind": "come", "text": "Supper"])
        let (ada, bob) = (try Browser(stage), try Browser(stage, language: "de"))
        try ada.signIn(house, "ada")
        try bob.signIn(house, "bob")
        try ada.wait(for: "Supper", in: "kin-alarms")
        try bob.wait(for: "Supper", in: "kin-alarms")
        house.kill()
        for browser in [ada, bob] { try browser.wait("it to be away") { try browser.sees(".line") } }
        try ada.click("kin-alarms [data-answer=coming]")
        try ada.wait(for: "is sent as soon as Kinwire is reached", in: "kin-alarms .unsent")
        #expect(try ada.run("return document.querySelector('[data-answer=coming]').ariaPressed").string == "true")
        try ada.draw("alarm-not-sent")
        // The last word counts.
        try ada.click("kin-alarms [data-answer=cannot]")
        try ada.wait(for: "2 things you did wait", in: ".line")
        try ada.click("#call-others")
        try ada.click("[data-alarm=sos]")
        try ada.wait(for: "not reached", in: "#told")
        #expect(try ada.text(".line").contains("2 things"), "a call for help does not wait")
        try house.start()
        try bob.wait(for: "Ada: kann nicht", in: "kin-alarms")
        try ada.wait("nothing to wait") { try !ada.sees("kin-alarms .unsent") && !ada.sees(".line") }
        house.kill()
        try bob.wait("it to be away") { try bob.sees(".line") }
        try bob.click("kin-alarms [data-end]")
        try bob.wait(for: "wird gesendet, sobald Kinwire wieder erreichbar", in: "kin-alarms .unsent")
        try bob.screen(width: 320, height: 700, isDark: true)
        try bob.draw("alarm-not-ended-de")
        try house.start()
        try ada.wait("the alarm to go") { try !ada.sees("kin-alarms .alarm") }
        #expect(try house.door(as: "ada").call("alarm.list", [:])["alarms"]?.array?.isEmpty == true)
    }

    @Test func `where somebody called from is kept for an hour, and the call until it ends`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        _ = try house.door(as: "bob").call(
            "alarm.raise",
            [
                "kind": "sos", "text": "Flat tyre",
                "position": ["lat": 52.5123, "lon": 13.4011, "at": .time(Instant.now), "accuracy": 8],
            ])
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        try ada.wait(for: "52.51230, 13.40110", in: "kin-alarms")
        try ada.wait("the service worker") {
            try ada.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try ada.open(house.url + "/")
        try ada.wait("the page to be live") { try ada.sees("#show-me") && !ada.sees(".line") }
        let style = try #require(try ada.run("return document.querySelector('link[rel=stylesheet]').href").string)
        house.kill()
        try ada.open(house.url + "/")
        try ada.wait(for: "52.51230, 13.40110", in: "kin-alarms")
        // An hour later, without the daemon.
        let kept = """
            const [ms, isOver] = arguments
            return new Promise((done, fail) => {
              const asked = indexedDB.open("kinwire")
              asked.onsuccess = () => {
                const work = asked.result.transaction("held", "readwrite"), store = work.objectStore("held")
                let position
                store.get("family").onsuccess = ({ target: { result } }) => {
                  const [alarm] = result.snapshot.alarms
                  position = alarm.position
                  if (ms && position) position.at = new Date(new Date(position.at) - ms).toISOString()
                  if (isOver) alarm.until = alarm.at
                  store.put(result, "family")
                }
                work.oncomplete = () => { asked.result.close(); done(!!position) }
                work.onabort = () => fail(work.error)
              }
            })
            """
        try ada.open(style)
        #expect(try ada.run(kept, 3_600_000, false) == true)
        try ada.open(house.url + "/")
        try ada.wait(for: "Flat tyre", in: "kin-alarms")
        #expect(try !ada.text("kin-alarms").contains("52.51230"))
        try ada.wait("it to be gone from what is kept") { try ada.run(kept, 0, false) == false }
        // One that has ended by itself is not said to go on.
        try ada.open(style)
        try ada.run(kept, 0, true)
        try ada.open(house.url + "/")
        try ada.wait(for: "as of", in: ".line")
        #expect(try !ada.sees("kin-alarms .card"))
        // The daemon knows better.
        try house.start()
        try ada.wait(for: "52.51230, 13.40110", in: "kin-alarms")
    }
}
