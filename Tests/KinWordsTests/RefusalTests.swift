import KinCalendar
import KinModel
import Testing

@testable import KinWords

@Suite struct RefusalTests {
    /// For programs only: nobody meets these in a form or at a terminal.
    private static let forPrograms: Set = [
        // What a browser gives its page, and what a phone's shortcut asks.
        "auth has 16 bytes.", "endpoint is an address that begins with https://.", "p256dh is no key of P-256.",
        "page is an address such as https://kin.local:5469.", "There is no such shortcut.",
        "Too many shortcuts that there are not. Wait {} s and try again.",
        "The parameters may have {} characters.",
        "There is no such topic.", "Too many topics that there are not. Wait {} s and try again.",
        "There is no such contact.", "Too many wrong app passwords came from this address. Try again in {} seconds.",
        "There is no such button.", "Too many buttons that there are not. Wait {} s and try again.",
        "At most {} messages an hour reach one member.",
        "since is all, none, latest, a message's id, a unix time or a duration such as 10m.",
        "At this address are /metrics and /healthz only.", "Besides {} the content may have {} bytes.",
        "Only {} may be that long.",
        "There is no view {}; there are: all, {}.", "This cursor is not of this family's log; follow anew.",
        "This op was used before for something else; take a new one.",
        "after is the next of an earlier page; leave it out to begin.",
        "after must be what an earlier answer gave as next.", "before must be what an earlier answer gave as next.",
        "Give either id or upTo.", "to is empty; name a household or a member, or leave it out for the family.",
        "confirms goes with state on.", "name must be a plain file name.",
        "picture must be base64 with padding.",
        "positions is empty; give at least one.",
        "quiet.from and quiet.to are the same time; mute kinds to be told nothing.",
        "quiet.days names no day; leave it out for every day.",
        "quiet.{} must be a time of day such as 22:00.", "slots[{}] is there twice.", "to goes with hold true.",
        "The contact that the page before ended with is gone; leave after out to begin anew.",
        "until goes with state on.", "{} takes no upload of yours.",
        "{} holds {} items; at most {}.", "{} is empty.", "{} is longer than {} bytes.",
        "{} must be 1 to {} characters of printable ASCII without spaces.",
        "{} must be a time such as 2026-11-20T18:04:05Z, or 2026-11-20T18:04 to be read in the zone.",
        "{} must be base64 with padding.",
        "{}at is {}; it must be from the year 2000 and at most {} seconds ahead.",
        "{}viewer has a rule before this one; give one for each.",
    ]

    private static let sources = ["Areas", "KinKeeper", "KinServer", "KinModel", "KinCrypto", "KinPicture", "KinStore"]
        .flatMap { Tree.files(below: "Sources/" + $0) }.filter { $0.hasSuffix(".swift") }
        .map { Literals(Tree.text($0)) }

    private static let german = Set(
        Refusals.german.phrases.keys.map { $0.replacing(/{\d}/, with: "{}") })

    @Test func `every sentence has its English one in the sources`() {
        let said = Set(Self.sources.flatMap(\.all))
        #expect(Self.german.subtracting(said).sorted() == [])
        #expect(Refusals.german.phrases.keys.count == Self.german.count, "a sentence twice")
    }

    @Test func `every refusal that a person meets is said in German`() {
        let refused = Set(Self.sources.flatMap(\.refusals))
        #expect(refused.count > 150)
        #expect(refused.subtracting(Self.german).subtracting(Self.forPrograms).sorted() == [])
        #expect(Self.forPrograms.subtracting(refused).sorted() == [])
    }

    /// At the start, or from a backup: only who runs the daemon meets these, and its own words are English.
    private static let atTheStart: Set = [
        "The database is damaged: {}. Restore the newest backup.",
        "The backup cannot be used: {}. Take another one.",
        "The backup is cut off: its end is missing, as after a copy that was interrupted. Copy it again, or take another one.",
        "The database was written by a newer Kinwire (its version is {}, this program knows {}): install the newer Kinwire.",
        "Another kinwired is running on {}: stop it first, or use another directory.",
        "{} is not empty, and a restore overwrites nothing: name a new directory, or move what is there away.",
        "The change does not fit what is stored: {}.", "A statement failed (code {}): {}.",
    ]

    @Test func `what the disk refuses while the daemon runs is said in German too`() {
        let said = Set(Literals(Tree.text("Sources/KinStore/StoreFailure.swift")).all)
        #expect(said.count > 10)
        #expect(said.subtracting(Self.german).sorted() == Self.atTheStart.sorted())
    }

