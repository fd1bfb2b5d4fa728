import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinNotices
import KinStore

/// Clients that listen by ntfy's interface. They follow as all others do; they get one type of event, written as ntfy's
/// messages.
extension Server {
    /// Answers a WebSocket that asks only for missed messages with those, and ends it.
    func answerPoll(
        _ connection: Connection, _ exchange: HTTPExchange, _ subscription: NtfySubscription, key: String,
        _ missed: [UInt8]
    ) {
        let first = subscription.owner
        let identity = Identity(member: first.member, number: first.number, session: nil)
        fanOut.subscriptions.add(subscription, connection)
        connection.identity = identity
        upgrade(connection, exchange, key: key, subprotocol: nil, isDeflated: false)
        signIn(connection, identity)
        connection.out += missed
        happened(.saidGoodbye, connection)
        WebSocketFrame.writeClose(code: 1000, reason: "", to: &connection.out)
        awaitClose(connection)
    }

    /// Tells the keeper which devices were handed something as it came: of alarms and tests each time, since somebody
    /// waits to see whom they reached; else of a device only now and then.
    func noteTakers(_ rows: [LogRow]) {
        guard !fanOut.subscriptions.isEmpty else { return }
        for row in rows where row.type == NoticeDevice.rang.name {
            let text = Array("{\"cursor\":\"\",".utf8) + row.payload + [UInt8(ascii: "}")]
            guard let data = (try? JSON.parse(text)).flatMap(Event.init)?[NoticeDevice.rang], data.notice.act == .ring
            else { continue }
            let isAwaited = data.device != nil || data.notice.priority ?? 3 >= 5
            let (now, pause) = (time.monotonicNanoseconds(), UInt64(Limits.noticeTakenSeconds) * 1_000_000_000)
            var devices: Set<Identifier> = []
            for subscription in fanOut.subscriptions.all {
                for topic in (subscription as? NtfySubscription)?.topics ?? []
                where row.audience.contains(topic.owner.number) && topic.hears(data) != nil {
                    guard let device = topic.owner.session else { continue }
                    if isAwaited || fanOut.subscriptions.isToBeNoted(device, at: now, after: pause) {
                        devices.insert(device)
                    }
                }
            }
            guard !devices.isEmpty else { continue }
            fanOut.subscriptions.note(devices, at: now, most: Limits.noticeDevicesMax)
            port.putOwn(
                Request(
                    ticket: Self.nobodysTicket, credential: .machine, method: "notice.taken",
                    params: [
                        "entry": .id(data.notice.entry), "devices": .array(devices.sorted().map { .id($0) }),
                    ]))
        }
    }

    /// The topics are valid: missed messages are sent, and the connection follows from that position in the log.
    func listen(
        _ connection: Connection, _ exchange: HTTPExchange, _ subscription: NtfySubscription, key: String,
        missed: [UInt8]
    ) {
        let first = subscription.owner
        let identity = Identity(member: first.member, number: first.number, session: nil)
        fanOut.subscriptions.add(subscription, connection)
        if subscription.form == .ws {
            connection.identity = identity
            upgrade(connection, exchange, key: key, subprotocol: nil, isDeflated: false)
        } else {
            openStream(connection, exchange, .foreign, mediaType: subscription.form.mediaType, isForEveryPage: true)
        }
        signIn(connection, identity)
        let following = Following(
            follow: fanOut.nextFollow(), number: first.number, member: first.member, isAtMachine: false,
            view: .all(for: first.member), types: Self.rung, state: .live,
            cursor: exchange.answeredAt, others: subscription.others)
        fanOut.begin(connection, following)
        var bytes: [UInt8] = []
        subscription.writeSign("open", at: now, random: randomNumber(), to: &bytes)
        subscription.wrap(bytes + missed, to: &connection.out)
        happened(.toldUpto, connection)
        markDirty(connection)
        checkMemberLimit(connection)
        noteChurn()
    }

    /// The one type of event that they get; one array for all.
    private static let rung = [NoticeDevice.rang.name]
}
