/// Events of members' positions.
extension Position {
    package static let seen = EventType(
        "position",
        "A member is somewhere: to the member, and while sharing is on to whom the rules name, as much as they say.",
        Seen.self, isLatestOnly: true)
    package static let hidden = EventType(
        "position.hidden", "A member shares no longer, or less: to all who saw more of the position.",
        Member.Named.self, isLatestOnly: true, sight: .takes, clears: { _ in [] })
    package static let deleted = EventType(
        "position.deleted", "A member deleted the latest position with others of its time: to all who saw it.",
        Member.Named.self, sight: .takes, clears: { _ in [] })

    /// As much of a member's position as a viewer sees. Both kinds have encoders of their own, because this is written
    /// most.
    package enum Seen: WireValue {
        case position(Position)
        case presence(Presence)

        package init?(_ json: JSON) {
            if let position = Position(json) {
                self = .position(position)
            } else if let presence = Presence(json) {
                self = .presence(presence)
            } else {
                return nil
            }
        }

        package var json: JSON {
            switch self {
            case .position(let position): position.json
            case .presence(let presence): presence.json
            }
        }

        /// Declared beside the points that a phone reports.
        package static var shape: Shape { .any }
    }
}

extension Sharing {
    package static let changed = EventType(
        "sharing.changed",
        "The member's own sharing or its rules were changed, by the member, by who holds them, or because they ended.",
        Changed.self)

    /// The sharing as it is now, and the names of what changed.
    package struct Changed: WireRecord {
        /// What can have changed.
        package enum Change: String, Sendable, CaseIterable, Hashable {
            case state, rules, history, viewers, holder
        }

        package let sharing: Sharing
        package let changes: [Change]

        package init(sharing: Sharing, changes: [Change]) {
            self.sharing = sharing
            self.changes = changes
        }

        package static let fields = Fields(
            nil, Changed.init(sharing:changes:),
            .required("sharing", \.sharing, Sharing.form),
            .required(
                "changes", \.changes, .list(.word, max: Change.allCases.count), "What is not as it was.", absent: []))
    }
}

/// Events of places.
extension Place {
    package static let added = EventType("place.added", "A place was put on the map; who sees it.", Shown.self)
    package static let updated = EventType("place.updated", "A place changed; who sees it.", Shown.self)
    package static let shown = EventType(
        "place.shown", "The whole place, to each who sees it from now on.", Shown.self, sight: .gives)
    package static let hidden = EventType(
        "place.hidden", "To each who sees the place no longer.", Named.self, sight: .takes,
        clears: { lines(about: $0.place) })
    package static let removed = EventType(
        "place.removed", "A place is gone; who saw it.", Named.self, sight: .ends, clears: { lines(about: $0.place) })

    /// The inbox lines about a place: that it was new, who came there, and what was agreed.
    private static func lines(about place: Identifier) -> [String] {
        ["place/\(place)", "stay/%/\(place)", "agreement/\(place)%"]
    }

    /// The whole place.
    package struct Shown: WireRecord {
        package let place: Place

        package init(place: Place) { self.place = place }

        package static let fields = Fields(nil, Shown.init(place:), .required("place", \.place, Place.form))
    }

    /// The place, by its identifier.
    package struct Named: WireRecord {
        package let place: Identifier

        package init(place: Identifier) { self.place = place }

        package static let fields = Fields(nil, Named.init(place:), .required("place", \.place, .id))
    }
}
