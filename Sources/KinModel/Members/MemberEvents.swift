/// Events of the family and its households.
extension Family {
    package static let founded = EventType(
        "family.founded", "The family was founded.", Shown.self, isInEveryView: true)
    package static let renamed = EventType(
        "family.renamed", "The family has another name.", Shown.self, isInEveryView: true)

    /// The family.
    package struct Shown: WireRecord {
        package let family: Family

        package init(family: Family) { self.family = family }

        package static let fields = Fields(nil, Shown.init(family:), .required("family", \.family, Family.form))
    }
}

extension Household {
    package static let founded = EventType("household.founded", "A household was founded; everyone.", Shown.self)
    package static let renamed = EventType(
        "household.renamed", "A household has another name; everyone, and its guests.", Shown.self)
    package static let removed = EventType(
        "household.removed", "A household nobody lives in any more is gone; everyone.", Named.self, sight: .ends)

    /// The household as it is now.
    package struct Shown: WireRecord {
        package let household: Household

        package init(household: Household) { self.household = household }

        package static let fields = Fields(
            nil, Shown.init(household:),
            .required("household", \.household, Household.form))
    }

    /// The household, by its identifier.
    package struct Named: WireRecord {
        package let household: Identifier

        package init(household: Identifier) { self.household = household }

        package static let fields = Fields(nil, Named.init(household:), .required("household", \.household, .id))
    }
}

/// The events of members, as everybody sees them.
extension Member {
    package static let added = EventType(
        "member.added", "An admin or head added a member; everyone, and guests of the household.", Shown.self)
    package static let joined = EventType(
        "member.joined", "A member joined with a code; everyone, and guests of the household.", Shown.self)
    package static let updated = EventType(
        "member.updated", "Something others see of a member changed; everyone, and guests of the household.",
        Changed.self)
    package static let moved = EventType(
        "member.moved", "A member lives in another household; everyone.", Changed.self)
    package static let removed = EventType(
        "member.removed", "A member is gone; everyone, and guests of the household.", Named.self, sight: .ends)

    /// The member, who is new.
    package struct Shown: WireRecord {
        package let member: Member

        package init(member: Member) { self.member = member }

        package static let fields = Fields(nil, Shown.init(member:), .required("member", \.member, Member.form))
    }

    /// The member as it is now, and the names of what changed.
    package struct Changed: WireRecord {
        package let member: Member
        package let changed: [String]

        package init(member: Member, changed: [String]) {
            self.member = member
            self.changed = changed
        }

        package static let fields = Fields(
            nil, Changed.init(member:changed:),
            .required("member", \.member, Member.form),
            .required(
                "changed", \.changed, .list(.token(max: 64), max: 16), "The member's fields that are not as they were.",
                absent: []))
    }

    /// The member, by its identifier.
    package struct Named: WireRecord {
        package let member: Identifier

        package init(member: Identifier) { self.member = member }

        package static let fields = Fields(nil, Named.init(member:), .required("member", \.member, .id))
    }
}
