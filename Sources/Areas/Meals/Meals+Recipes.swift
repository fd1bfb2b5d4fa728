import KinKeeper
import KinModel
import KinStore

/// Recipes of others, from a saved page or from a page outside.
extension Meals {
    private static let page = recipes("page")
    private static let address = recipes("address")

    private static func recipes(_ parameter: String) -> FileImport {
        FileImport(
            parameter, of: "recipe", as: "dish", bytesMax: Limits.recipePageBytesMax,
            linesMax: Limits.recipesPerPageMax, remarksMax: Limits.mealRemarksMax)
    }

    static let importDishes = Method.command(
        "dish.import", "Takes dishes out of a saved page with recipes of schema.org (JSON-LD), and reports on each.",
        access: .family,
        note: """
            A page of HTML or the JSON-LD alone. Nothing of it is run, and texts become plain. A recipe that says the same \
            as a dish is that dish; one of the same title and source changes it. So a page may be imported again.
            """,
        [page.field("The page in base64, at most \(Limits.recipePageBytesMax >> 20) MiB before encoding.")],
        result: page.result(), route: Route("POST", "/api/dishes/import"), events: [Dish.added, Dish.updated],
        isSlow: true, again: { (_, ids) throws(Rejection) in page.again(ids) },
        apply: { (act, params) throws(Rejection) in
            if act.isFirstWay { try count(act) }
            return try page.carryOut(RecipePage.self, act, params, read: { RecipeWork.read($0) }) {
                (recipe, _) throws(Rejection) in try take(recipe, act)
            }
        }
    ).takingParcel(
        as: "page", bytesMax: Limits.recipePageBytesMax,
        mediaTypes: ["text/html", "application/ld+json", "application/json"])

    static let fetchDishes = Method.command(
        "dish.fetch", "Reads a page outside, takes dishes out of its recipes, and reports on each.", access: .family,
        note: """
            Once an admin allowed it (dish.allowOutside). The page is read once, as dish.import reads a saved one; of the \
            page itself nothing is kept.
            """,
        [
            .required(
                "address", .text(max: OutsideAddress.bytesMax),
                "Begins with https://; a machine of the house is asked only where an admin allowed it (outside.allow).")
        ],
        result: address.result(), route: Route("POST", "/api/dishes/fetch"), events: [Dish.added, Dish.updated],
        isSlow: true, again: { (_, ids) throws(Rejection) in address.again(ids) },
        apply: { (act, params) throws(Rejection) in
            if act.isFirstWay {
                try act.require(
                    try mayReadOutside(act), "Recipes are not read outside in this family; an admin can allow it.",
                    asking: try act.admins)
                try count(act)
            }
            return try address.carryOut(
                RecipePage.self, act,
                by: { () throws(Rejection) in
                    RecipeWork(
                        at: try OutsideAddress.read(
                            try params.string("address"), secure: [],
                            wrong: "A recipe's address begins with https://; copy it whole from the browser.", act))
                }
            ) { (recipe, _) throws(Rejection) in try take(recipe, act) }
        })

    static let allowOutside = Method.command(
        "dish.allowOutside", "Allows that recipes are read outside, or forbids it.", access: .admins,
        [.required("on", .bool, "Servers outside learn that this house reads a recipe, and when; not who does.")],
        result: .object([.required("on", .bool)]), route: Route("PUT", "/api/dishes-outside"), events: [],
        again: { (act, _) throws(Rejection) in ["on": .bool(try mayReadOutside(act))] },
        apply: { (act, params) throws(Rejection) in
            let isOn = params["on"]?.bool ?? false
            try act.run("DELETE FROM dish_outside")
            try act.run("INSERT INTO dish_outside (is_on) VALUES (?)", .bool(isOn))
            return .done(["on": .bool(isOn)])
        })

    /// Whether an admin allowed it.
    static func mayReadOutside(_ act: Act) throws(Rejection) -> Bool {
        try act.first("SELECT is_on FROM dish_outside") { row in row.bool(0) } ?? false
    }

    private static func take(
        _ recipe: ReadRecipe, _ act: Act
    ) throws(Rejection) -> (FileImport.Outcome, Identifier?) {
        guard let read = recipe.dish(act.newIdentifier()) else { return (.refused, nil) }
        if var known = try StoredDish.titled(read.title, source: read.source, act) {
            let before = known.wire
            known.wire = Dish(
                id: before.id, title: read.title, servings: read.servings, minutes: read.minutes,
                ingredients: read.ingredients, text: read.text, source: read.source)
            guard known.wire != before else { return (.same, before.id) }
            // A dish without a source may be a member's own: it is not overwritten.
            guard read.source != nil else {
                var dish = StoredDish(read)
                try dish.save(act)
                return (.added, read.id)
            }
            try known.save(act)
            return (.changed, before.id)
        }
        var dish = StoredDish(read)
        try dish.save(act)
        return (.added, read.id)
    }
}

/// Reads a page with recipes: a page that was handed in, or one outside.
struct RecipeWork: SlowWork {
    private let look: OutsideLook

    var sort: WorkSort { .outside }

    init(at address: String) {
        look = OutsideLook(
            at: address, accept: "text/html, application/xhtml+xml, application/ld+json, */*;q=0.1", purpose: "recipes",
            hosts: nil, bytesMax: Limits.recipePageBytesMax, milliseconds: Limits.recipeMilliseconds,
            perMinute: Limits.recipesPerMinute, isPrivate: true)
    }

    func run(at place: borrowing Workplace) -> SlowResult {
        guard let outside = place.outside else { return .failed("Nothing is read outside from here.") }
        switch outside.look(look) {
        case .unchanged: return .failed("The page did not come; try again.")
        case .failed(let failure): return Self.sorry(failure.kind)
        case .shown(let page) where page.status == 200: return Self.read(page.content, from: look.address)
        case .shown(let page):
            return .refused(
                [404, 410].contains(page.status)
                    ? "There is no page at this address; copy it whole from the browser."
                    : "The server does not show this page to the daemon; save it in a browser, and import the file.")
        }
    }

    private static func sorry(_ kind: OutsideFailure.Kind) -> SlowResult {
        switch kind {
        case .refused:
            .refused(
                "The daemon does not read at this address: it is a machine of the house, or leads to one. An admin can allow it: kin outside allow"
            )
        case .redirected:
            .refused("The address leads on and on, or to http://; take the one at which the browser ends.")
        case .untrusted:
            .refused(
                "The server could not show that it is the one that was asked for; save the page in a browser, and import the file."
            )
        case .tooLarge: .refused("The page is larger than \(Limits.recipePageBytesMax >> 20) MiB, which is the most.")
        case .notUnderstood: .refused("What came from this address is no page.")
        case .unreachable: .failed("Nobody answers at this address; look whether it is right, and try again.")
        case .slow: .failed("The page did not come in time; try again, or save it in a browser, and import the file.")
        case .later: .failed("Too much is asked outside at once; try again in a minute.")
        }
    }

    /// Reads a page. Recipes that name no source get the page's address as theirs.
    static func read(_ bytes: [UInt8], from address: String? = nil) -> SlowResult {
        let page = RecipePage(bytes, from: address)
        guard !page.items.isEmpty else {
            return .refused("The page holds no recipe: it needs JSON-LD with a Recipe of schema.org.")
        }
        return .made(page)
    }
}
