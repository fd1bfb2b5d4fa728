package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Days for which past notices are kept, read ones and those of removed entries too. A device that was away longer
    /// is told of unread entries alone.
    package static let noticeDays: Int64 = 30
    /// Notices of one member that are kept, the newest ones. Older entries are found in the inbox alone.
    package static let noticesKeptMax: Int64 = 2000
    /// Notices that one answer gives a device that was away, the newest ones.
    package static let noticesPerAnswerMax = 100
    /// Notices that a device that was away is told one by one. If there are more, one notice stands for the older ones.
    package static let noticesAtOnceMax = 20
    /// Newest notices that are told one by one beside the notice that stands for the others.
    package static let noticesBesideBurst = 2
    /// Official notices that a device that was away is told one by one. If there are more, they are told together as
    /// well.
    package static let noticesOfficialAtOnceMax = 20
    /// Seconds after a test for which a device that was away is still told of it.
    package static let noticeTestSeconds: Int64 = 12 * 3600
    /// Topics in one request.
    package static let noticeTopicsPerRequestMax = 16
    /// Minutes for which an entry can be put off.
    package static let noticeSnoozeMinutes: ClosedRange<Int64> = 1...10080
    /// Buttons of one offer whose secrets are still recognised. There may be several, because the thing can change
    /// while it is offered.
    package static let noticeButtonsKeptMax = 24
    /// Messages that scripts send to one member in an hour.
    package static let houseMessagesPerHourMax: Int64 = 60
    /// Days for which messages of scripts are kept.
    package static let houseMessageDays: Int64 = 90
    /// Messages of scripts in one answer.
    package static let houseMessagesPerAnswerMax: Int64 = 100
    /// Entries that ring one by one within ``noticesInARowSeconds``. Further ones are told together.
    package static let noticesInARowMax = 2
    /// Seconds for which ``noticesInARowMax`` and ``noticesPressingMax`` count.
    package static let noticesInARowSeconds: Int64 = 30
    /// Messages of scripts with the highest priority that ring one by one within ``noticesInARowSeconds``, whatever
    /// else rings.
    package static let noticesPressingMax = 5
    /// Seconds between two notices of a burst that goes on.
    package static let noticeBurstSeconds: Int64 = 10
    /// Bytes of the address at a push service by which a browser is reached.
    package static let pushEndpointBytesMax = 1024
    /// Bytes of the address at which that browser opens the page.
    package static let pushPageBytesMax = 300
    /// Bytes of the address to which a push service writes if something is wrong.
    package static let pushContactBytesMax = 200
    /// Hosts that admins allow besides the known push services.
    package static let pushHostsMax = 16
    /// Pushes that one worker takes to push services at a time.
    package static let pushesAtOnce = 8
    /// Milliseconds within which a push service must answer.
    package static let pushMilliseconds = 10_000
    /// Seconds after which a push service is asked again for the first time; they double each time.
    package static let pushWaitSeconds: Int64 = 15
    /// Seconds after which a push service is asked again at the latest, even if it asks for a longer wait.
    package static let pushWaitSecondsMax: Int64 = 3600
    /// Seconds after which a push without a result counts as lost.
    package static let pushFlightSeconds: Int64 = 600
    /// Seconds that pass at least before pushes that wait are looked at again.
    package static let pushLookSeconds: Int64 = 5
    /// Entries that a push closes besides the one that it shows, the newest ones.
    package static let pushClosedMax = 12
    /// Characters of a title in a push, before it is cut.
    package static let pushTitleCharactersMax = 120
    /// Characters of a text in a push, before it is cut.
    package static let pushTextCharactersMax = 1000
    /// Days without a visit after which a device no longer counts as one that reaches its member.
    package static let noticeReachDays: Int64 = 30
    /// Seconds after which a further visit of a device is noted.
    package static let noticeTakenSeconds: Int64 = 300
}
