import KinCrypto
import KinModel
import Testing

@testable import KinFamilyBox

extension UpgradeFixture {
    /// What members ask of the areas that came later.
    static let newerQuestions: [(who: String, method: String, params: JSON.Object)] = [
        ("ada", "list.list", [:]), ("ben", "item.suggest", ["words": "fl"]), ("ben", "post.list", [:]),
        ("ada", "room.list", [:]), ("ben", "notice.list", [:]), ("ada", "alarm.list", [:]),
        ("kim", "alarm.shortcuts", [:]), ("ada", "calendar.list", [:]), ("ben", "calendar.feeds", [:]),
        ("ben", "entry.list", ["from": "2026-01-01", "to": "2026-12-31", "zone": "Europe/Berlin"]),
        ("ada", "entry.list", ["from": "2026-07-01", "to": "2026-09-01", "zone": "Europe/Berlin", "words": "choir"]),
        ("kim", "picture.list", [:]), ("ada", "picture.categories", [:]),
        ("ben", "meal.list", ["from": "2026-11-01", "to": "2026-12-31"]), ("ada", "dish.list", [:]),
        ("kim", "menu.list", ["from": "2026-07-01", "to": "2026-07-31"]), ("ada", "news.sources", [:]),
        ("ada", "outside.list", [:]), ("ben", "activity.rules", [:]), ("ada", "quota.show", [:]),
    ]

    /// What a family does with the areas that came later.
    func liveOn(_ box: FamilyBox, _ ada: FamilyBox.Person, _ ben: FamilyBox.Person, _ kim: FamilyBox.Person) throws {
        try listAndTell(box, ada, ben, kim)
        try talk(box, ada, ben)
        try plan(box, ada, ben)
        try ring(box, ada, ben, kim)
        let sent = try box.call(
            ada, "picture.add",
            [
                "picture": Self.pixel, "audience": [.id(kim.id)], "people": [.id(kim.id)], "album": "Italy",
                "caption": "The lake",
            ])
        #expect(sent["picture"]?["id"] != nil)
        try eat(box, ada, ben)
        try readOutside(box, ada)
    }

    private func eat(_ box: FamilyBox, _ ada: FamilyBox.Person, _ ben: FamilyBox.Person) throws {
        let dish = try #require(
            try box.call(
                ben, "dish.add", ["title": "Pancakes", "servings": 4, "ingredients": ["250 g flour", "3 eggs"]])[
                    "dish"]?["id"])
        let today = JSON.string(String(box.clock.description.prefix(10)))
        let meal = try #require(
            try box.call(ada, "meal.put", ["date": today, "slot": "dinner", "dish": dish, "cook": .id(ben.id)])[
                "meal"]?["id"])
        try box.call(ben, "meal.eat", ["meal": meal, "eats": "in"])
        try box.call(
            ada, "menu.set",
            ["source": "School", "days": [["date": "2026-07-15", "dishes": [["text": "Lentils", "price": "3.20"]]]]])
    }

    /// What is read outside was not read yet.
    private func readOutside(_ box: FamilyBox, _ ada: FamilyBox.Person) throws {
        try box.call(ada, "outside.allow", ["place": "nas.local"])
        for area in ["news", "calendar"] { try box.call(ada, "\(area).allowOutside", ["on": true]) }
        try box.call(ada, "news.subscribe", ["address": "https://town.example/feed", "name": "The town"])
        try box.call(ada, "calendar.subscribe", ["address": "https://school.example/year.ics", "name": "School"])
    }

    private func listAndTell(
        _ box: FamilyBox, _ ada: FamilyBox.Person, _ ben: FamilyBox.Person, _ kim: FamilyBox.Person
    ) throws {
        let list = try #require(
            try box.call(ada, "list.add", ["name": "Shop", "kind": "shopping", "audience": "everyone"])["list"]?["id"])
        let items: [JSON] = [
            ["id": "01980000-0000-7000-8000-000000000001", "text": "Flour", "amount": 2, "unit": "kg"],
            ["id": "01980000-0000-7000-8000-000000000002", "text": "Milk", "note": "of the farm"],
        ]
        try box.call(ada, "item.put", ["list": list, "items": .array(items)])
        let ticked: JSON = ["id": "01980000-0000-7000-8000-000000000002", "ticked": true]
        try box.call(ben, "item.put", ["list": list, "items": [ticked]])
        let post = try #require(
            try box.call(ben, "post.add", ["text": "The mill turns, @ada", "audience": "everyone"])["post"]?["id"])
        try box.call(kim, "comment.add", ["post": post, "text": "At last"])
        try box.call(ada, "like.set", ["post": post, "reaction": "love"])
    }

    private func talk(_ box: FamilyBox, _ ada: FamilyBox.Person, _ ben: FamilyBox.Person) throws {
        let opened = try box.call(ada, "room.open", ["with": [.id(ben.id)]])
        let room = try #require(opened["room"]?["room"]?["id"])
        let first = try box.call(ada, "message.send", ["room": room, "text": "Are you up?"])
        try box.call(ben, "message.read", ["room": room, "upTo": first["message"]?["id"] ?? .null])
        try box.call(ben, "message.send", ["room": room, "text": "Since six"])
    }

    private func plan(_ box: FamilyBox, _ ada: FamilyBox.Person, _ ben: FamilyBox.Person) throws {
        try box.call(ada, "category.set", ["category": "Scouts", "color": "#00aa00", "icon": .null])
        let club = try #require(
            try box.call(ada, "calendar.add", ["name": "Club", "color": "#3366cc"])["calendar"]?["id"])
        try box.call(ada, "calendar.share", ["calendar": club, "with": "everyone", "right": "read"])
        let choir = try box.call(
            ada, "entry.add",
            [
                "subject": "Choir", "start": "2026-07-14T19:30", "minutes": 90, "zone": "Europe/Berlin",
                "calendar": club, "repeat": "weekly", "invitees": [.id(ben.id)], "remind": [60],
            ])
        try box.call(ben, "entry.answer", ["entry": choir["entry"]?["id"] ?? .null, "answer": "accepted"])
        try box.call(ben, "entry.add", ["subject": "Camp", "start": "2026-08-02", "category": "Scouts"])
        try box.call(ben, "calendar.addFeed", ["name": "Laptop", "calendar": club])
    }

    private func ring(
        _ box: FamilyBox, _ ada: FamilyBox.Person, _ ben: FamilyBox.Person, _ kim: FamilyBox.Person
    ) throws {
        try box.call(ben, "notice.add", ["name": "Pixel", "discreet": true])
        try box.call(ben, "notice.addScript", ["name": "Washer"])
        try box.call(ada, "alarm.raise", ["kind": "come", "to": [.id(ben.id)], "text": "Supper"])
        try box.call(kim, "alarm.addShortcut", ["name": "Watch", "kind": "come", "to": [.id(ada.id)]])
    }

    /// A picture of one pixel, made by code.
    static let pixel = JSON.string(
        Base64.encode(
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 1, 0, 0, 255, 255, 255]
                + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]))
}
