/// The events of an alarm with their data. They go to the member who raised it and to those who are called.
extension Alarm {
    package static let raised = EventType(
        "alarm.raised", "An alarm is raised, or calls more; who is called from then on, and who raised it.",
        Whole.self, sight: .gives)
    package static let updated = EventType(
        "alarm.updated", "An alarm calls more, or is overdue; who was called before.", Whole.self)
    package static let answered = EventType(
        "alarm.answered", "Somebody answered an alarm; who raised it and who is called.", Answered.self)
    package static let reached = EventType(
        "alarm.reached", "A device of somebody who is called took the ring; who raised it and who is called.",
        Reached.self)
    package static let moved = EventType(
        "alarm.moved", "Who raised an alarm is elsewhere; who raised it and who is called.", Moved.self,
        isLatestOnly: true)
    package static let ended = EventType(
        "alarm.ended", "An alarm is over; who raised it and who was called.", Ended.self, sight: .ends)

    /// The whole alarm.
    package struct Whole: WireRecord {
        package let alarm: Alarm

        package init(alarm: Alarm) { self.alarm = alarm }

        package static let fields = Fields(nil, Whole.init(alarm:), .required("alarm", \.alarm, Alarm.form))
    }

    /// What one of the called answered.
    package struct Answered: WireRecord {
        package let alarm: Identifier
        package let call: AlarmCall
        package let text: String?

        package init(alarm: Identifier, call: AlarmCall, text: String? = nil) {
            self.alarm = alarm
            self.call = call
            self.text = text
        }

        package static let fields = Fields(
            nil, Answered.init(alarm:call:text:),
            .required("alarm", \.alarm, .id), .required("call", \.call, AlarmCall.form),
            .optional("text", \.text, Alarm.textForm))
    }

    /// Whom it has reached.
    package struct Reached: WireRecord {
        package let alarm: Identifier
        package let member: Identifier
        package let at: Instant

        package init(alarm: Identifier, member: Identifier, at: Instant) {
            self.alarm = alarm
            self.member = member
            self.at = at
        }

        package static let fields = Fields(
            nil, Reached.init(alarm:member:at:),
            .required("alarm", \.alarm, .id), .required("member", \.member, .id), .required("at", \.at, .time))
    }

    /// The new position of the member who raised it.
    package struct Moved: WireRecord {
        package let alarm: Identifier
        package let position: AlarmPosition

        package init(alarm: Identifier, position: AlarmPosition) {
            self.alarm = alarm
            self.position = position
        }

        package static let fields = Fields(
            nil, Moved.init(alarm:position:),
            .required("alarm", \.alarm, .id), .required("position", \.position, AlarmPosition.form))
    }

    /// How it ended.
    package struct Ended: WireRecord {
        /// What ended it.
        package enum Cause: String, Sendable, CaseIterable, Hashable {
            /// The member who raised it ended it, or the head of that household.
            case ended
            /// The member on the way has arrived.
            case arrived
            /// Its time was over.
            case expired
            /// The member who raised it has left the family, or nobody is called any more.
            case left
        }

        package let alarm: Identifier
        package let kind: Alarm.Kind
        package let raiser: Identifier
        package let cause: Cause

        package init(alarm: Identifier, kind: Alarm.Kind, raiser: Identifier, cause: Cause) {
            self.alarm = alarm
            self.kind = kind
            self.raiser = raiser
            self.cause = cause
        }

        package static let fields = Fields(
            nil, Ended.init(alarm:kind:raiser:cause:),
            .required("alarm", \.alarm, .id), .required("kind", \.kind, .word),
            .required("raiser", \.raiser, .id, "Who raised it."),
            .required("cause", \.cause, .word, "ended, arrived, expired, left."))
    }
}
