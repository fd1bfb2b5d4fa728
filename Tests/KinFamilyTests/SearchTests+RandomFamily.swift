import KinFamily
import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper

extension Registry {
    /// The family's areas, of which one asks not who sees a kind that it declares.
    static func asking(nobodyFor kind: String) -> Registry {
        Registry(
            areas: Registry.family.areas.filter { !["Live", "House", "Uploads", "Search"].contains($0.name) }.map {
                var area = $0
                area.searched = area.searched.map { one in
                    guard one.kind == kind else { return one }
                    return Searched(one.kind, table: one.table, read: one.read, seen: { _, numbers in Set(numbers) })
                }
                return area
            })
    }
}

/// A family in which everybody does something by chance: writes, changes, removes, shares, comes and goes.
final class RandomFamily {
    private let box: FamilyBox
    private var state: UInt64
    private var people: [FamilyBox.Person] = []
    private static let words = ["apfel", "birne", "kirsche"]

    init(seed: UInt64, registry: Registry) throws {
        box = try FamilyBox(registry: registry)
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    private func number(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    private func one<T>(of all: [T]) -> T { all[number(all.count)] }
    private var text: JSON { .string((0..<2).map { _ in one(of: Self.words) }.joined(separator: " ")) }
    private var audience: JSON {
        switch number(4) {
        case 0: "everyone"
        case 1: []
        case 2: "household"
        default: [.id(one(of: people).id)]
        }
    }

    /// Who finds something else than they see listed.
    func differences() throws -> [String] {
        let ada = try box.found()
        people = [ada]
        for name in ["ben", "cleo"] { people.append(try box.join(name, by: ada)) }
        let mill = try box.foundHousehold("Barn", by: ada)
        people.append(try box.join("dan", into: mill, by: ada))
        people.append(try box.join("gil", role: .guest, by: ada))
        var differences: [String] = []
        for step in 0..<80 {
            box.clock = box.clock.adding(seconds: Int64(number(3)))
            // A refusal is one of the things that happen.
            do { try act() } catch is Rejection {}
            guard step % 40 == 39 else { continue }
            for person in people {
                for word in Self.words {
                    let (found, seen) = (try found(word, person), try listed(word, person))
                    if found != seen {
                        differences.append(
                            "\(word): \(found.subtracting(seen).sorted()) and not \(seen.subtracting(found).sorted())")
                    }
                }
            }
        }
        return differences
    }

    private func act() throws {
        let person = one(of: people)
        func some(_ method: String, _ list: String, _ params: JSON.Object = [:]) throws -> JSON? {
            let all = try box.call(person, method, params)[list]?.array ?? []
            return all.isEmpty ? nil : one(of: all)
        }
        switch number(18) {
        case 0, 1: try box.call(person, "post.add", ["text": text, "audience": audience])
        case 2:
            guard let post = try some("post.list", "posts")?["id"] else { return }
            try box.call(person, "comment.add", ["post": post, "text": text])
        case 3:
            guard let post = try some("post.list", "posts")?["id"] else { return }
            let change: JSON.Object =
                number(2) == 0 ? ["post": post, "text": text] : ["post": post, "audience": audience]
            try box.call(person, "post.update", change)
        case 4:
            guard let post = try some("post.list", "posts")?["id"] else { return }
            try box.call(person, "post.remove", ["post": post])
        case 5:
            let others: JSON = [.id(one(of: people).id), .id(one(of: people).id)]
            try box.call(person, "room.open", ["with": others, "name": text])
        case 6, 7, 8:
            guard let room = try some("room.list", "rooms")?["room"]?["id"] else { return }
            try box.call(person, "message.send", ["room": room, "text": text])
        case 9:
            guard let room = try some("room.list", "rooms")?["room"]?["id"] else { return }
            guard let message = try some("message.list", "messages", ["room": room])?["id"] else { return }
            if number(2) == 0 {
                try box.call(person, "message.update", ["room": room, "message": message, "text": text])
            } else {
                try box.call(person, "message.remove", ["room": room, "message": message])
            }
        case 10:
            guard let room = try some("room.list", "rooms")?["room"]?["id"] else { return }
            switch number(3) {
            case 0: try box.call(person, "room.leave", ["room": room])
            case 1: try box.call(person, "room.update", ["room": room, "add": [.id(one(of: people).id)]])
            default: try box.call(person, "room.update", ["room": room, "remove": [.id(one(of: people).id)]])
            }
        case 11: try box.call(person, "list.add", ["name": text, "kind": "shopping", "audience": audience])
        case 12:
            guard let list = try some("list.list", "lists")?["id"] else { return }
            if number(3) == 0 {
                try box.call(person, "list.update", ["list": list, "audience": audience])
            } else {
                let item = Identifier(at: box.clock, random: (state, state))
                try box.call(person, "item.put", ["list": list, "items": [["id": .id(item), "text": text]]])
            }
        case 13:
            var params: JSON.Object = ["text": text]
            if number(3) > 0 { params["to"] = [.id(one(of: people).id), .id(one(of: people).id)] }
            try box.call(person, "activity.say", params)
        case 14:
            guard number(3) > 0, let own = try some("activity.own", "sayings")?["id"] else {
                try box.call(people[0], "activity.announce", ["text": text])
                return
            }
            if number(2) == 0 {
                try box.call(person, "activity.correct", ["id": own, "text": text])
            } else {
                try box.call(person, "activity.withdraw", ["id": own])
            }
        case 15:
            guard number(3) > 0,
                let own = try some("profile.list", "profiles", ["member": .id(person.id)])?["id"]
            else {
                try box.call(person, "profile.add", ["kind": "link", "value": text, "audience": audience])
                return
            }
            let change: JSON.Object =
                number(2) == 0 ? ["entry": own, "value": text] : ["entry": own, "audience": audience]
            try box.call(person, "profile.update", change)
        case 16:
            guard number(3) == 0, let alarm = try some("alarm.list", "alarms")?["id"] else {
                try box.call(person, "alarm.raise", ["kind": "come", "text": text])
                return
            }
            try box.call(person, "alarm.end", ["alarm": alarm])
        default:
            let role = try box.role(of: people[1]) == .guest ? "member" : "guest"
            try box.call(people[0], "member.setRole", ["member": .id(people[1].id), "role": .string(role)])
        }
    }

    private func found(_ word: String, _ person: FamilyBox.Person) throws -> Set<String> {
        var found: Set<String> = []
        var cursor: JSON?
        repeat {
            var params: JSON.Object = ["words": .string(word), "limit": 7]
            if let cursor { params["before"] = cursor }
            let page = try box.call(person, "search.find", params)
            for hit in page["hits"]?.array ?? [] {
                let name = "\(hit["kind"]?.string ?? "")/\(hit["id"]?.string ?? "")"
                #expect(found.insert(name).inserted, "\(name) came twice")
            }
            cursor = page["next"]
        } while cursor != nil
        return found
    }

    private func listed(_ word: String, _ person: FamilyBox.Person) throws -> Set<String> {
        var seen: Set<String> = []
        func take(_ kind: String, _ thing: JSON, _ field: String) {
            if thing[field]?.string?.contains(word) == true { seen.insert("\(kind)/\(thing["id"]?.string ?? "")") }
        }
        for post in try box.call(person, "post.list", ["limit": 50])["posts"]?.array ?? [] {
            take("post", post, "text")
            let comments = try box.call(person, "comment.list", ["post": post["id"] ?? .null])["comments"]?.array
            for comment in comments ?? [] { take("comment", comment, "text") }
        }
        for room in try box.call(person, "room.list")["rooms"]?.array ?? [] {
            take("room", room["room"] ?? .null, "name")
            let messages = try box.call(person, "message.list", ["room": room["room"]?["id"] ?? .null, "limit": 100])
            for message in messages["messages"]?.array ?? [] { take("message", message, "text") }
        }
        for list in try box.call(person, "list.list")["lists"]?.array ?? [] {
            take("list", list, "name")
            let items = try box.call(person, "list.show", ["list": list["id"] ?? .null])["items"]?.array
            for item in items ?? [] { take("item", item, "text") }
        }
        for entry in try box.call(person, "profile.list")["profiles"]?.array ?? [] { take("profile", entry, "value") }
        for alarm in try box.call(person, "alarm.list")["alarms"]?.array ?? [] { take("alarm", alarm, "text") }
        try takeSaid(person) { saying in
            take(saying["official"] == true ? "announcement" : "saying", saying, "text")
        }
        return seen
    }

    /// What a member said, and what the member's inbox has of others.
    private func takeSaid(_ person: FamilyBox.Person, _ take: (JSON) -> Void) throws {
        for saying in try box.call(person, "activity.own", ["limit": 50])["sayings"]?.array ?? [] { take(saying) }
        var cursor: JSON?
        repeat {
            let page = try box.call(person, "activity.list", cursor.map { ["before": $0] } ?? [:])
            for entry in page["entries"]?.array ?? [] {
                let parts = entry["about"]?.string?.split(separator: "/") ?? []
                guard parts.count == 2, ["said", "announcement"].contains(parts[0]) else { continue }
                let id = JSON.string(String(parts[1]))
                take(["id": id, "official": .bool(parts[0] == "announcement"), "text": entry["title"] ?? .null])
            }
            cursor = page["next"]
        } while cursor != nil
    }
}
