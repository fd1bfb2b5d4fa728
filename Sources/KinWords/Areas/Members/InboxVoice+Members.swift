import KinModel

extension InboxVoice {
    /// What a line says of members and accounts.
    func family(_ line: JSON, _ entry: InboxEntry) -> String? {
        let by = by(line)
        switch line["kind"]?.string {
        case "memberJoined": return phrase("inbox.member-joined", ["name": title(entry)])
        case "memberLeft": return phrase("inbox.member-left", ["name": leaver(entry)])
        case "roleChanged": return phrase("inbox.role", ["role": phrase("rank.\(line["role"]?.string ?? "member")")])
        case "permissionChanged": return permission(line)
        case "accountChanged": return account(line, entry)
        case "newDevice": return phrase("event.session.opened", ["device": device(line)])
        case "moveAsked": return asked(line, entry, by)
        case "moveAnswered":
            let (member, household) = (subject(entry), household(line))
            switch line["answer"]?.string {
            case "moved":
                return phrase("inbox.move-moved", ["by": by, "member": member, "household": household])
            case "admitted":
                return phrase("inbox.move-admitted", ["by": by, "member": member, "household": household])
            case "refused":
                return phrase("inbox.move-refused", ["by": by, "member": member, "household": household])
            case "withdrawn":
                return phrase("inbox.move-withdrawn", ["by": by, "member": member, "household": household])
            default: return phrase("inbox.move-ended", ["member": member, "household": household])
            }
        case "grownAsked": return phrase("inbox.grown-asked", ["member": subject(entry)])
        case "grownAnswered":
            switch line["answer"]?.string {
            case "grown": return phrase("inbox.grown", ["by": by])
            case "unanswered": return phrase("inbox.grown-unanswered")
            default: return phrase("inbox.grown-not-yet", ["by": by])
            }
        default: return nil
        }
    }

    private func asked(_ line: JSON, _ entry: InboxEntry, _ by: String) -> String {
        let member = subject(entry)
        return by == member
            ? phrase("inbox.move-asked", ["member": member, "household": household(line)])
            : phrase("inbox.move-asked-by", ["by": by, "member": member, "household": household(line)])
    }

    private func household(_ line: JSON) -> String { names.household(line["household"]?.identifier, reader) }

    private func permission(_ line: JSON) -> String {
        switch line["what"]?.string {
        case "appPasswordMade": phrase("inbox.app-password-made", ["device": device(line)])
        case "appPasswordRevoked": phrase("inbox.app-password-revoked", ["device": device(line)])
        case "signInLinkMade": phrase("inbox.sign-in-link-made")
        case "passwordChanged": phrase("inbox.password-changed")
        default: phrase("inbox.permission-changed")
        }
    }

    /// What was done about somebody's account.
    private func account(_ line: JSON, _ entry: InboxEntry) -> String {
        let by = line["by"].map { member($0.identifier) } ?? phrase("session.the-machine")
        let values: KeyValuePairs<String, any CustomStringConvertible> = [
            "member": subject(entry), "by": by, "device": device(line), "time": time(line["until"]),
        ]
        switch line["what"]?.string {
        case "signInLinkMade": return phrase("inbox.account-link", values)
        case "passwordSet": return phrase("inbox.account-password", values)
        case "sessionWaits": return phrase("inbox.account-waits", values)
        case "sessionTrusted": return phrase("inbox.account-trusted", values)
        default: return phrase("inbox.account-wait-ended", values)
        }
    }

    private func leaver(_ entry: InboxEntry) -> String {
        entry.title.map { Plain.line($0) } ?? subject(entry)
    }
}
