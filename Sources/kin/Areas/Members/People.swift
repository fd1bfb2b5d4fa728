import KinModel
import KinWords

/// The family as the caller sees it, from the daemon. It has the names for answers, and finds members and households
/// that the command line names.
struct People {
    let family: Family?
    let households: [Household]
    let members: [Member]
    /// The name with which the caller signs in; `nil` if the caller is no member.
    let username: String?

    init(_ call: Invocation) throws(Problem) {
        username = try call.door().username
        let shown = try call.call("family.show")
        family = shown["family"].flatMap(Family.init)
        households = (shown["households"]?.array ?? []).compactMap(Household.init)
        members = (try call.call("member.list")["members"]?.array ?? []).compactMap(Member.init)
    }

    init(family: Family? = nil, households: [Household] = [], members: [Member], username: String? = nil) {
        (self.family, self.households, self.members, self.username) = (family, households, members, username)
    }

    /// Names, including the caller's, so that a sentence about a child does not read as one about the caller.
    var names: Names {
        var names = Names(me: members.first { !$0.username.isEmpty && $0.username == username }?.id)
        for household in households { names.learn(household) }
        for member in members { names.learn(member) }
        return names
    }

    /// The member with an identifier, a username or a name.
    func member(_ text: String) throws(Problem) -> Member {
        if let exact = members.first(where: { $0.id.description == text || $0.username == text }) { return exact }
        let named = members.filter { $0.displayName.lowercased() == text.lowercased() }
        guard named.count < 2 else {
            let usernames = named.map(\.username).joined(separator: ", ")
            throw .usage(phrase("people.several", ["name": Plain.line(text), "usernames": usernames]))
        }
        guard let member = named.first else {
            throw Problem(.refused, phrase("people.no-member", ["name": Plain.line(text)]))
        }
        return member
    }

    /// The household with an identifier or a name.
    func household(_ text: String) throws(Problem) -> Household {
        if let exact = households.first(where: { $0.id.description == text || $0.name == text }) { return exact }
        let named = households.filter { $0.name.lowercased() == text.lowercased() }
        guard named.count == 1 else {
            throw Problem(
                .refused,
                named.isEmpty
                    ? phrase("people.no-household", ["name": Plain.line(text)])
                    : phrase("people.several-households", ["name": Plain.line(text)]))
        }
        return named[0]
    }

    /// The household that is meant where none is named: the caller's own, or the only one.
    func ownHousehold() throws(Problem) -> Household {
        let mine = members.first { !$0.username.isEmpty && $0.username == username }?.household
        if let own = households.first(where: { $0.id == mine }) { return own }
        guard households.count != 1 else { return households[0] }
        let names = households.map { Plain.line($0.name) }.sorted().joined(separator: ", ")
        throw .usage(phrase("member.which-household", ["households": names]))
    }
}
