package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Days for which it is kept what was rung with, read or gone: who was away longer is told of what is unread alone.
    package static let noticeDays: Int64 = 30
    /// Notices of one member that are kept: the newest. What is older is told of by the inbox alone.
    package static let noticesKeptMax: Int64 = 2000
    /// Notices that one device is told at a time, where it was away: the newest of them.
    package static let noticesPerAnswerMax = 100
    /// Notices that a device that was away is told one by one; of more it is told together.
    package static let noticesAtOnceMax = 20
    /// The newest of those, which are told beside what stands for the others.
    package static let noticesBesideBurst = 2
    /// Official ones that are told one by one, also to a device that was away; of more it is told together.
    package static let noticesOfficialAtOnceMax = 20
    /// Seconds for which a device that was away is told of a test.
    package static let noticeTestSeconds: Int64 = 12 * 3600
    /// Topics in one request.
    package static let noticeTopicsPerRequestMax = 16
    /// Minutes for which an entry may be put off.
    package static let noticeSnoozeMinutes: ClosedRange<Int64> = 1...10080
    /// Buttons of one offer whose secrets are told from wrong ones: a thing may change while it is offered.
    package static let noticeButtonsKeptMax = 24
    /// Messages of scripts that reach one member in an hour.
    package static let houseMessagesPerHourMax: Int64 = 60
    /// Days for which they are kept.
    package static let houseMessageDays: Int64 = 90
    /// Messages in one answer.
    package static let houseMessagesPerAnswerMax: Int64 = 100
    /// Entries that ring one by one within so many seconds; of more a device is told together.
    package static let noticesInARowMax = 2
    /// Those seconds.
    package static let noticesInARowSeconds: Int64 = 30
    /// Messages of scripts with the highest priority that ring one by one in those seconds, whatever else rings.
    package static let noticesPressingMax = 5
    /// Seconds between two notices of a burst that goes on.
    package static let noticeBurstSeconds: Int64 = 10
    /// Bytes of a push service's address of a browser.
    package static let pushEndpointBytesMax = 1024
    /// Bytes of the address at which that browser has the page.
    package static let pushPageBytesMax = 300
    /// Bytes of the address that push services may write to.
    package static let pushContactBytesMax = 200
    /// Hosts that admins add to the known push services.
    package static let pushHostsMax = 16
    /// Letters that a worker takes to push services at a time.
    package static let pushesAtOnce = 8
    /// Milliseconds for which a push service is waited for.
    package static let pushMilliseconds = 10_000
    /// Seconds after which one is asked again, for the first time; twice as many each time.
    package static let pushWaitSeconds: Int64 = 15
    /// Seconds after which one is asked again at the latest, also where it asks for more.
    package static let pushWaitSecondsMax: Int64 = 3600
    /// Seconds after which what is on its way is taken for lost.
    package static let pushFlightSeconds: Int64 = 600
    /// Seconds after which it is looked whether something can leave.
    package static let pushLookSeconds: Int64 = 5
    /// Entries that a push closes beside what it shows: the newest.
    package static let pushClosedMax = 12
    /// Characters of a title in a push, before it is cut.
    package static let pushTitleCharactersMax = 120
    /// Characters of a text in a push, before it is cut.
    package static let pushTextCharactersMax = 1000
    /// Days after which a device that came for nothing counts as one that reaches nobody.
    package static let noticeReachDays: Int64 = 30
    /// Seconds after which a device that comes for something is noted anew.
    package static let noticeTakenSeconds: Int64 = 300
}
