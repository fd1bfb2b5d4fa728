import KinCalendar
import KinModel
import Testing

@testable import KinWords

/// Where somebody is, in words.
@Suite struct WhereaboutsTests {
    private let member: Identifier
    private let school: Identifier

    init() throws {
        member = try #require(Identifier("01980000-0000-7000-8000-000000000002"))
        school = try #require(Identifier("01980000-0000-7000-8000-000000000009"))
    }

    private func reader(_ language: Language) throws -> Reader {
        Reader(language, try #require(Zone("Europe/Berlin")))
    }

    private func names(stays: JSON = [], town: JSON? = nil) throws -> Names {
        var names = Names()
        names.learn(
            Place(
                id: school, kind: .place, name: "School", icon: nil, lat: 52.5, lon: 13.4, radius: 100, owner: member))
        names[KnownPlaces.self].learn(stays: ["stays": stays])
        if let town { names[KnownPlaces.self].learn(town: ["town": town], lat: 45, lon: 13.4) }
        return names
    }

    private func position(_ lat: Double, _ lon: Double, _ precision: Precision = .exact) -> Position {
        Position(member: member, lat: lat, lon: lon, at: Instant(milliseconds: 0), precision: precision)
    }

    @Test(arguments: [
        (52.501, 13.4, "110 m north of School"), (52.51, 13.4, "1.1 km north of School"),
        (52.51, 13.416, "1.6 km north-east of School"), (52.5, 13.43, "2.0 km east of School"),
        (52.49, 13.416, "1.6 km south-east of School"), (52.49, 13.4, "1.1 km south of School"),
        (52.49, 13.384, "1.6 km south-west of School"), (52.5, 13.37, "2.0 km west of School"),
        (52.51, 13.384, "1.6 km north-west of School"), (52.5, 13.4, "close to School"),
        (52.54, 13.4, "4.4 km north of School"), (52.56, 13.4, "far from all known places"),
    ])
    func `far and in which direction from the nearest place`(lat: Double, lon: Double, said: String) throws {
        #expect(try names().whereabouts(position(lat, lon), reader(.english)) == said)
    }

    @Test func `at a place by the daemon's word alone, and of a cell neither that nor a direction`() throws {
        let stay: JSON = ["member": .id(member), "place": .id(school), "name": "School"]
        var names = try names(stays: [stay])
        let english = try reader(.english)
        #expect(names.whereabouts(position(52.5, 13.4), english) == "at School")
        #expect(names.whereabouts(position(52.5, 13.4, .coarse), english) == "about 1.0 km from School")
        // Whoever is seen a kilometre off is not "at" it, whatever was heard last.
        #expect(names.whereabouts(position(52.51, 13.4), english) == "1.1 km north of School")
        #expect(names.whereabouts(position(52.5017, 13.4), english) == "at School")
        #expect(names.whereabouts(position(52.52, 13.42, .coarse), english) == "about 3.0 km from School")
        #expect(try names.whereabouts(position(52.5, 13.4), reader(.german)) == "bei School")
        names[KnownPlaces.self].isInNumbers = true
        #expect(names.whereabouts(position(52.5, 13.4), english) == "at 52.5000, 13.4000")
    }

    @Test func `a town near by says it where no place does, and is asked for once in its square`() throws {
        let far = position(45, 13.4)
        #expect(try names()[KnownPlaces.self].wantsTown(far))
        #expect(try !names()[KnownPlaces.self].wantsTown(position(52.5, 13.4)))
        let near = try names(town: ["name": "Koper", "country": "SI", "metres": 4000])
        #expect(try near.whereabouts(far, reader(.english)) == "near Koper")
        #expect(!near[KnownPlaces.self].wantsTown(position(45.01, 13.41)))
        #expect(near[KnownPlaces.self].wantsTown(position(45.3, 13.41)))
        let remote = try names(town: ["name": "Koper", "country": "SI", "metres": 80_000])
        #expect(try remote.whereabouts(far, reader(.english)) == "far from all known places")
        #expect(!remote[KnownPlaces.self].wantsTown(far))
    }

    @Test func `who comes and goes is known by what is told`() throws {
        var names = try names()
        let (english, here) = (try reader(.english), position(52.5, 13.4))
        func event(_ type: String, _ data: JSON) -> Event {
            Event(cursor: "", type: type, at: Instant(milliseconds: 0), by: nil, about: "", data: data)
        }
        names.learn(event("place.entered", ["member": .id(member), "place": .id(school), "name": "School"]))
        #expect(names.whereabouts(here, english) == "at School")
        names.learn(event("place.left", ["member": .id(member), "place": .id(member), "name": "Pub"]))
        #expect(names.whereabouts(here, english) == "at School")
        names.learn(event("place.left", ["member": .id(member), "place": .id(school), "name": "School"]))
        #expect(names.whereabouts(here, english) == "close to School")
        names.learn(event("place.entered", ["member": .id(member), "place": .id(school), "name": "School"]))
        names.learn(event("place.hidden", ["place": .id(school)]))
        #expect(names.whereabouts(here, english) == "far from all known places")
    }
}
