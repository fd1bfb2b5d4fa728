import KinCodec
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// Clients that listen by ntfy's interface. They follow as all others do; they get one type of event, written as ntfy's
/// messages.
extension Server {
    /// Answers a WebSocket that asks only for missed messages with those, and ends it.
    func answerPoll(
        _ connection: Connection, _ exchange: HTTPExchange, _ subscription: NtfySubscription, key: String,
        _ missed: [UInt8]
    ) {
        guard let first = subscription.topics.first?.owner else { return }
        let identity = Identity(member: first.member, number: first.number, session: nil)
        connection.isForeign = true
        subscriptions[connection.key] = subscription
        connection.identity = identity
        upgrade(connection, exchange, key: key, subprotocol: nil, isDeflated: false)
        signIn(connection, identity)
        connection.out += missed
        happened(.saidGoodbye, connection)
        WebSocketFrame.writeClose(code: 1000, reason: "", to: &connection.out)
        awaitClose(connection)
    }

    /// Tells the keeper whose devices listened when an alarm rang. The member who raised it sees whom it reached.
    func noteTakers(_ rows: [LogRow]) {
        guard !subscriptions.isEmpty else { return }
        for row in rows where row.type == NoticeDevice.rang.name {
            let text = Array("{\"cursor\":\"\",".utf8) + row.payload + [UInt8(ascii: "}")]
            guard let data = (try? JSON.parse(text)).flatMap(Event.init)?[NoticeDevice.rang], data.device == nil,
                data.notice.act == .ring, data.notice.priority ?? 3 >= 5
            else { continue }
            var numbers: Set<Int32> = []
            for subscription in subscriptions.values {
                for topic in (subscription as? NtfySubscription)?.topics ?? []
                where row.audience.contains(topic.owner.number) { numbers.insert(topic.owner.number) }
            }
            guard !numbers.isEmpty else { continue }
            port.putOwn(
                Request(
                    ticket: Self.nobodysTicket, credential: .machine, method: "notice.taken",
                    params: [
                        "entry": .id(data.notice.entry),
                        "members": .array(numbers.sorted().map { .int(Int64($0)) }),
                    ]))
        }
    }

    /// The topics are valid: missed messages are sent, and the connection follows from that position in the log.
    func listen(
        _ connection: Connection, _ exchange: HTTPExchange, _ subscription: NtfySubscription, key: String,
        missed: [UInt8]
    ) {
        guard let first = subscription.topics.first?.owner else { return }
        let identity = Identity(member: first.member, number: first.number, session: nil)
        connection.isForeign = true
        subscriptions[connection.key] = subscription
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
            cursor: exchange.answeredAt, others: subscription.topics.dropFirst().map(\.owner.number))
        fanOut.begin(connection, following)
        var bytes: [UInt8] = []
        subscription.writeSign("open", at: now, random: randomNumber(), to: &bytes)
        subscription.wrap(bytes + missed, to: &connection.out)
        connection.life.saidUpto(time.monotonicNanoseconds())
        plan(connection)
        markDirty(connection)
        checkMemberLimit(connection)
        noteChurn()
    }

    /// The one type of event that they get; one array for all.
    private static let rung = [NoticeDevice.rang.name]
}
