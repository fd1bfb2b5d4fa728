public import KinModel

/// An answer that a member can give to a thing by one button, without opening it: a method, called as that member.
public struct InboxAnswer: Sendable {
    /// The name of the button's text among the words (`button.NAME`).
    public let name: String
    /// The question, as it stood when the button was offered. If it has changed since, the answer does not count.
    public let subject: String
    /// The method.
    public let method: String
    /// Its parameters.
    public let params: JSON.Object
    /// The parameter that takes the button's text, in the member's language.
    public let spoken: String?

    /// Whether the thing may instead ring again later.
    public let mayWait: Bool

    /// Whether the question goes on until it is answered: to read it does not silence it, and it can be neither put off
    /// nor removed.
    public let insists: Bool

    /// An answer.
    public init(
        _ name: String, to subject: String, _ method: String, _ params: JSON.Object, spoken: String? = nil,
        mayWait: Bool = true, insists: Bool = false
    ) {
        self.name = name
        self.subject = subject
        self.method = method
        self.params = params
        self.spoken = spoken
        self.mayWait = mayWait
        self.insists = insists
    }
}

extension Act {
    /// The answers that a member can give now to the thing that an `about` such as `meeting/0198…` names.
    package func answers(about: String, by reader: Roster.Entry) throws(Rejection) -> [InboxAnswer] {
        let parts = about.split(separator: "/")
        guard parts.count == 2, let thing = Identifier(parts[1]),
            let area = areas.first(where: { $0.answers[String(parts[0])] != nil })
        else { return [] }
        return try area.answers[String(parts[0])]?(self, thing, reader) ?? []
    }

    /// Whether that thing asks a member something until it is answered (``InboxAnswer/insists``).
    package func insists(about: String, on reader: Roster.Entry) throws(Rejection) -> Bool {
        try answers(about: about, by: reader).contains(where: \.insists)
    }
}
