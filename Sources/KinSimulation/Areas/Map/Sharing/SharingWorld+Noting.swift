import KinModel

/// What a command that was carried out means for the book.
extension SharingWorld {
    func note(_ deed: SharingDeed) {
        guard let result = deed.result else { return }
        let text = { (name: String) in deed.params[name]?.string }
        switch deed.method {
        case "session.open": open(deed, result, isByPassword: true)
        case "member.join":
            guard let member = result["member"]?["id"]?.identifier else { return }
            book.passwords[member] = (text("password") ?? "", .own)
            open(deed, result, isByPassword: true)
        case "member.add":
            guard let member = result["member"]?["id"]?.identifier else { return }
            book.passwords[member] = (text("password") ?? "", .own)
        case "password.change":
            guard let member = deed.speaker.member else { return }
            book.setPassword(text("new") ?? "", of: member, isOwn: isOwn(deed.speaker), at: clock)
        case "password.reset":
            guard let member = result["member"]?["id"]?.identifier else { return }
            book.setPassword(text("password") ?? "", of: member, isOwn: false, at: clock)
        case "session.link":
            guard let member = deed.params["member"]?.identifier, let link = result["link"]?.string else { return }
            // Who signs in elsewhere by a link of the own making needs nobody's leave.
            let isOwn = isOwn(deed.speaker) && deed.speaker.member == member
            book.signInLinks.append((link, member, isOwn ? .own : .other(by: deed.speaker.member, at: clock)))
        case "session.redeem":
            guard let index = book.signInLinks.firstIndex(where: { $0.secret == text("link") }) else { return }
            let link = book.signInLinks.remove(at: index)
            var origin = link.origin
            if case .other(let by, _) = origin {
                origin = book.inUse.contains(link.member) ? .other(by: by, at: clock) : .own
            }
            if let password = text("password") { book.passwords[link.member] = (password, origin) }
            open(deed, result, isByPassword: false, origin: origin)
        case "session.trust":
            let trusted = (result["trusted"]?.array ?? []).compactMap(\.identifier)
            for index in book.keys.indices where trusted.contains(book.keys[index].id) {
                book.keys[index].isTrusted = true
            }
        case "appPassword.create":
            guard let member = deed.speaker.member, let secret = result["password"]?.string,
                let id = result["id"]?.identifier
            else { return }
            let isOwn = deed.speaker.isRoot || isOwn(deed.speaker)
            let origin = isOwn ? SharingBook.Origin.own : .other(by: nil, at: clock)
            book.keys.append(
                SharingBook.Key(
                    secret: secret, id: id, member: member, origin: origin, openedAt: clock, isAppPassword: true))
        case "invite.create":
            if let code = result["code"]?.string { book.codes.append(code) }
            if let id = result["invite"]?["id"]?.identifier { book.invites.append(id) }
        case "guestLink.create":
            guard let member = deed.speaker.member, let secret = result["secret"]?.string,
                let id = result["guestLink"]?["id"]?.identifier
            else { return }
            let isOwn = deed.speaker.isRoot || isOwn(deed.speaker)
            book.links.append(SharingBook.Link(id: id, secret: secret, member: member, isOwn: isOwn))
        case "household.move":
            guard let mover = deed.params["member"]?.identifier ?? deed.speaker.member,
                let household = deed.params["household"]?.identifier, facts[mover]?.household != household
            else { return }
            // Root may do everything, and so ask for anybody.
            book.moves[mover, default: [:]][household, default: []].insert(
                deed.speaker.isRoot ? mover : deed.speaker.member ?? mover)
        case "household.admit":
            guard let mover = deed.params["member"]?.identifier, deed.params["admit"]?.bool == true,
                let household = deed.params["household"]?.identifier
                    ?? deed.speaker.member.flatMap({ facts[$0]?.household }),
                facts[mover]?.household != household
            else { return }
            let by = deed.speaker.member.map { deed.speaker.isRoot ? [] : [$0] } ?? []
            let admitters = deed.speaker.isRoot ? facts.admitters(of: household, but: mover) : Set(by)
            book.admissions[mover, default: [:]][household, default: []].formUnion(admitters)
        case "member.askGrown":
            guard let member = deed.params["member"]?.identifier ?? deed.speaker.member else { return }
            if book.growing[member] == nil { book.growing[member] = clock }
        case "member.answerGrown":
            if let member = deed.params["member"]?.identifier { book.growing[member] = nil }
        case "place.add", "place.update": agree(toPlace: result["place"]?["id"]?.identifier, deed.speaker)
        case "sharing.set", "sharing.admit", "place.admit": agree(deed)
        default: break
        }
        if book.keys.count > 40 { book.keys.removeFirst() }
    }

    /// Whether a session's word is the member's own.
    func isOwn(_ speaker: SharingSpeaker) -> Bool {
        guard case .key(let key) = speaker else { return false }
        return !SharingBook.isWaiting(key, at: clock)
    }

    private func open(
        _ deed: SharingDeed, _ result: JSON, isByPassword: Bool, origin: SharingBook.Origin? = nil
    ) {
        guard let member = result["member"]?["id"]?.identifier, let secret = result["token"]?.string,
            let id = result["session"]?.identifier
        else { return }
        let origin = origin ?? book.origin(ofPassword: member, at: clock)
        book.keys.append(
            SharingBook.Key(secret: secret, id: id, member: member, origin: origin, openedAt: clock))
        book.inUse.insert(member)
    }

    /// Who puts a place down or moves it knows how it is, and so for the children it speaks for.
    private func agree(toPlace id: Identifier?, _ speaker: SharingSpeaker) {
        guard let by = speaker.member, speaker.isRoot || isOwn(speaker),
            let place = facts.places.first(where: { $0.id == id })
        else { return }
        for person in facts.people where person.id == by || facts.holders[person.id] == by {
            guard place.seers.contains(person.id) else { continue }
            book.agreements[person.id, default: .init()].circles[place.id] = place.circle
        }
    }

    /// Somebody says what others may see, of itself or of a child.
    private func agree(_ deed: SharingDeed) {
        guard let watched = deed.params["member"]?.identifier ?? deed.speaker.member else { return }
        switch deed.method {
        case "sharing.admit":
            guard deed.params["admit"]?.bool == true, let viewer = deed.params["viewer"]?.identifier else { return }
            for group in ["household", "everyone"]
            where SharingBook.group(group, of: watched, facts).contains(viewer) {
                book.agreements[watched, default: .init()].groups[group, default: []].insert(viewer)
            }
        case "place.admit":
            guard deed.params["admit"]?.bool == true, let id = deed.params["place"]?.identifier else { return }
            book.agreements[watched, default: .init()].circles[id] = facts.places.first { $0.id == id }?.circle
        default:
            if let rules = deed.params["rules"]?.array {
                book.agreements[watched, default: .init()].rules = rules.map { rule in
                    SharingBook.Rule(
                        viewer: rule["viewer"]?.string ?? "",
                        precision: Precision(rawValue: rule["precision"]?.string ?? "") ?? .off,
                        history: rule["history"]?.bool ?? false, until: rule["until"]?.instant)
                }
            }
            if deed.params["state"]?.string == "on" || deed.params["rules"] != nil { book.agree(watched, facts) }
        }
    }
}
