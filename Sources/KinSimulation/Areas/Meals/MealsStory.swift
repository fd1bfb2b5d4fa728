import KinModel

extension MealsLife {
    static let stories = [
        FoldStory(
            "meals",
            "A meal is planned with two choices, voted on, decided, eaten by one; it is hidden from one, shown again, and taken out of the plan.",
            view: "meals"
        ) { (family) throws(Finding) in
            try family.asks("ada", "meal.put", ["date": "2027-09-01", "slot": "lunch", "title": "Soup"])
            try family.comes()
            try family.asks(
                "ada", "meal.put",
                [
                    "date": "2027-09-02", "choices": [["title": "Pancakes"], ["title": "Pizza"]],
                    "cook": family.id("ada"), "servings": 4, "note": "Gran comes",
                ])
            let meal = try family.told("meal.put")["meal"]?["id"] ?? .null
            try family.asks("ben", "meal.vote", ["meal": meal, "choices": [2]])
            try family.asks("ben", "meal.eat", ["meal": meal, "eats": "in"])
            try family.compare()
            try family.asks("ada", "meal.decide", ["meal": meal, "choice": 2])
            try family.asks("ada", "meal.put", ["meal": meal, "audience": []])
            try family.compare()
            try family.asks("ada", "meal.put", ["meal": meal, "audience": "everyone"])
            try family.compare()
            try family.asks("ada", "meal.remove", ["meal": meal])
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ada", "meal.put", ["date": "2027-09-03", "title": "Soup"])
    }
}
