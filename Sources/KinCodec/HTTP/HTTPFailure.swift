/// A message that breaks HTTP/1.1 or a limit. The connection cannot be used further: answer and close.
public struct HTTPFailure: Error, Sendable, Hashable {
    /// The status to answer with, 400 to 505. From a response parser: 502.
    public let status: Int
    /// Why, for the sender.
    public let sentence: String

    /// A failure to be answered with that status.
    public init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }
}
