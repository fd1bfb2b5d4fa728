import KinModel

/// Who is in the family, how they sign in, who may what.
extension MembersPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "members",
            known: [KnownPeople.self], sentence: { $0.family() },
            line: { (voice, line, entry) in voice.family(line, entry) },
            signs: ["member": ("family", "family"), "move": ("family", "family")])
    }
}
