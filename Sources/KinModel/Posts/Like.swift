/// One member's opinion of a post, a comment, a piece of news or a picture, in one of six words.
public struct Like: WireRecord, Hashable {
    /// The words, as clients show them: 👍 ❤️ 😂 😮 😢 🙏.
    public enum Reaction: String, Sendable, CaseIterable, Hashable {
        case like, love, laugh, wow, sad, thanks

        /// As it is shown.
        public var sign: String {
            switch self {
            case .like: "👍"
            case .love: "❤️"
            case .laugh: "😂"
            case .wow: "😮"
            case .sad: "😢"
            case .thanks: "🙏"
            }
        }
    }

    /// Who thinks so.
    public let member: Identifier
    /// What.
    public var reaction: Reaction

    /// A like.
    public init(member: Identifier, reaction: Reaction) {
        self.member = member
        self.reaction = reaction
    }

    /// As it is written.
    public static let fields = Fields(
        "Like", Like.init(member:reaction:), .required("member", \.member, .id),
        .required("reaction", \.reaction, .word, "👍 like, ❤️ love, 😂 laugh, 😮 wow, 😢 sad, 🙏 thanks."))

    /// What some think of one thing, by member.
    package static let list = Form.list(Like.form, max: Limits.membersMax)
}

extension [Like] {
    /// The same with another word of one member, or with none; by member.
    package func with(_ reaction: Like.Reaction?, of member: Identifier) -> [Like] {
        let others = filter { $0.member != member }
        guard let reaction else { return others }
        return (others + [Like(member: member, reaction: reaction)]).sorted { $0.member < $1.member }
    }
}
