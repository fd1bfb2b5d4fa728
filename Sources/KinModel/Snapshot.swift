/// Everything a member sees at one cursor. At every `upto`, a snapshot with the events since applied equals a fresh
/// snapshot: ``apply(_:)`` is the norm for every client.
public struct Snapshot: Sendable, Hashable {
    /// The family; `nil` before it is founded.
    public var family: Family?
    /// The member who looks.
    public var me: Identifier?
    /// Households in sight, by identifier.
    public var households: [Identifier: Household] = [:]
    /// Members in sight, by identifier.
    public var members: [Identifier: Member] = [:]
    /// Latest positions in sight, by member.
    public var positions: [Identifier: Position] = [:]
    /// Members of whom the name of a place is seen, or whether they are at home, by member; none is in both.
    public var presences: [Identifier: Presence] = [:]
    /// The looking member's own sharing.
    public var sharing: Sharing = .off
    /// Places in sight, by identifier; without their notes.
    public var places: [Identifier: Place] = [:]
    /// Meetings in sight that are not over, with the looking member's part, by identifier; without their notes.
    public var meetings: [Identifier: SeenMeeting] = [:]
    /// What the looking member has not read.
    public var inbox = Inbox()

    /// Parts that do not hold all the member sees: `meetings`, `places`, `positions`. What was left out is listed by the
    /// area's question (meeting.list, place.list, position.latest), and comes with its next event.
    public var more: Set<String> = []

    /// Parts that are not in it because they lie outside its view or had no room, by their names in ``json``. Events put
    /// nothing there.
    public private(set) var absent: Set<String> = []

    /// The parts that belong to a view; the others are in every snapshot.
    private static let parts = ["households", "members", "positions", "sharing", "places", "meetings", "inbox"]

    /// An empty one.
    public init() {}

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let object = json.object else { return nil }
        family = json["family"].flatMap(Family.init)
        me = json["me"]?.identifier
        for household in (json["households"]?.array ?? []).compactMap(Household.init) {
            households[household.id] = household
        }
        for member in (json["members"]?.array ?? []).compactMap(Member.init) { members[member.id] = member }
        for position in (json["positions"]?.array ?? []).compactMap(Position.init) {
            positions[position.member] = position
        }
        for presence in (json["positions"]?.array ?? []).compactMap(Presence.init) {
            presences[presence.member] = presence
        }
        sharing = json["sharing"].flatMap(Sharing.init) ?? .off
        for place in (json["places"]?.array ?? []).compactMap(Place.init) { places[place.id] = place }
        for seen in (json["meetings"]?.array ?? []).compactMap(SeenMeeting.init) { meetings[seen.meeting.id] = seen }
        inbox = json["inbox"].map { Inbox($0) } ?? Inbox()
        more = Set((json["more"]?.array ?? []).compactMap(\.string))
        absent = Set(Self.parts.filter { object[$0] == nil })
    }

    /// Takes parts out: they lie outside the view, or have no room.
    public mutating func leaveOut(_ names: some Sequence<String>) {
        absent.formUnion(names)
        clearAbsent()
    }

    private mutating func clearAbsent() {
        for name in absent {
            switch name {
            case "households": households = [:]
            case "members": members = [:]
            case "positions": (positions, presences) = ([:], [:])
            case "sharing": sharing = .off
            case "places": places = [:]
            case "meetings": meetings = [:]
            case "inbox": inbox = Inbox()
            default: break
            }
        }
    }

    /// Arrays sorted by identifier, so that equal snapshots are equal bytes.
    public var json: JSON {
        var all: JSON = [:]
        for name in names { all[name] = part(name) }
        return all
    }

    /// The names of its members, in their order.
    public var names: [String] {
        ["family", "me"] + Self.parts.filter { !absent.contains($0) } + (more.isEmpty ? [] : ["more"])
    }

    /// One of its members as JSON, by its name.
    public func part(_ name: String) -> JSON {
        switch name {
        case "family": family?.json ?? .null
        case "me": me.map { .id($0) } ?? .null
        case "more": .array(more.sorted().map { .string($0) })
        case "households": .array(households.values.sorted { $0.id < $1.id }.map(\.json))
        case "members": .array(members.values.sorted { $0.id < $1.id }.map(\.json))
        case "positions": seen
        case "sharing": sharing.json
        case "places": .array(places.values.sorted { $0.id < $1.id }.map(\.json))
        case "meetings": .array(meetings.values.sorted { $0.meeting.id < $1.meeting.id }.map(\.json))
        case "inbox": inbox.json
        default: preconditionFailure("no snapshot has a part \(name)")
        }
    }

    /// Where members are, with coordinates or without, by member.
    private var seen: JSON {
        let all = positions.mapValues(\.json).merging(presences.mapValues(\.json)) { first, _ in first }
        return .array(all.sorted { $0.key < $1.key }.map(\.value))
    }

    /// What an event does to what a member sees. Unknown types change nothing: a newer daemon may send them.
    public mutating func apply(_ event: Event) {
        change(event)
        if !absent.isEmpty { clearAbsent() }
    }

    private mutating func change(_ event: Event) {
        switch event.type {
        case "family.founded", "family.renamed":
            family = event.data["family"].flatMap(Family.init) ?? family
            take(event.data)
        case "household.founded", "household.renamed", "member.added", "member.joined", "member.updated",
            "member.moved":
            take(event.data)
        case "household.removed":
            if let id = event.data["household"]?.identifier { households[id] = nil }
        case "member.removed":
            guard let id = event.data["member"]?.identifier else { return }
            members[id] = nil
            positions[id] = nil
            presences[id] = nil
            for key in members.keys {
                members[key]?.parents.removeAll { $0 == id }
                members[key]?.partners.removeAll { $0 == id }
            }
        case "position":
            if let position = Position(event.data) {
                positions[position.member] = position
                presences[position.member] = nil
            } else if let presence = Presence(event.data) {
                presences[presence.member] = presence
                positions[presence.member] = nil
            }
        case "position.hidden", "position.deleted":
            if let member = event.data["member"]?.identifier {
                positions[member] = nil
                presences[member] = nil
            }
        case "sharing.changed":
            if let changed = event.data["sharing"].flatMap(Sharing.init) { sharing = changed }
        case let type where type.hasPrefix("meeting."): applyMeeting(event)
        case let type where type.hasPrefix("place."): applyPlace(event)
        default: inbox.apply(event, of: me)
        }
    }

    private mutating func take(_ data: JSON) {
        if let household = data["household"].flatMap(Household.init) { households[household.id] = household }
        if let member = data["member"].flatMap(Member.init) { members[member.id] = member }
    }
}
