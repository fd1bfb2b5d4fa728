import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// What those are told who see the name of a place, or whether somebody is at home.
@Suite struct MapStopoverTests {
    /// Ada, whom Pia sees by places' names and Hal as at home or not; Pia does not see the pub.
    private struct Scene {
        let box: MapBox
        let ada: Identifier
        let pia: Identifier
        let hal: Identifier
        let cyd: Identifier

        init() throws {
            box = try MapBox()
            ada = try box.join("Ada", role: .admin)
            pia = try box.join("Pia")
            hal = try box.join("Hal")
            cyd = try box.join("Cyd")
            let rules: JSON = [
                ["viewer": .id(pia), "precision": "place"], ["viewer": .id(hal), "precision": "home"],
                ["viewer": .id(cyd), "precision": "coarse"],
            ]
            try box.call(ada, "sharing.set", ["state": "on", "rules": rules])
            try place("Mill", 52.50, home: true)
            try place("School", 52.51)
            try place("Pub", 52.52, audience: .array([.id(cyd)]))
        }

        func place(_ name: JSON, _ lat: Double, home: JSON = false, audience: JSON = "everyone") throws {
            try box.call(
                ada, "place.add",
                [
                    "name": name, "lat": .double(lat), "lon": 13.4, "radius": 100, "home": home, "audience": audience,
                ])
        }

        /// Ada is there for an hour.
        func stay(_ lat: Double) throws {
            for _ in 0..<30 {
                try box.wait(seconds: 120)
                try box.call(
                    ada, "position.report",
                    ["lat": .double(lat), "lon": 13.4, "at": .time(box.clock), "accuracy": 10])
            }
        }

        func presence(_ viewer: Identifier) throws -> Presence? {
            try #require(try box.fresh(viewer)).snapshot.presences[ada]
        }
    }

    @Test func `one sees the place's name, the other whether it is home, and neither where it is`() throws {
        let scene = try Scene()
        try scene.stay(52.50)
        #expect(try scene.presence(scene.pia)?.place == "Mill")
        #expect(try scene.presence(scene.hal)?.isHome == true)
        try scene.stay(52.51)
        #expect(try scene.presence(scene.pia)?.place == "School")
        #expect(try scene.presence(scene.hal)?.isHome == false)
        for viewer in [scene.pia, scene.hal] {
            #expect(try scene.box.dots(viewer)[scene.ada] == nil)
            for event in scene.box.heard(viewer) where event.type == "position" {
                #expect(event.data["lat"] == nil)
                #expect(CoarsePosition.rounded(event.at) == event.at)
                #expect(event.data["at"]?.instant.map { CoarsePosition.rounded($0) == $0 } == true)
            }
            let latest = try scene.box.call(viewer, "position.latest")["positions"]?.array
            #expect(latest == [try #require(try scene.presence(viewer)).json])
            // Commands are texts: the phone is told of places its owner sees, and of nobody.
            let told = try scene.box.call(viewer, "owntracks.publish", ["message": ["_type": "lwt"]]).array
            #expect(told?.filter { $0.string == nil } == [])
        }
    }

    @Test func `a place that the viewer does not see is none, and arriving there is not told`() throws {
        let scene = try Scene()
        try scene.stay(52.515)
        #expect(try scene.presence(scene.pia)?.place == nil)
        _ = scene.box.heard(scene.pia)
        try scene.stay(52.52)
        #expect(try scene.presence(scene.pia)?.place == nil)
        #expect(scene.box.heard(scene.pia).allSatisfy { $0.type == "position" && $0.data["place"]?.isNull == true })
        #expect(try scene.box.count("SELECT count(*) FROM stopovers WHERE name = 'Pub'") == 1)
    }

    @Test func `whoever sees cells or home hears of no arrival, whoever sees names hears no exact time`() throws {
        let scene = try Scene()
        try scene.stay(52.515)
        for viewer in [scene.pia, scene.hal, scene.cyd] { _ = scene.box.heard(viewer) }
        try scene.stay(52.51)
        #expect(!scene.box.heard(scene.cyd).contains { $0.type == "place.entered" })
        #expect(!scene.box.heard(scene.hal).contains { $0.type == "place.entered" })
        let told = try #require(scene.box.heard(scene.pia).first { $0.type == "place.entered" })
        #expect(CoarsePosition.rounded(told.at) == told.at)
        #expect(told.data["at"]?.instant.map { CoarsePosition.rounded($0) == $0 } == true)
    }

    @Test func `a place with another name is told, and one that is gone is none`() throws {
        let scene = try Scene()
        try scene.stay(52.51)
        let places = try scene.box.call(scene.ada, "place.list")["places"]?.array ?? []
        let school = try #require(places.first { $0["name"] == "School" }?["id"])
        try scene.box.call(scene.ada, "place.update", ["place": school, "name": "Old School"])
        #expect(try scene.presence(scene.pia)?.place == "Old School")
        try scene.box.call(scene.ada, "place.remove", ["place": school])
        #expect(try scene.presence(scene.pia)?.place == nil)
    }

    @Test func `other rules turn names into cells and back, and off leaves nothing`() throws {
        let scene = try Scene()
        try scene.stay(52.51)
        for (precision, isPresent) in [("exact", false), ("place", true), ("coarse", false), ("home", true)] {
            let rule: JSON = ["viewer": .id(scene.pia), "precision": .string(precision)]
            try scene.box.call(scene.ada, "sharing.set", ["rules": [rule]])
            #expect(try (scene.presence(scene.pia) != nil) == isPresent)
            #expect(try (scene.box.dots(scene.pia)[scene.ada] != nil) != isPresent)
        }
        try scene.box.share(scene.ada, "off")
        #expect(try scene.presence(scene.pia) == nil)
        #expect(try scene.box.count("SELECT count(*) FROM stopovers") == 0)
        #expect(try scene.box.count("SELECT count(*) FROM log WHERE key LIKE '%/place%' OR key LIKE '%/home'") == 0)
    }
}
