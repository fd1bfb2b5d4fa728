package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Days for which it is kept what was rung with, read or gone: who was away longer is told of what is unread alone.
    package static let noticeDays: Int64 = 30
    /// Notices that one device is told at a time, where it was away: the newest of them.
    package static let noticesPerAnswerMax = 100
    /// Notices that a device that was away is told one by one; of more it is told together.
    package static let noticesAtOnceMax = 20
    /// The newest of those, which are told beside what stands for the others.
    package static let noticesBesideBurst = 2
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
    /// Seconds after which a device that comes for something is noted anew.
    package static let noticeTakenSeconds: Int64 = 300
}
