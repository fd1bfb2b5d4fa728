import KinModel

/// What members say of themselves.
extension ProfilesPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "profiles",
            sentence: { $0.profiles() })
    }
}

extension Voice {
    /// What somebody says of themselves.
    func profiles() -> String? {
        switch event.type {
        case ProfileEntry.added.name: said("event.profile.added", event[ProfileEntry.added])
        case ProfileEntry.changed.name: said("event.profile.changed", event[ProfileEntry.changed])
        case ProfileEntry.shown.name: said("event.profile.shown", event[ProfileEntry.shown])
        case ProfileEntry.hidden.name: phrase("event.profile.hidden")
        case ProfileEntry.removed.name: phrase("event.profile.removed")
        default: nil
        }
    }

    private func said(_ key: String, _ data: ProfileEntry.Whole?) -> String? {
        data.map { data in
            let kind = phrase("profile.kind.\(data.entry.kind.rawValue)")
            return phrase(key, ["member": member(data.entry.member), "kind": kind])
        }
    }
}
