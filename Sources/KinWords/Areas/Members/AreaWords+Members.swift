import KinModel

/// Who is in the family, how they sign in, who may what.
extension MembersPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            messages: { $0 == .german ? PackageResources.members_de_messages : PackageResources.members_en_messages },
            known: [KnownPeople.self], sentence: { $0.family() },
            line: { (voice, line, entry) in voice.family(line, entry) },
            signs: ["member": ("family", "family"), "move": ("family", "family")])
    }
}
