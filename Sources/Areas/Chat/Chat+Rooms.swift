import KinKeeper
import KinModel
import KinStore

extension Chat {
    private static let result = Shape.object([.required("room", SeenRoom.shape)])

    static let list = Method.query(
        "room.list", "The rooms that the caller is in, with what is new there.", access: .signedIn,
        note: "a guest those that name the guest",
        result: .object([.required("rooms", .list(SeenRoom.shape, max: Limits.roomsPerAnswerMax), "By identifier.")]),
        route: Route("GET", "/api/rooms"),
        apply: { (act, _) throws(Rejection) in
            let member = try act.member.id
            let rooms = try act.ask { (database) throws(StoreFailure) in try StoredRoom.seen(by: member, database) }
            return .done(["rooms": .array(rooms.sorted { $0.room.id < $1.room.id }.map(\.json))])
        }
    ).listing()

    static let of = Method.query(
        "room.of",
        "With whom a child has rooms of two and groups; nothing of what is said there, nor of what they are called.",
        access: .family, note: "who answers for the child", [.required("member", .id)],
        result: .object([.required("rooms", .list(Room.shape, max: Limits.roomsPerAnswerMax))]),
        route: Route("GET", "/api/members/{member}/rooms"),
        apply: { (act, params) throws(Rejection) in
            let child = try act.member(try params.id("member"))
            let caller = try act.member.id
            try act.require(child.kind == .child, "With whom an adult talks, nobody else sees.")
            try act.require(
                try act.hooks.guardian?(act, child.id) == caller,
                "Only who holds a child's sharing sees with whom it talks. A parent who lives with it takes that on: kin sharing hold MEMBER"
            )
            let rooms = try StoredRoom.with(child.id, act).filter { $0.kind == .direct || $0.kind == .group }
            return .done([
                "rooms": .array(rooms.map { Room(id: $0.id, kind: $0.kind, members: $0.members).json })
            ])
        })

