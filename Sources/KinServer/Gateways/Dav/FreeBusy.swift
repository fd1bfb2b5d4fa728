import KinCodec
import KinICal
import KinModel

/// A question for when somebody is free, and its answer (RFC 5545, 3.6.4; RFC 6638, 5).
struct FreeBusy {
    let from: Instant
    let to: Instant
    /// The address of who asks, as it came.
    let organizer: String?
    /// The addresses of who is asked, as they came.
    let asked: [String]
    private let question: ICalComponent

    /// Reads a question.
    init?(_ bytes: [UInt8]) {
        guard let whole = try? ICalComponent(bytes), whole.name == "VCALENDAR",
            let question = whole.components.first(where: { $0.name == "VFREEBUSY" }),
            let start = question["DTSTART"].flatMap({ ICalTime($0.value) }), start.isUTC,
            let end = question["DTEND"].flatMap({ ICalTime($0.value) }), end.isUTC, start.moment < end.moment
        else { return nil }
        from = start.moment
        to = end.moment
        self.question = question
        organizer = question["ORGANIZER"]?.value
        asked = question.all("ATTENDEE").prefix(Int(DavLimits.askedMax)).map(\.value)
    }

    /// The lines of a question that its answer for somebody repeats.
    func lines(to address: String) -> [ICalLine] {
        ["UID", "ORGANIZER"].compactMap { question[$0] }
            + question.all("ATTENDEE").filter { $0.value.hasSameBytes(as: address) }.prefix(1)
    }

    /// An answer, of times by their beginning that do not overlap.
    static func text(_ busy: JSON?, from: Instant, to: Instant, _ lines: [ICalLine]) -> String {
        func moment(_ instant: Instant) -> String { ICalTime(moment: instant).description }
        var all = [
            ICalLine("DTSTAMP", value: moment(from)), ICalLine("DTSTART", value: moment(from)),
            ICalLine("DTEND", value: moment(to)),
        ]
        for one in busy?.array ?? [] {
            guard let start = one["start"]?.instant, let end = one["end"]?.instant else { continue }
            let (first, last) = (max(from, start), min(to, end))
            guard first < last else { continue }
            let kind = one["tentative"]?.bool == true ? [ICalLine.Parameter("FBTYPE", "BUSY-TENTATIVE")] : []
            all.append(ICalLine("FREEBUSY", kind, value: "\(moment(first))/\(moment(last))"))
        }
        let answer = ICalComponent("VFREEBUSY", lines + all)
        let head = [
            ICalLine("VERSION", value: "2.0"), ICalLine("PRODID", value: "-//Kinwire//Calendar//EN"),
        ]
        let method = lines.isEmpty ? [] : [ICalLine("METHOD", value: "REPLY")]
        return ICalComponent("VCALENDAR", head + method, components: [answer]).text
    }
}

extension DavLimits {
    /// Members of one question for who is free.
    static let askedMax: Int64 = 50
}
