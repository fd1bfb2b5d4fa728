import KinModel

/// What ids stand for, for people. Names once heard are kept, so that the line about a removed member still has one.
struct Names {
    private var members = ShownNames()
    private var households: [Identifier: String] = [:]
    private var meetings: [Identifier: Meeting] = [:]
    private var places: [Identifier: String] = [:]
    /// Who looks.
    private(set) var me: Identifier?

    init(me: Identifier? = nil) { self.me = me }

    init(_ snapshot: Snapshot) { learn(snapshot) }

    mutating func learn(_ snapshot: Snapshot) {
        me = snapshot.me ?? me
        for member in snapshot.members.values { learn(member) }
        for household in snapshot.households.values { learn(household) }
        for place in snapshot.places.values { learn(place) }
        for seen in snapshot.meetings.values { learn(seen.meeting) }
    }

    /// Takes the names out of an event's data; of a member that is renamed the new one.
    mutating func learn(_ data: JSON) {
        if let member = data["member"].flatMap(Member.init) { learn(member) }
        if let household = data["household"].flatMap(Household.init) { learn(household) }
        if let place = data["place"].flatMap(Place.init) { learn(place) }
        if let meeting = data["meeting"].flatMap(Meeting.init) { learn(meeting) }
        if let id = data["meeting"]?.identifier, let host = data["host"]?.identifier { meetings[id]?.host = host }
    }

    mutating func learn(_ member: Member) { members.learn(member) }
    mutating func learn(_ household: Household) { households[household.id] = Plain.line(household.name) }
    mutating func learn(_ place: Place) { places[place.id] = Plain.line(place.name) }
    mutating func learn(_ meeting: Meeting) { meetings[meeting.id] = meeting }

    /// With the username behind where another member's name looks the same.
    func member(_ id: Identifier?) -> String {
        id.flatMap { members[$0] }.map { Plain.line($0) } ?? phrase("names.somebody")
    }
    /// Whether a member is known by the name it has now.
    func knows(_ member: Member) -> Bool { members.name(of: member.id) == member.displayName }
    func household(_ id: Identifier?) -> String { id.flatMap { households[$0] } ?? phrase("names.unknown") }
    func place(_ id: Identifier?) -> String { id.flatMap { places[$0] } ?? phrase("names.a-place") }
    func meeting(_ id: Identifier?) -> Meeting? { id.flatMap { meetings[$0] } }
    /// What a meeting is called.
    func title(_ id: Identifier?) -> String { meeting(id).map { Plain.line($0.title) } ?? phrase("names.a-meeting") }
}
