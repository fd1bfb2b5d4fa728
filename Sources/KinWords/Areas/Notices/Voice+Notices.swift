import KinModel

extension Reader {
    /// What a device says that is not to say what there is.
    package var discreetNotice: String { phrase("notice.discreet") }
    /// What a device says that is tried.
    package var noticeOfTest: String { phrase("notice.test") }
    /// What a browser says where an answer did not come through.
    package var noticeAway: String { phrase("notice.away") }
    /// What a button says.
    package func button(_ name: String) -> String { phrase("button.\(name)") }
    /// What a notice says once a button below it was pressed.
    package func noticeAnswered(_ label: String) -> String { phrase("notice.answered", ["label": label]) }
    /// The same where it was refused.
    package func noticeNotAnswered(_ why: String) -> String { phrase("notice.not-answered", ["why": why]) }
    /// Why a button does nothing any more.
    package func noticeOver(isUsed: Bool) -> String { phrase(isUsed ? "notice.used" : "notice.over") }
    /// What a device says in the place of many that it missed.
    package func noticeOfMore(_ count: Int) -> String { phrase("notice.more", ["n": count]) }
}

/// What rings, and where.
extension NoticesPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "notices",
            sentence: { voice in
                switch voice.event.type {
                case NoticeDevice.changed.name: voice.phrase("event.notice.devices")
                case NoticeDevice.rang.name: voice.phrase("event.notice.rang")
                case NoticeScript.told.name:
                    voice.event[NoticeScript.told].map {
                        voice.phrase(
                            "event.notice.message",
                            ["script": Plain.line($0.message.script), "text": Plain.line($0.message.text)])
                    }
                default: nil
                }
            },
            // It says aloud what the inbox has said.
            isEcho: { $0.event.type == NoticeDevice.rang.name },
            line: { (voice, line, _) in
                guard line["kind"]?.string == "house" else { return nil }
                return voice.reader.phrase("inbox.house", ["script": Plain.line(line["script"]?.string ?? "?")])
            },
            signs: ["house": ("house", nil)])
    }
}
