import KinModel

extension MealsLife {
    static let showingNobody = [
        "meal.put": "a meal is no whereabouts", "meal.remove": "a meal is no whereabouts",
        "meal.vote": "a meal is no whereabouts", "meal.decide": "a meal is no whereabouts",
        "meal.eat": "a meal is no whereabouts", "meal.cook": "a meal is no whereabouts",
        "meal.shop": "a list is no whereabouts", "dish.add": "a dish is no whereabouts",
        "dish.update": "a dish is no whereabouts", "dish.remove": "a dish is no whereabouts",
        "dish.import": "a dish is no whereabouts", "dish.fetch": "a dish is no whereabouts",
        "dish.allowOutside": "whether recipes are read outside", "menu.set": "a menu is no whereabouts",
        "menu.import": "a menu is no whereabouts",
    ]

    /// `[{"@type":"Recipe","name":"Hidden soup","recipeIngredient":["1 kg leeks"]}]`
    private static let page =
        "W3siQHR5cGUiOiJSZWNpcGUiLCJuYW1lIjoiSGlkZGVuIHNvdXAiLCJyZWNpcGVJbmdyZWRpZW50IjpbIjEga2cgbGVla3MiXX1d"
    /// `2027-09-02;Hidden stew;3.20`
    private static let menu = "MjAyNy0wOS0wMjtIaWRkZW4gc3RldzszLjIwCg=="

    static let hidden = [
        HiddenDeed("a meal for nobody else, and what becomes of it", from: .everybody) { stage in
            let mo = JSON.id(try stage.id("mo"))
            let choices: JSON = [["title": .string(stage.words(9))], ["title": .string(stage.words(9))]]
            let meal = try plan(stage, ["choices": choices, "cook": mo, "audience": []])
            try stage.does("mo", "meal.vote", ["meal": .id(meal), "choices": [1]])
            try stage.does("mo", "meal.eat", ["meal": .id(meal), "eats": "in"])
            try stage.does("mo", "meal.decide", ["meal": .id(meal), "choice": 2])
            try stage.does("mo", "meal.cook", ["meal": .id(meal), "cooks": false])
            let list = try stage.does("mo", "list.add", ["name": .string(stage.words(3)), "audience": []])
            try stage.does(
                "mo", "meal.shop",
                ["from": "2027-09-01", "to": "2027-09-07", "list": .id(try stage.hide(list, "list"))])
            if stage.dice.once(in: 2) { try stage.does("mo", "meal.remove", ["meal": .id(meal)]) }
        },
        HiddenDeed("a meal for one and then for another", from: .everybody) { stage in
            let (mia, nan) = (JSON.id(try stage.id("mia")), JSON.id(try stage.id("nan")))
            let meal = try plan(stage, ["title": .string(stage.words(9)), "cook": mia, "audience": [mia]])
            try stage.does("mia", "meal.eat", ["meal": .id(meal), "eats": "out"])
            try stage.does("mo", "meal.put", ["meal": .id(meal), "audience": [nan], "cook": nan])
            try stage.does("nan", "meal.put", ["meal": .id(meal), "title": .string(stage.words(9))])
            try stage.does("mo", "meal.remove", ["meal": .id(meal)])
        },
        HiddenDeed("a dish that is cooked and shopped for", from: .guests) { stage in
            let made = try stage.does(
                "mo", "dish.add", ["title": .string(stage.words(9)), "ingredients": ["1 kg flour", "2 eggs"]])
            let dish = JSON.id(try stage.hide(made, "dish"))
            let meal = try plan(stage, ["dish": dish])
            let list = try stage.does("mo", "list.add", ["name": .string(stage.words(3))])
            let id = JSON.id(try stage.hide(list, "list"))
            for _ in 0..<2 {
                try stage.does("nan", "meal.shop", ["from": "2027-09-01", "to": "2027-09-07", "list": id])
                try stage.does("mo", "dish.update", ["dish": dish, "ingredients": [.string(stage.words(3))]])
            }
            try stage.does("mo", "meal.remove", ["meal": .id(meal)])
            try stage.does("mo", "dish.remove", ["dish": dish])
        },
        HiddenDeed("dishes and menus out of files, and a recipe from outside", from: .guests) { stage in
            try stage.does("mo", "dish.import", ["page": .string(page)])
            try stage.does(
                "nan", "dish.fetch", ["address": .string("https://cooking.example/\(stage.dice.below(1_000_000))")])
            try stage.does("mo", "menu.import", ["source": .string(stage.words(2)), "file": .string(menu)])
            try stage.does(
                "nan", "menu.set",
                [
                    "source": .string(stage.words(2)),
                    "days": [["date": "2027-09-03", "dishes": [["text": .string(stage.words(5))]]]],
                ])
        },
    ]

    private static func plan(_ stage: any HiddenStage, _ said: JSON) throws -> Identifier {
        var said = said
        said["date"] = "2027-09-02"
        return try stage.hide(try stage.does("mo", "meal.put", said), "meal")
    }
}
