import KinModel

/// What members say of themselves.
extension ProfilesPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            messages: { $0 == .german ? PackageResources.profiles_de_messages : PackageResources.profiles_en_messages },
            sentence: { $0.profiles() })
    }
}

extension Voice {
    /// What somebody says of themselves.
    func profiles() -> String? {
        switch event.type {
        case ProfileEntry.added.name: said(event[ProfileEntry.added])
        case ProfileEntry.changed.name: said(event[ProfileEntry.changed])
        case ProfileEntry.shown.name: said(event[ProfileEntry.shown])
        case ProfileEntry.hidden.name: phrase("event.profile.hidden")
        case ProfileEntry.removed.name: phrase("event.profile.removed")
        default: nil
        }
    }

    private func said(_ data: ProfileEntry.Whole?) -> String? {
        data.map { data in
            let kind = phrase("profile.kind.\(data.entry.kind.rawValue)")
            return phrase("event.profile.said", ["member": member(data.entry.member), "kind": kind])
        }
    }
}
