import KinModel

extension Reader {
    /// What a device says that is not to say what there is.
    package var discreetNotice: String { phrase("notice.discreet") }
    /// What a device says that is tried.
    package var noticeOfTest: String { phrase("notice.test") }
    /// What a device says in the place of many that it missed.
    package var noticeOfMore: String { phrase("notice.more") }
}

/// What rings, and where.
extension NoticesPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            messages: { $0 == .german ? PackageResources.notices_de_messages : PackageResources.notices_en_messages },
            sentence: { voice in
                switch voice.event.type {
                case NoticeDevice.changed.name: voice.phrase("event.notice.devices")
                case NoticeDevice.rang.name: voice.phrase("event.notice.rang")
                default: nil
                }
            },
            // It says aloud what the inbox has said.
            isEcho: { $0.event.type == NoticeDevice.rang.name })
    }
}
