public import KinModel

/// An answer that a member can give to a thing by one button, without opening it: a method, called as that member.
public struct InboxAnswer: Sendable {
    /// The name of the button's text among the words (`button.NAME`).
    public let name: String
    /// What is answered. When that has changed by the time the button is pressed, the answer does not count.
    public let subject: String
    /// The method.
    public let method: String
    /// Its parameters.
    public let params: JSON.Object
    /// The parameter that takes the button's text, in the member's language.
    public let spoken: String?

    /// Whether the thing may instead ring again later.
    public let mayWait: Bool

    /// An answer.
    public init(
        _ name: String, to subject: String, _ method: String, _ params: JSON.Object, spoken: String? = nil,
        mayWait: Bool = true
    ) {
        self.name = name
        self.subject = subject
        self.method = method
        self.params = params
        self.spoken = spoken
        self.mayWait = mayWait
    }
}
