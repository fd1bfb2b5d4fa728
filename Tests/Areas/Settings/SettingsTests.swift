import KinModel
import KinSettings
import KinStore
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinSettings

/// Settings are one's own, the same on all devices.
@Suite struct SettingsTests {
    @Test func `what is set is there on every device, and nobody else is told`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        for person in [ada, ben] { _ = box.heard(person) }
        try box.call(
            ada, "settings.set",
            [
                "language": "de", "zone": "Europe/Berlin", "textSize": 20, "theme": "dark", "weekStart": "sunday",
                "clock": "hours12",
                "tabs": ["map", "contacts"], "leftOut": ["toDecide"],
            ])
        let set = Settings(
            language: .de, zone: "Europe/Berlin", textSize: 20, theme: .dark, weekStart: .sunday,
            clock: .hours12, tabs: ["map", "contacts"], leftOut: [.toDecide])
        #expect(try box.call(ada, "settings.show")["settings"] == set.json)
        #expect(try box.fresh(ada.id).settings == set)
        #expect(try OwnSettings.settings(of: ada.id, box.store.database) == set)
        #expect(box.types(ada) == ["settings.changed"] && box.types(ben) == [])
        #expect(try box.fresh(ben.id).settings == Settings())
    }

    @Test func `null leaves a setting to the client again, and what is not named stays`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        try box.call(ada, "settings.set", ["language": "de", "tabs": []])
        try box.call(ada, "settings.set", ["language": .null])
        #expect(try box.fresh(ada.id).settings == Settings(tabs: []))
        _ = box.heard(ada)
        try box.call(ada, "settings.set", ["language": .null])
        #expect(box.types(ada) == [])
    }

    @Test(
        arguments: [
            ["colour": "red"], ["language": "fr"], ["zone": "Europe/Atlantis"], ["textSize": 7], ["textSize": "big"],
            ["theme": "blue"], ["weekStart": "friday"], ["tabs": ["map", "map"]], ["tabs": ["chess"]], ["tabs": "map"],
            ["leftOut": ["family"]], ["clock": "12"],
        ] as [JSON]) func `what there is not is refused with a sentence, and changes nothing`(setting: JSON) throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let refusal = try #require(try box.refusal(ada, "settings.set", setting.object ?? [:]))
        #expect(refusal.field?.hasPrefix(setting.object?.names.first ?? "?") == true, "\(refusal.message)")
        #expect(try box.fresh(ada.id).settings == Settings())
    }

    @Test func `settings outlive the daemon, and go with their member`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        try box.call(ben, "settings.set", ["language": "de"])
        try box.restart()
        #expect(try box.fresh(ben.id).settings.language == .de)
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM settings") == 0)
        #expect(try box.count("SELECT count(*) FROM log WHERE type = 'settings.changed'") == 0)
    }
}
