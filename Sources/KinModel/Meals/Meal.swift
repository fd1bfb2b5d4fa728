/// A meal that the family plans: on which day, what there is, who cooks and who eats.
public struct Meal: WireRecord {
    /// The time of the day that a meal is for.
    public enum Slot: String, Sendable, CaseIterable, Hashable {
        /// In the morning.
        case breakfast
        /// At noon.
        case lunch
        /// Between the others.
        case snack
        /// In the evening.
        case dinner

        /// Its place within a day.
        public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Which one.
    public let id: Identifier
    /// The day, such as `2026-11-24`.
    public var date: String
    /// The time of the day.
    public var slot: Slot
    /// The choices: the dish, or several dishes to vote on.
    public var choices: [MealChoice]
    /// The number of the choice that was decided on.
    public var chosen: Int64?
    /// Who cooks.
    public var cook: Identifier?
    /// How many servings are cooked.
    public var servings: Int64?
    /// More about it.
    public var note: String?
    /// The answers of members: whether they eat, and what they vote for. Members who said nothing are not there.
    public var parts: [MealPart]

    /// A meal.
    public init(
        id: Identifier, date: String, slot: Slot, choices: [MealChoice], chosen: Int64? = nil,
        cook: Identifier? = nil, servings: Int64? = nil, note: String? = nil, parts: [MealPart] = []
    ) {
        self.id = id
        self.date = date
        self.slot = slot
        self.choices = choices
        self.chosen = chosen
        self.cook = cook
        self.servings = servings
        self.note = note
        self.parts = parts
    }

    /// The dish that there will be: the only choice, or the one that was decided on.
    public var decided: MealChoice? {
        choices.count == 1 ? choices.first : choices.first { $0.number == chosen }
    }

    /// What it is called: what there is, or what it may be.
    public var title: String { decided?.title ?? choices.map(\.title).joined(separator: " / ") }

    /// How many voted for a choice.
    public func votes(for choice: MealChoice) -> Int { parts.count { $0.votes.contains(choice.number) } }

    /// As it is written.
    public static let fields = Fields(
        "Meal", Meal.init(id:date:slot:choices:chosen:cook:servings:note:parts:),
        .required("id", \.id, .id),
        .required("date", \.date, dateForm, "A day, such as 2026-11-24."),
        .required("slot", \.slot, .word),
        .required(
            "choices", \.choices, .list(MealChoice.form, max: Limits.mealChoicesMax),
            "What there is; if it is several dishes, they are voted on."),
        .optional("chosen", \.chosen, MealChoice.numberForm, "The choice that was decided on, if there are several."),
        .optional("cook", \.cook, .id, "Who cooks."),
        .optional("servings", \.servings, servingsForm, "For how many it is."),
        .optional("note", \.note, noteForm),
        .required(
            "parts", \.parts, .list(MealPart.form, max: Limits.membersMax),
            "What members said; those who said nothing are not there.", absent: []))

    /// The day.
    public static let dateForm = Form.token(max: 10)
    /// How many servings.
    public static let servingsForm = Form.integer(1...Limits.servingsMax)
    /// The note.
    public static let noteForm = Form.text(max: Limits.mealNoteCharactersMax)
}

/// One dish that a meal may be.
public struct MealChoice: WireRecord, Hashable {
    /// Its number in the meal. No other choice of the meal has it, nor gets it later.
    public let number: Int64
    /// Its title. A planned meal keeps the title that the dish had when it was planned.
    public var title: String
    /// The dish with its ingredients; `nil` for a meal that is only a title. The dish may be gone.
    public var dish: Identifier?

    /// A choice.
    public init(number: Int64, title: String, dish: Identifier? = nil) {
        self.number = number
        self.title = title
        self.dish = dish
    }

    /// As it is written.
    public static let fields = Fields(
        "MealChoice", MealChoice.init(number:title:dish:),
        .required("number", \.number, numberForm, "Its number in the meal, by which it is voted for."),
        .required("title", \.title, Dish.titleForm),
        .optional("dish", \.dish, .id, "The dish with its ingredients, which may be gone."))

    /// The number.
    public static let numberForm = Form.integer(1...Limits.mealChoiceNumberMax)
}

/// One member's answer to a meal.
public struct MealPart: WireRecord, Hashable {
    /// Whether a member eats.
    public enum Answer: String, Sendable, CaseIterable, Hashable {
        /// Eats with the others.
        case isIn = "in"
        /// Does not.
        case out
    }

    /// Who.
    public let member: Identifier
    /// Whether the member eats; `nil`: nobody knows.
    public var eats: Answer?
    /// The choices that the member votes for.
    public var votes: [Int64]

    /// A part.
    public init(member: Identifier, eats: Answer? = nil, votes: [Int64] = []) {
        self.member = member
        self.eats = eats
        self.votes = votes
    }

    /// As it is written.
    public static let fields = Fields(
        "MealPart", MealPart.init(member:eats:votes:),
        .required("member", \.member, .id),
        .optional("eats", \.eats, .word, "Whether the member eats; absent: nobody knows."),
        .required("votes", \.votes, votesForm, "The numbers of the choices that the member votes for.", absent: []))

    /// The votes.
    public static let votesForm = Form.list(MealChoice.numberForm, max: Limits.mealChoicesMax)
}