    static let open = Method.command(
        "room.open", "Opens a room for two, or a group; that of two is opened once.", access: .family,
        [
            .required(
                "with", .list(.id, max: Limits.groupMembersMax),
                "The others; with one and no name it is the room of two."),
            .optional("name", .line(max: Limits.nameCharactersMax), "What the group is called."),
        ],
        result: result, route: Route("POST", "/api/rooms", status: 201), events: [Room.opened],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let caller = try act.member.id
            let others = try people(params, "with", act).filter { $0 != caller }
            guard !others.isEmpty else {
                throw Rejection(.invalid, "with names nobody else; say with whom you want to talk.", field: "with")
            }
            let name = params.optionalString("name")
            let members = try listed(Set(others + [caller]))
            if others.count == 1, name == nil, let room = try StoredRoom.direct(caller, others[0], act) {
                return .done(try rendered(room.wire.id, act), ids: [room.wire.id])
            }
            let opened = try act.first("SELECT count(*) FROM rooms WHERE opener = ?", .id(caller)) { row in row.int(0) }
            guard opened ?? 0 < Limits.roomsOpenedMax else {
                throw Rejection(
                    .tooLarge, "You have opened \(Limits.roomsOpenedMax) rooms that are still there; leave one first.")
            }
            guard try rooms.take(1, of: Limits.roomsPerDayMax, for: caller, act) else {
                throw Quota.usedUp(
                    "You opened \(Limits.roomsPerDayMax) rooms today, which is the most; go on tomorrow.", act)
            }
            let isDirect = others.count == 1 && name == nil
            var room = StoredRoom(
                Room(
                    id: act.newIdentifier(), kind: isDirect ? .direct : .group, name: name,
                    opener: isDirect ? nil : caller, members: members),
                sharedWith: .members(members))
            try room.save(act)
            return .done(try rendered(room.wire.id, act), ids: [room.wire.id])
        })

    static let update = Method.command(
        "room.update", "Gives a group another name, or has others in it. Who comes sees what is said from then on.",
        access: .family, note: "who is in it; remove: who opened it",
        [
            .required("room", .id), .optional("name", .nullable(.line(max: Limits.nameCharactersMax)), "null: none."),
            .optional("add", .list(.id, max: Limits.groupMembersMax)),
            .optional("remove", .list(.id, max: Limits.groupMembersMax)),
        ],
        result: result, route: Route("PATCH", "/api/rooms/{room}"),
        events: [Room.updated, Room.shown, Room.hidden, Room.read],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var room = try StoredRoom.visible(act, try params.id("room")).room
            let before = room.wire
            try requireGroup(room)
            if let name = params["name"] { room.wire.name = name.string }
            let gone = (params["remove"]?.array ?? []).compactMap(\.identifier)
            if !gone.isEmpty {
                try act.require(
                    room.wire.opener.map { act.isOneself($0) } ?? true,
                    "Only who opened the group takes somebody out of it; everybody can leave it.")
                guard !gone.contains(where: { act.isOneself($0) }) else {
                    throw Rejection(.invalid, "Leave the group to be in it no longer.", field: "remove")
                }
            }
            room.wire.members = try listed(
                Set(room.wire.members).union(try people(params, "add", act)).subtracting(gone))
            room.sharedWith = .members(room.wire.members)
            if room.wire != before {
                try room.save(isChanged: true, isRenamed: room.wire.name != before.name, act)
            }
            return .done(try rendered(room.wire.id, act), ids: [room.wire.id])
        })

    static let leave = Method.command(
        "room.leave", "Leaves a group. It is gone with all that was said once nobody is in it.", access: .signedIn,
        note: "who is in it", [.required("room", .id)], result: .nothing,
        route: Route("DELETE", "/api/rooms/{room}/membership"), events: [Room.hidden, Room.updated],
        apply: { (act, params) throws(Rejection) in
            var room = try StoredRoom.visible(act, try params.id("room")).room
            try requireGroup(room)
            try room.lose(try act.member.id, act)
            return .done([:])
        }
    ).freeingRoom()

    static let set = Method.command(
        "room.set", "Says until when a room is muted, and whether the others see how far one has read.",
        access: .signedIn, note: "who is in it, for oneself",
        [
            .required("room", .id),
            .optional("mutedUntil", .nullable(.time), "Until then only mentions come into the inbox; null: not muted."),
            .optional("showsRead", .bool, "Whether the others see how far one has read; they do not at first."),
        ],
        result: result, route: Route("PUT", "/api/rooms/{room}/own"), events: [Room.read, Message.seen],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            var (room, stand) = try StoredRoom.visible(act, try params.id("room"))
            let before = stand.own
            if let until = params["mutedUntil"] { stand.own.mutedUntil = until.instant }
            if let shows = params["showsRead"]?.bool { stand.own.showsRead = shows }
            if stand.own != before {
                try stand.save(of: member, in: room, act)
                try stand.tell(member, of: room, act)
                if stand.own.showsRead != before.showsRead { try stand.show(member, in: room, act) }
            }
            return .done(try rendered(room.wire.id, act), ids: [room.wire.id])
        })

    // MARK: Inside

    /// The members that a parameter names, each in sight of the caller.
    private static func people(_ params: Params, _ field: String, _ act: Act) throws(Rejection) -> [Identifier] {
        var found: [Identifier] = []
        for id in (params[field]?.array ?? []).compactMap(\.identifier) where !found.contains(id) {
            let member = try act.member(id, field: field).id
            try act.roster[member]?.mustAnswer(field: field)
            found.append(member)
        }
        return found
    }

    private static func listed(_ members: Set<Identifier>) throws(Rejection) -> [Identifier] {
        guard members.count <= Limits.groupMembersMax else {
            throw Rejection(.tooLarge, "A group has \(Limits.groupMembersMax) members at most.")
        }
        return members.sorted()
    }

    private static func requireGroup(_ room: StoredRoom) throws(Rejection) {
        guard room.wire.kind == .group else {
            throw Rejection(.conflict, "This room is no group: who is in it is so by itself.", field: "room")
        }
    }

    private static func rendered(_ room: Identifier, _ act: Act) throws(Rejection) -> JSON {
        let (room, stand) = try StoredRoom.visible(act, room)
        let last = try act.ask { (database) throws(StoreFailure) in try room.last(since: stand.since, database) }
        return ["room": SeenRoom(room: room.wire, own: stand.own, last: last).json]
    }

    /// The answer to a repeat: what is so now.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return try rendered(id, act)
    }
}
