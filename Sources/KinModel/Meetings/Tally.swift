/// The counts of a meeting's answers. `voted` + `refused` + `noReply` are the invitees: those who were named, and
/// at a public meeting also those who answered without having been named.
public struct Tally: WireRecord {
    /// The answers on one slot.
    public struct Count: WireRecord {
        /// The slot.
        public let slot: Identifier
        /// How many can.
        public var yes: Int
        /// How many can if they must.
        public var ifNeedBe: Int
        /// How many cannot.
        public var no: Int

        /// A count.
        public init(slot: Identifier, yes: Int = 0, ifNeedBe: Int = 0, no: Int = 0) {
            self.slot = slot
            self.yes = yes
            self.ifNeedBe = ifNeedBe
            self.no = no
        }

        /// As it is written.
        public static let fields = Fields(
            nil, Count.init(slot:yes:ifNeedBe:no:),
            .required("slot", \.slot, .id),
            .required("yes", \.yes, people, "Members who can."),
            .required("ifNeedBe", \.ifNeedBe, people, "Members who can if they must."),
            .required("no", \.no, people, "Members who cannot."))
    }

    /// Invitees who voted on at least one slot.
    public var voted: Int
    /// Invitees who refused.
    public var refused: Int
    /// Invitees who have not answered.
    public var noReply: Int
    /// One count a slot, in the order of the meeting's slots.
    public var slots: [Count]
    /// Invitees who are going; `nil` before a slot is confirmed.
    public var going: Int?
    /// Invitees who said that they are not going; `nil` before a slot is confirmed.
    public var notGoing: Int?

    /// A tally.
    public init(
        voted: Int = 0, refused: Int = 0, noReply: Int = 0, slots: [Count] = [], going: Int? = nil,
        notGoing: Int? = nil
    ) {
        self.voted = voted
        self.refused = refused
        self.noReply = noReply
        self.slots = slots
        self.going = going
        self.notGoing = notGoing
    }

    private static let people = Form.count(max: Limits.membersMax)

    /// As it is written.
    public static let fields = Fields(
        "Tally", Tally.init(voted:refused:noReply:slots:going:notGoing:),
        .required("voted", \.voted, people, "Invitees who voted on at least one slot."),
        .required("refused", \.refused, people, "Invitees who refused."),
        .required("noReply", \.noReply, people, "voted, refused and noReply together are the invitees."),
        .required("slots", \.slots, .list(Count.form, max: Limits.meetingSlotsMax)),
        .optional("going", \.going, people, "Once a slot is confirmed."),
        .optional("notGoing", \.notGoing, people, "Once a slot is confirmed."))

    /// Everybody who is counted.
    public var invitees: Int { voted + refused + noReply }
}
