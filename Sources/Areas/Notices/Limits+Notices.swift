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
    /// Seconds after which a device that comes for something is noted anew.
    package static let noticeTakenSeconds: Int64 = 300
}
