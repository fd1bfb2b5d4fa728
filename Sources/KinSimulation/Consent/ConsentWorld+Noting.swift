import KinModel

/// What a command that was carried out means for the book.
extension ConsentWorld {
    func note(_ deed: ConsentDeed) {
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
            book.passwords[member] = (text("new") ?? "", isOwn(deed.speaker) ? .own : .other(by: nil, at: clock))
        case "password.reset":
            guard let member = result["member"]?["id"]?.identifier else { return }
            let isInUse = book.inUse.contains(member)
            book.passwords[member] = (text("password") ?? "", isInUse ? .other(by: nil, at: clock) : .own)
        case "session.link":
            guard let member = deed.params["member"]?.identifier, let link = result["link"]?.string else { return }
            book.signInLinks.append((link, member, deed.speaker.member))
        case "session.redeem":
            guard let index = book.signInLinks.firstIndex(where: { $0.secret == text("link") }) else { return }
            let link = book.signInLinks.remove(at: index)
            let isInUse = book.inUse.contains(link.member)
            let origin = isInUse ? ConsentBook.Origin.other(by: link.by, at: clock) : .own
            if let password = text("password") { book.passwords[link.member] = (password, origin) }
            open(deed, result, isByPassword: false, origin: origin)
        case "session.trust":
            for index in book.keys.indices where book.keys[index].id == deed.params["session"]?.identifier {
                book.keys[index].isTrusted = true
            }
        case "appPassword.create":
            guard let member = deed.speaker.member, let secret = result["password"]?.string,
                let id = result["id"]?.identifier
            else { return }
            let origin = isOwn(deed.speaker) ? ConsentBook.Origin.own : .other(by: nil, at: clock)
            book.keys.append(
                ConsentBook.Key(
                    secret: secret, id: id, member: member, origin: origin, openedAt: clock, isAppPassword: true))
        case "invite.create":
            if let code = result["code"]?.string { book.codes.append(code) }
            if let id = result["invite"]?["id"]?.identifier { book.invites.append(id) }
        case "guestLink.create":
            guard let member = deed.speaker.member, let secret = result["secret"]?.string,
                let id = result["guestLink"]?["id"]?.identifier
            else { return }
            let isOwn = deed.speaker.isRoot || isOwn(deed.speaker)
            book.links.append(ConsentBook.Link(id: id, secret: secret, member: member, isOwn: isOwn))
        case "household.move":
            guard let mover = deed.params["member"]?.identifier ?? deed.speaker.member,
                let household = deed.params["household"]?.identifier, facts[mover]?.household != household
            else { return }
            book.moves[mover, default: [:]][household, default: []].insert(deed.speaker.member ?? mover)
        case "member.askGrown":
            if let member = deed.params["member"]?.identifier ?? deed.speaker.member { book.growing[member] = clock }
        case "sharing.set", "sharing.admit", "place.admit": agree(deed)
        default: break
        }
        if book.keys.count > 40 { book.keys.removeFirst() }
    }

    /// Whether a session's word is the member's own.
    func isOwn(_ speaker: ConsentSpeaker) -> Bool {
        guard case .key(let key) = speaker else { return false }
        return !ConsentBook.isWaiting(key, at: clock)
    }

    private func open(
        _ deed: ConsentDeed, _ result: JSON, isByPassword: Bool, origin: ConsentBook.Origin? = nil
    ) {
        guard let member = result["member"]?["id"]?.identifier, let secret = result["token"]?.string,
            let id = result["session"]?.identifier
        else { return }
        let origin = origin ?? book.origin(ofPassword: member, at: clock)
        book.keys.append(
            ConsentBook.Key(secret: secret, id: id, member: member, origin: origin, openedAt: clock))
        book.inUse.insert(member)
    }

    /// Somebody says what others may see, of itself or of a child.
    private func agree(_ deed: ConsentDeed) {
        guard let watched = deed.params["member"]?.identifier ?? deed.speaker.member else { return }
        switch deed.method {
        case "sharing.admit":
            guard deed.params["admit"]?.bool == true, let viewer = deed.params["viewer"]?.identifier else { return }
            for group in ["household", "everyone"]
            where ConsentBook.group(group, of: watched, facts).contains(viewer) {
                book.agreements[watched, default: .init()].groups[group, default: []].insert(viewer)
            }
        case "place.admit":
            guard deed.params["admit"]?.bool == true, let id = deed.params["place"]?.identifier else { return }
            book.agreements[watched, default: .init()].circles[id] = facts.places.first { $0.id == id }?.circle
        default:
            if let rules = deed.params["rules"]?.array {
                book.agreements[watched, default: .init()].rules = rules.map { rule in
                    ConsentBook.Rule(
                        viewer: rule["viewer"]?.string ?? "",
                        precision: Precision(rawValue: rule["precision"]?.string ?? "") ?? .off,
                        history: rule["history"]?.bool ?? false, until: rule["until"]?.instant)
                }
            }
            if deed.params["state"]?.string == "on" || deed.params["rules"] != nil { book.agree(watched, facts) }
        }
    }
}
