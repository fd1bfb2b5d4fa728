import KinModel
import KinWords

extension CommandArea {
    /// The commands for the family's meals.
    static let meals = CommandArea(
        name: "Meals", group: .meetings, commands: [.meal],
        file: "meals",
        inboxKinds: ["cooks"])
}

extension Command {
    static let meal = Command(
        name: "meal",
        usage: [
            "meal [DAY]", "meal show NUMBER", "meal search WORDS…",
            "meal plan DAY DISH[ / DISH]… [--slot breakfast|lunch|snack|dinner] [--servings COUNT] [--cook MEMBER] [--for everyone|household|me|MEMBER,…]",
            "meal set NUMBER [DISH[ / DISH]…] [--day DAY] [--slot breakfast|lunch|snack|dinner] [--servings COUNT] [--cook MEMBER] [--note TEXT] [--for everyone|household|me|MEMBER,…]",
            "meal cook NUMBER [no]", "meal eat NUMBER in|out|unknown", "meal vote NUMBER none|CHOICE…",
            "meal decide NUMBER none|CHOICE", "meal rm NUMBER", "meal fill LIST [DAY] [--days COUNT]",
            "meal add DISH [INGREDIENT[; INGREDIENT]…] [--servings COUNT] [--minutes COUNT] [--text TEXT]",
            "meal change DISH [INGREDIENT[; INGREDIENT]…] [--title TITLE] [--servings COUNT]"
                + " [--minutes COUNT] [--text TEXT]",
            "meal dishes [WORDS…]", "meal dish DISH", "meal forget DISH", "meal import FILE|ADDRESS",
            "meal menu SOURCE FILE", "meal menu set SOURCE DAY DISH[; DISH]…", "meal outside on|off",
        ],
        options: [
            .value("slot", "MEALTIME"), .value("servings", "COUNT"), .value("cook", "MEMBER"),
            .value("for", "everyone|household|me|MEMBER,…"),
            .value("note", "TEXT"), .value("days", "COUNT"), .value("day", "DAY"), .value("title", "TITLE"),
            .value("minutes", "COUNT"), .value("text", "TEXT"),
        ], words: 0...200,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "", call.words.count) {
            case ("plan", 3...): try MealCommands.plan(call)
            case ("set", 2...): try MealCommands.change(call)
            case ("show", 2): try MealCommands.show(call)
            case ("search", 2...): try MealCommands.search(call)
            case ("cook", 2...3): try MealCommands.cook(call)
            case ("eat", 3): try MealCommands.eat(call)
            case ("vote", 3...): try MealCommands.vote(call)
            case ("decide", 3): try MealCommands.decide(call)
            case ("rm", 2), ("remove", 2): try MealCommands.remove(call)
            case ("fill", 2...): try MealCommands.fill(call)
            case ("add", 2...): try DishCommands.add(call)
            case ("change", 2...): try DishCommands.change(call)
            case ("dishes", 1...): try DishCommands.list(call)
            case ("dish", 2...): try DishCommands.show(call)
            case ("forget", 2...): try DishCommands.remove(call)
            case ("import", 2): try DishCommands.takeIn(call)
            case ("menu", 3): try DishCommands.menu(call)
            case ("menu", 5...) where call.words[1] == "set": try DishCommands.setMenu(call)
            case ("outside", 2): try DishCommands.allow(call)
            case ("plan", _), ("cook", _), ("eat", _), ("vote", _), ("decide", _), ("rm", _), ("remove", _),
                ("fill", _), ("add", _), ("set", _), ("show", _), ("search", _), ("change", _), ("dish", _),
                ("forget", _), ("import", _), ("menu", _), ("outside", _):
                throw call.misused
            default: try MealCommands.week(call)
            }
        })
}