    @Test func `each has the same places as the English one, and its own words`() {
        for key in Refusals.german.phrases.keys {
            let german = Refusals.german.phrases[key]
            #expect(german?.placeholders == Phrase(key).placeholders, "\(key)")
            let filled = Phrase(key).parts.reduce(into: "") { text, part in
                switch part {
                case .text(let plain): text += plain
                case .value(let name), .form(let name, _, _): text += "<\(name)>"
                }
            }
            let said = Refusals.german.said(filled) ?? ""
            for name in Phrase(key).placeholders { #expect(said.contains("<\(name)>"), "\(key)") }
            #expect(!said.isEmpty && said != filled, "\(key)")
        }
    }

    @Test func `what is filled in stays, and of two that fit the closer one is taken`() throws {
        let reader = Reader(.german, .utc)
        #expect(reader.refusal("Sign in first.") == "Melde dich erst an.")
        #expect(
            reader.refusal("name is 70 characters long; at most 64.") == "name ist 70 Zeichen lang; höchstens 64.")
        #expect(
            reader.refusal("There is no time zone Mars/Base; give one such as Europe/Berlin.")
                == "Die Zeitzone Mars/Base gibt es nicht; nenn eine wie Europe/Berlin.")
        #expect(reader.refusal("There is no place 01a1.") == "Das gibt es nicht (place): 01a1.")
        #expect(
            reader.refusal("Only an admin can do that. Ask Lea.") == "Das darf nur ein Admin. Frag Lea.")
        #expect(
            reader.refusal("Only an admin can do that. Ask Lea or Bo Or.")
                == "Das darf nur ein Admin. Frag Lea oder Bo Or.")
        #expect(reader.refusal("Guests cannot do that.") == "Das dürfen Gäste nicht.")
        #expect(
            reader.refusal("Only the meeting's host and admins do that. Ask Ben or Ada.")
                == "Das machen nur, wer zum Treffen einlädt, und Admins. Frag Ben oder Ada.")
        #expect(
            reader.refusal("You host this meeting and answer nobody. Change its slots.")
                == "Du lädst zu diesem Treffen ein und antwortest niemandem. Ändere seine Termine.")
        #expect(
            reader.refusal(
                "The family's directory /srv/kin is gone, or another one is in its place. Put it back, and start kinwired again."
            ).hasPrefix("Der Ordner der Familie /srv/kin ist weg,"))
        let weak = "This password is too weak. Use at least 8 characters; three or four unrelated words are good."
        #expect(reader.refusal(weak).hasPrefix("Dieses Passwort ist zu schwach. Nimm mindestens 8 Zeichen;"))
        for sentence in ["", ".", "Something quite new.", "There is no .", "Sign in"] {
            #expect(reader.refusal(sentence) == sentence)
        }
        #expect(Reader(.english, .utc).refusal("Sign in first.") == "Sign in first.")
        #expect(reader.refusal(Rejection(.conflict, "This meeting is over.")) == "Dieses Treffen ist vorbei.")
    }
}

/// The texts in a Swift file, joined where `+` joins them, with `{}` for what is interpolated.
struct Literals {
    private(set) var all: [String] = []
    /// Those that something is refused with.
    private(set) var refusals: [String] = []

    private let bytes: [UInt8]
    private var at = 0

    /// `lead`: what stands before a sentence that something is refused with.
    init(
        _ source: String,
        lead words: Regex<Substring> = #/Rejection\(\s*\.(?!params|method|request|parse)\w+,\s*$|usedUp\(\s*$/#
    ) {
        bytes = Array(source.utf8)
        while at < bytes.count {
            if starts("//") {
                at = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if bytes[at] == UInt8(ascii: "\"") {
                let lead = String(decoding: bytes[max(0, at - 60)..<at], as: UTF8.self)
                let text = joined()
                all.append(text)
                if lead.contains(words) { refusals.append(text) }
            } else {
                at += 1
            }
        }
    }

    private func starts(_ text: StaticString) -> Bool {
        bytes[at...].starts(with: text.withUTF8Buffer { Array($0) })
    }

    private mutating func joined() -> String {
        var text = one()
        while true {
            let end = at
            skipBlanks()
            guard at < bytes.count, bytes[at] == UInt8(ascii: "+") else {
                at = end
                return text
            }
            at += 1
            skipBlanks()
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return text }
            text += one()
        }
    }

    private mutating func skipBlanks() { while at < bytes.count, bytes[at] <= 0x20 { at += 1 } }

    private mutating func one() -> String {
        let isLong = starts("\"\"\"")
        at += isLong ? 3 : 1
        var out: [UInt8] = []
        while at < bytes.count, isLong ? !starts("\"\"\"") : bytes[at] != UInt8(ascii: "\"") {
            if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count {
                at += 2
                switch bytes[at - 1] {
                case UInt8(ascii: "("):
                    var depth = 1
                    while at < bytes.count, depth > 0 {
                        if bytes[at] == UInt8(ascii: "(") { depth += 1 }
                        if bytes[at] == UInt8(ascii: ")") { depth -= 1 }
                        at += 1
                    }
                    out += "{}".utf8
                case UInt8(ascii: "\n"): while at < bytes.count, bytes[at] == 0x20 { at += 1 }
                case let other: out.append(other)
                }
            } else {
                out.append(bytes[at])
                at += 1
            }
        }
        at += isLong ? 3 : 1
        let text = String(decoding: out, as: UTF8.self)
        guard isLong else { return text }
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
