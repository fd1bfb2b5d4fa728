/// How a meeting's invitees have answered. `voted` + `refused` + `noReply` are the invitees: those who were named, and
/// at a public meeting also those who answered without having been named.
public struct Tally: Sendable, Hashable {
    /// The answers on one slot.
    public struct Count: Sendable, Hashable {
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

        /// Reads `{"slot","yes","ifNeedBe","no"}`.
        public init?(_ json: JSON) {
            guard let slot = json["slot"]?.identifier, let yes = json["yes"]?.count,
                let ifNeedBe = json["ifNeedBe"]?.count, let no = json["no"]?.count
            else { return nil }
            self.init(slot: slot, yes: yes, ifNeedBe: ifNeedBe, no: no)
        }

        /// `{"slot","yes","ifNeedBe","no"}`.
        public var json: JSON {
            [
                "slot": .id(slot), "yes": .int(Int64(yes)), "ifNeedBe": .int(Int64(ifNeedBe)), "no": .int(Int64(no)),
            ]
        }
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

    /// Everybody who is counted.
    public var invitees: Int { voted + refused + noReply }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let voted = json["voted"]?.count, let refused = json["refused"]?.count,
            let noReply = json["noReply"]?.count, let slots = json["slots"]?.array
        else { return nil }
        self.init(
            voted: voted, refused: refused, noReply: noReply, slots: slots.compactMap(Count.init),
            going: json["going"]?.count, notGoing: json["notGoing"]?.count)
    }

    /// `{"voted","refused","noReply","slots":[{"slot","yes","ifNeedBe","no"}],"going"?,"notGoing"?}`.
    public var json: JSON {
        .object(leavingOut: [
            "voted": .int(Int64(voted)), "refused": .int(Int64(refused)), "noReply": .int(Int64(noReply)),
            "slots": .array(slots.map(\.json)), "going": going.map { .int(Int64($0)) },
            "notGoing": notGoing.map { .int(Int64($0)) },
        ])
    }
}

extension JSON {
    /// A number of people or things: from 0 to a million, so that sums of them stay numbers.
    fileprivate var count: Int? { int.flatMap { (0...1_000_000).contains($0) ? Int($0) : nil } }
}
